#include "app/settings/outline.h"

#include <cglm/cglm.h>
#include <string.h>

static void outline_project(const struct outline *outline, const float grid[3], float out[2])
{
    float at[4];
    for (int r = 0; r < 4; r++) {
        at[r] = outline->clip[0][r] * grid[0] + outline->clip[1][r] * grid[1] +
                outline->clip[2][r] * grid[2] + outline->clip[3][r];
    }
    for (int r = 0; r < 2; r++) {
        out[r] = (at[r] / at[3] + 1) * outline->size[r] / 2;
    }
}

static void outline_set_clip(
    const struct placement *placement, const struct camera *camera, struct outline *out)
{
    struct camera_matrices matrices;
    mat4 model, other;
    camera_matrices(camera, out->size[0], out->size[1], &matrices);
    memcpy(model, placement->model, sizeof model);
    memcpy(other, matrices.view, sizeof other);
    glm_mat4_mul(other, model, model);
    memcpy(other, matrices.projection, sizeof other);
    glm_mat4_mul(other, model, model);
    memcpy(out->clip, model, sizeof model);
}

// Removes what lies behind a plane: where a * x + b * y + c * z + d is below 0.
static void outline_cut(struct outline *outline, float a, float b, float c, float d)
{
    const struct outline whole = *outline;
    outline->count = 0;
    for (uint32_t i = 0; i < whole.count; i++) {
        const float *p = whole.grid[i], *q = whole.grid[(i + 1) % whole.count];
        const float from = a * p[0] + b * p[1] + c * p[2] + d;
        const float to = a * q[0] + b * q[1] + c * q[2] + d;
        if (from >= 0) {
            memcpy(outline->grid[outline->count++], p, 3 * sizeof *p);
        }
        if ((from >= 0) != (to >= 0)) {
            glm_vec3_lerp(
                (float *)p, (float *)q, from / (from - to), outline->grid[outline->count++]);
        }
    }
}

void outline_of(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    float width, float height, struct outline *out)
{
    static const float SLACK = 1e-3f; // a plane may lie on a side of the box
    *out = (struct outline){ .count = 4, .size = { width, height } };
    plane_resolve(plane, placement, camera, out->plane);
    outline_set_clip(placement, camera, out);
    vec3 middle, right, up, beside;
    float size = 0;
    for (int c = 0; c < 3; c++) {
        middle[c] = (float)(placement->dim[c] - 1) / 2;
        size += (float)placement->dim[c];
    }
    // A square on the plane that is larger than the box. The box's sides and the eye cut it.
    glm_vec3_muladds(out->plane, -glm_vec3_dot(out->plane, middle) - out->plane[3], middle);
    glm_vec3_ortho(out->plane, right);
    glm_vec3_normalize(right);
    glm_vec3_cross(out->plane, right, up);
    for (int i = 0; i < 4; i++) {
        glm_vec3_copy(middle, out->grid[i]);
        glm_vec3_muladds(right, i % 3 ? size : -size, out->grid[i]);
        glm_vec3_muladds(up, i < 2 ? size : -size, out->grid[i]);
    }
    glm_vec3_add(middle, right, beside);
    outline_project(out, middle, out->at[0]);
    outline_project(out, beside, out->at[1]);
    out->sample = hypotf(out->at[1][0] - out->at[0][0], out->at[1][1] - out->at[0][1]);
    for (int c = 0; c < 3; c++) {
        const float x = c == 0, y = c == 1, z = c == 2;
        outline_cut(out, x, y, z, SLACK);
        outline_cut(out, -x, -y, -z, (float)(placement->dim[c] - 1) + SLACK);
    }
    outline_cut(
        out, out->clip[0][3], out->clip[1][3], out->clip[2][3],
        out->clip[3][3] - CAMERA_DISTANCE_MIN);
    for (uint32_t i = 0; i < out->count; i++) {
        outline_project(out, out->grid[i], out->at[i]);
    }
}

float outline_nearest(const struct outline *outline, float x, float y, float grid[3])
{
    float least = INFINITY;
    for (uint32_t i = 0; i < outline->count; i++) {
        const uint32_t next = (i + 1) % outline->count;
        const float *a = outline->at[i], *b = outline->at[next];
        const float wide = b[0] - a[0], high = b[1] - a[1];
        const float length = fmaxf(wide * wide + high * high, 1e-6f);
        const float share = glm_clamp_zo(((x - a[0]) * wide + (y - a[1]) * high) / length);
        const float away = hypotf(a[0] + share * wide - x, a[1] + share * high - y);
        if (away < least) {
            least = away;
            glm_vec3_lerp((float *)outline->grid[i], (float *)outline->grid[next], share, grid);
        }
    }
    return least;
}

float outline_pull(const struct outline *outline, const float grid[3], float dx, float dy)
{
    vec3 moved;
    float from[2], to[2];
    glm_vec3_add((float *)grid, (float *)outline->plane, moved);
    outline_project(outline, grid, from);
    outline_project(outline, moved, to);
    const float x = to[0] - from[0], y = to[1] - from[1], length = hypotf(x, y);
    return length < 0.2f * outline->sample ? -dy / outline->sample
                                           : (dx * x + dy * y) / (length * length);
}
