#include "app/picture/backs.h"

#include <cglm/cglm.h>
#include <string.h>

// Extends `within` by the picture of a box of the grid. Returns false if a part of the box is
// behind the camera, or too near to it.
static bool backs_add_box(
    const struct backs_view *view, const uint32_t low[3], const uint32_t high[3], float within[4])
{
    mat4 clip;
    memcpy(clip, view->clip, sizeof clip);
    for (int corner = 0; corner < 8; corner++) {
        vec4 at = { 0, 0, 0, 1 }, seen;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = (float)(corner >> axis & 1 ? high[axis] : low[axis]);
        }
        glm_mat4_mulv(clip, at, seen);
        if (!(seen[2] > 0 && seen[3] > 0)) {
            return false;
        }
        for (int c = 0; c < 2; c++) {
            within[c] = glm_min(within[c], seen[c] / seen[3]);
            within[2 + c] = glm_max(within[2 + c], seen[c] / seen[3]);
        }
    }
    return true;
}

// Finds the faces of the box that the camera sees from outside, or edge on.
static void backs_seen_faces(const struct backs_view *view, bool seen[6])
{
    mat4 camera, grid;
    memcpy(camera, view->camera, sizeof camera);
    glm_mat4_inv(camera, grid);
    vec4 eye; // or, in a parallel projection, the direction to it
    glm_mat4_mulv(grid, view->ortho ? (vec4){ 0, 0, 1, 0 } : (vec4){ 0, 0, 0, 1 }, eye);
    for (int axis = 0; axis < 3; axis++) {
        const float last = view->ortho ? 0 : (float)(view->dim[axis] - 1);
        const float slack = 1e-3f * (view->ortho ? glm_vec3_norm(eye) : last);
        seen[2 * axis] = !(eye[axis] > slack);
        seen[2 * axis + 1] = !(eye[axis] < last - slack);
    }
}

// Finds a rectangle of a face: around all cubes with a sample at the isovalue or above. Returns
// false if there are no such cubes.
static bool backs_open_samples(
    const struct cubes *cubes, double iso, int face, const struct backs_view *view, uint32_t low[3],
    uint32_t high[3])
{
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const size_t step[3] = { 1, cubes->dim[0], (size_t)cubes->dim[0] * cubes->dim[1] };
    const size_t layer = face % 2 ? (cubes->dim[axis] - 1) * step[axis] : 0;
    low[u] = low[v] = UINT32_MAX;
    high[u] = high[v] = 0;
    low[axis] = high[axis] = face % 2 ? view->dim[axis] - 1 : 0;
    for (uint32_t j = 0; j < cubes->dim[v]; j++) {
        for (uint32_t i = 0; i < cubes->dim[u]; i++) {
            if (!((double)cubes->range[layer + j * step[v] + i * step[u]][1] < iso)) {
                low[u] = i < low[u] ? i : low[u];
                low[v] = j < low[v] ? j : low[v];
                high[u] = i > high[u] ? i : high[u];
                high[v] = j > high[v] ? j : high[v];
            }
        }
    }
    if (low[u] == UINT32_MAX) {
        return false;
    }
    for (int side = 0; side < 2; side++) {
        const int c = side ? v : u;
        const uint64_t end = ((uint64_t)high[c] + 1) * cubes->edge;
        low[c] *= cubes->edge;
        high[c] = end < view->dim[c] - 1 ? (uint32_t)end : view->dim[c] - 1;
    }
    return true;
}

enum backs
backs_of(const struct cubes *cubes, double iso, const struct backs_view *view, float within[4])
{
    const uint32_t last[3] = { view->dim[0] - 1, view->dim[1] - 1, view->dim[2] - 1 };
    float all[4] = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    memcpy(within, all, sizeof all);
    if (!cubes->range || cubes->gaps || !backs_add_box(view, (uint32_t[3]){ 0 }, last, all)) {
        return BACKS_SEEN;
    }
    bool seen[6], some = false;
    backs_seen_faces(view, seen);
    for (int face = 0; face < 6; face++) {
        uint32_t low[3], high[3];
        if (seen[face] && !((double)cubes->faces[face] < iso) &&
            backs_open_samples(cubes, iso, face, view, low, high)) {
            some = true;
            backs_add_box(view, low, high, within);
        }
    }
    const float share =
        (within[2] - within[0]) * (within[3] - within[1]) / ((all[2] - all[0]) * (all[3] - all[1]));
    return !some ? BACKS_HIDDEN : share < 0.5f ? BACKS_WITHIN : BACKS_SEEN;
}
