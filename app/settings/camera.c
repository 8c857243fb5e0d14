#include "app/settings/camera.h"

#include <cglm/cglm.h>
#include <cglm/clipspace/ortho_rh_zo.h>
#include <cglm/clipspace/persp_rh_zo.h>
#include <float.h>
#include <string.h>

static const float FARTHEST = 20; // largest coordinate of the target
static const float STEP = (float)M_PI / 12;

// Turntable: azimuth turns around the scene's z axis, elevation lifts the eye above the horizon,
// roll turns the picture. The rotation is composed from angles, so there is no pole where an up
// vector would vanish.
static void camera_orient(struct camera *camera)
{
    versor around, tilt, roll;
    glm_quatv(around, camera->azimuth, (vec3){ 0, 0, 1 });
    glm_quatv(tilt, (float)M_PI_2 - camera->elevation, (vec3){ 1, 0, 0 });
    glm_quatv(roll, camera->roll, (vec3){ 0, 0, 1 });
    glm_quat_mul(around, tilt, camera->orientation);
    glm_quat_mul(camera->orientation, roll, camera->orientation);
    glm_quat_normalize(camera->orientation);
}

static float camera_wrap(float angle)
{
    return remainderf(angle, 2 * (float)M_PI);
}

void camera_axes(const struct camera *camera, vec3 right, vec3 up, vec3 back)
{
    versor q;
    glm_vec4_copy((float *)camera->orientation, q);
    glm_quat_rotatev(q, (vec3){ 1, 0, 0 }, right);
    glm_quat_rotatev(q, (vec3){ 0, 1, 0 }, up);
    glm_quat_rotatev(q, (vec3){ 0, 0, 1 }, back);
}

// Finds the turntable's angles for the camera's direction, with a level horizon. If the camera
// looks straight up or down, the azimuth comes from the picture's up direction.
static void camera_level(struct camera *camera)
{
    vec3 right, up, back;
    camera_axes(camera, right, up, back);
    camera->elevation = asinf(glm_clamp(back[2], -1, 1));
    if (fabsf(back[2]) < 0.999f)
        camera->azimuth = atan2f(back[0], -back[1]);
    else
        camera->azimuth = back[2] > 0 ? atan2f(-up[0], up[1]) : atan2f(up[0], -up[1]);
    camera->roll = 0;
    camera_orient(camera);
}

void camera_toggle_trackball(struct camera *camera)
{
    camera->trackball = !camera->trackball;
    if (!camera->trackball)
        camera_level(camera);
}

void camera_look(struct camera *camera, float azimuth, float elevation)
{
    camera->azimuth = camera_wrap(azimuth);
    camera->elevation = elevation;
    camera->roll = 0;
    camera_orient(camera);
}

void camera_place(
    struct camera *camera, const float target[3], float distance, const float orientation[4])
{
    versor q;
    glm_vec4_copy((float *)orientation, q);
    if (!(fabsf(glm_vec4_norm(q) - 1) < 1e-6f)) {
        glm_quat_normalize(q);
    }
    glm_vec4_copy(q, camera->orientation);
    for (int i = 0; i < 3; i++) {
        camera->target[i] = glm_clamp(target[i], -FARTHEST, FARTHEST);
    }
    camera->distance = glm_clamp(distance, CAMERA_DISTANCE_MIN, CAMERA_DISTANCE_MAX);
    // Find the turntable's angles for this orientation, which does not change.
    struct camera level = *camera;
    vec3 right, up, back, level_right, level_up, level_back;
    camera_axes(camera, right, up, back);
    camera_level(&level);
    const float aside = hypotf(back[0], back[1]);
    if (aside > 1e-5f) { // more exact than camera_level near the poles
        camera_look(&level, atan2f(back[0], -back[1]), atan2f(back[2], aside));
    }
    camera_axes(&level, level_right, level_up, level_back);
    camera->azimuth = level.azimuth;
    camera->elevation = level.elevation;
    camera->roll = atan2f(glm_vec3_dot(right, level_up), glm_vec3_dot(right, level_right));
}

void camera_set_view(struct camera *camera, enum camera_view view)
{
    const float quarter = (float)M_PI_2;
    const float angles[][2] = {
        [CAMERA_FRONT] = { 0, 0 },
        [CAMERA_BACK] = { 2 * quarter, 0 },
        [CAMERA_RIGHT] = { quarter, 0 },
        [CAMERA_LEFT] = { -quarter, 0 },
        [CAMERA_TOP] = { 0, quarter },
        [CAMERA_BOTTOM] = { 0, -quarter },
        [CAMERA_ISOMETRIC] = { quarter / 2, asinf(1 / sqrtf(3)) },
    };
    camera_look(camera, angles[view][0], angles[view][1]);
}

// Rotates by angles around the picture's vertical and horizontal axes.
static void camera_turn(struct camera *camera, float sideways, float upward)
{
    if (camera->trackball) {
        versor yaw, pitch, both;
        glm_quatv(yaw, sideways, (vec3){ 0, 1, 0 });
        glm_quatv(pitch, -upward, (vec3){ 1, 0, 0 });
        glm_quat_mul(yaw, pitch, both);
        glm_quat_mul(camera->orientation, both, camera->orientation);
        glm_quat_normalize(camera->orientation);
        return;
    }
    // A rolled turntable still follows the mouse: the drag is rotated back by the roll.
    const float c = cosf(camera->roll), s = sinf(camera->roll);
    const float around = c * sideways + s * upward;
    const float lift = c * upward - s * sideways;
    camera->azimuth = camera_wrap(camera->azimuth + around);
    camera->elevation = glm_clamp(camera->elevation + lift, -(float)M_PI_2, (float)M_PI_2);
    camera_orient(camera);
}

void camera_step(struct camera *camera, enum camera_step step)
{
    const float sideways = step == CAMERA_STEP_LEFT ? -STEP : step == CAMERA_STEP_RIGHT ? STEP : 0;
    const float upward = step == CAMERA_STEP_DOWN ? -STEP : step == CAMERA_STEP_UP ? STEP : 0;
    camera_turn(camera, sideways, upward);
}

void camera_orbit(struct camera *camera, float dx, float dy, float width, float height)
{
    // A drag across the smaller side of the window is half a turn.
    const float scale = (float)M_PI / fmaxf(1, fminf(width, height));
    camera_turn(camera, -dx * scale, dy * scale);
}

static float camera_half_height(const struct camera *camera)
{
    return camera->distance * tanf(CAMERA_FIELD_OF_VIEW / 2);
}

float camera_pixels(const struct camera *camera, float height)
{
    return height / (2 * camera_half_height(camera));
}

static void camera_shift(struct camera *camera, float right_by, float up_by)
{
    vec3 right, up, back;
    camera_axes(camera, right, up, back);
    for (int i = 0; i < 3; i++)
        camera->target[i] =
            glm_clamp(camera->target[i] + right[i] * right_by + up[i] * up_by, -FARTHEST, FARTHEST);
}

void camera_pan(struct camera *camera, float dx, float dy, float height)
{
    const float scale = 2 * camera_half_height(camera) / fmaxf(1, height);
    camera_shift(camera, -dx * scale, dy * scale);
}

void camera_roll(
    struct camera *camera, float x, float y, float dx, float dy, float width, float height)
{
    const float before = atan2f(y - dy - height / 2, x - dx - width / 2);
    const float after = atan2f(y - height / 2, x - width / 2);
    const float angle = camera_wrap(after - before);
    if (camera->trackball) {
        versor roll;
        glm_quatv(roll, angle, (vec3){ 0, 0, 1 });
        glm_quat_mul(camera->orientation, roll, camera->orientation);
        glm_quat_normalize(camera->orientation);
    } else {
        camera->roll = camera_wrap(camera->roll + angle);
        camera_orient(camera);
    }
}

void camera_approach(struct camera *camera, float factor)
{
    camera->distance =
        glm_clamp(camera->distance / factor, CAMERA_DISTANCE_MIN, CAMERA_DISTANCE_MAX);
}

void camera_turn_about(struct camera *camera, float angle)
{
    versor around, turned;
    glm_quatv(around, angle, (vec3){ 0, 0, 1 });
    glm_quat_mul(around, camera->orientation, turned);
    camera_place(camera, camera->target, camera->distance, turned);
}

void camera_between(
    const struct camera *from, const struct camera *to, float share, struct camera *out)
{
    vec3 target;
    versor a, b, between;
    glm_vec4_copy((float *)from->orientation, a);
    glm_vec4_copy((float *)to->orientation, b);
    glm_quat_slerp(a, b, share, between);
    for (int i = 0; i < 3; i++) {
        target[i] = from->target[i] * (1 - share) + to->target[i] * share;
    }
    *out = *from;
    camera_place(out, target, from->distance * powf(to->distance / from->distance, share), between);
}

void camera_zoom(struct camera *camera, float steps)
{
    camera->distance =
        glm_clamp(camera->distance * powf(0.88f, steps), CAMERA_DISTANCE_MIN, CAMERA_DISTANCE_MAX);
}

void camera_zoom_at(struct camera *camera, float steps, float x, float y, float width, float height)
{
    const float before = camera_half_height(camera);
    camera_zoom(camera, steps);
    const float moved = before - camera_half_height(camera);
    const float scale = 2 * moved / fmaxf(1, height);
    camera_shift(camera, (x - width / 2) * scale, (height / 2 - y) * scale);
}

// Points in the camera's axes: x to the right, y up, z towards the eye.
struct camera_points {
    vec3 axes[3];
    const float (*at)[3];
    size_t count;
};

// Two planes that touch the points from both sides. They open by `slope` for each unit of depth.
struct camera_wedge {
    float middle, half; // where z is 0, they cross the axis at middle - half and middle + half
    float depth;        // mean z of the two points that they touch
};

static void
camera_touch(const struct camera_points *points, int axis, float slope, struct camera_wedge *out)
{
    float most[2] = { -FLT_MAX, -FLT_MAX }, depth[2] = { 0 };
    for (size_t i = 0; i < points->count; i++) {
        const float along = glm_vec3_dot((float *)points->at[i], (float *)points->axes[axis]);
        const float z = glm_vec3_dot((float *)points->at[i], (float *)points->axes[2]);
        for (int side = 0; side < 2; side++) {
            const float reach = (side ? along : -along) + slope * z;
            depth[side] = reach > most[side] ? z : depth[side];
            most[side] = fmaxf(most[side], reach);
        }
    }
    *out = (struct camera_wedge){
        .middle = (most[1] - most[0]) / 2,
        .half = (most[1] + most[0]) / 2,
        .depth = (depth[1] + depth[0]) / 2,
    };
}

// Each axis has two planes that touch the points. They meet at z = half / slope, where the eye sees
// all points along this axis. The eye is at the farther one of the two z. Along the other axis the
// planes through the eye have a smaller slope; they give the middle. In parallel projection the
// planes are parallel, and the distance only scales the picture.
void camera_fit(
    struct camera *camera, const float (*at)[3], size_t count, float least, float width,
    float height)
{
    struct camera_points points = { .at = at, .count = count };
    camera_axes(camera, points.axes[0], points.axes[1], points.axes[2]);
    const float tan_y = tanf(CAMERA_FIELD_OF_VIEW / 2);
    const float tan_x = tan_y * fmaxf(1, width) / fmaxf(1, height);
    const float slopes[2] = { (1 - 2 * CAMERA_MARGIN) * tan_x, (1 - 2 * CAMERA_MARGIN) * tan_y };
    struct camera_wedge wedges[2];
    float eye = -FLT_MAX, nearest = -FLT_MAX, farthest = FLT_MAX;
    for (int axis = 0; axis < 2; axis++) {
        camera_touch(&points, axis, camera->ortho ? 0 : slopes[axis], &wedges[axis]);
        eye = fmaxf(eye, wedges[axis].half / slopes[axis]);
    }
    for (size_t i = 0; i < count; i++) {
        const float z = glm_vec3_dot((float *)at[i], points.axes[2]);
        nearest = fmaxf(nearest, z);
        farthest = fminf(farthest, z);
    }
    const float depth = (nearest + farthest) / 2; // of the target, which the camera turns around
    if (!camera->ortho) {
        eye = fmaxf(eye, nearest + CAMERA_DISTANCE_MIN);
    }
    for (int axis = 0; axis < 2 && !camera->ortho; axis++) {
        // Newton's method. `half` is convex and made of straight pieces, so a few steps are enough.
        float slope = slopes[axis];
        for (int i = 0; i < 10; i++) {
            const float step = (slope * eye - wedges[axis].half) / (eye - wedges[axis].depth);
            if (step <= 1e-4f * slopes[axis] && step >= -1e-4f * slopes[axis]) {
                break;
            }
            slope -= step;
            camera_touch(&points, axis, slope, &wedges[axis]);
        }
    }
    const float closest = fmaxf(CAMERA_DISTANCE_MIN, least / fminf(slopes[0], slopes[1]));
    camera->distance = glm_clamp(camera->ortho ? eye : eye - depth, closest, CAMERA_DISTANCE_MAX);
    for (int r = 0; r < 3; r++) {
        camera->target[r] = points.axes[0][r] * wedges[0].middle +
                            points.axes[1][r] * wedges[1].middle + points.axes[2][r] * depth;
    }
}

void camera_fit_turning(
    struct camera *camera, const float (*at)[3], size_t count, float least, float turn, float width,
    float height)
{
    const float tan_y = (1 - 2 * CAMERA_MARGIN) * tanf(CAMERA_FIELD_OF_VIEW / 2);
    const float tan_x = tan_y * fmaxf(1, width) / fmaxf(1, height);
    const float arc = fminf(fabsf(turn), 2 * (float)M_PI);
    const int steps = (int)ceilf(arc / STEP) * 3;
    vec3 box[2];
    glm_vec3_copy((float *)at[0], box[0]);
    glm_vec3_copy((float *)at[0], box[1]);
    for (size_t i = 1; i < count; i++) {
        glm_vec3_minv(box[0], (float *)at[i], box[0]);
        glm_vec3_maxv(box[1], (float *)at[i], box[1]);
    }
    glm_vec3_center(box[0], box[1], camera->target);
    float distance = fmaxf(CAMERA_DISTANCE_MIN, least / fminf(tan_x, tan_y));
    for (int step = 0; step <= steps; step++) {
        struct camera turned = *camera;
        vec3 right, up, back, p;
        camera_turn_about(&turned, steps ? copysignf(arc, turn) * (float)step / (float)steps : 0);
        camera_axes(&turned, right, up, back);
        for (size_t i = 0; i < count; i++) {
            glm_vec3_sub((float *)at[i], camera->target, p);
            const float aside = fabsf(glm_vec3_dot(p, right)) / tan_x;
            const float above = fabsf(glm_vec3_dot(p, up)) / tan_y;
            const float nearer = camera->ortho ? 0 : glm_vec3_dot(p, back);
            distance = fmaxf(distance, fmaxf(fmaxf(aside, above), CAMERA_DISTANCE_MIN) + nearer);
        }
    }
    camera->distance = fminf(distance, CAMERA_DISTANCE_MAX);
}

void camera_reset(struct camera *camera)
{
    camera->ortho = false;
    camera_look(camera, -0.6f, 0.35f);
}

void camera_round(const struct camera *camera, float target[3], float orientation[4])
{
    for (int i = 0; i < 3; i++) {
        target[i] = (float)(rint(camera->target[i] * 0x1p27) / 0x1p27 + 0);
    }
    for (int i = 0; i < 4; i++) {
        orientation[i] = (float)(rint(camera->orientation[i] * 0x1p27) / 0x1p27 + 0);
    }
}

void camera_matrices(
    const struct camera *drawn, float width, float height, struct camera_matrices *out)
{
    struct camera rounded = *drawn;
    const struct camera *camera = &rounded;
    camera_round(drawn, rounded.target, rounded.orientation);
    vec3 right, up, back;
    camera_axes(camera, right, up, back);
    mat4 view = GLM_MAT4_IDENTITY_INIT, projection;
    vec3 eye, target;
    glm_vec3_copy((float *)camera->target, target);
    glm_vec3_copy(target, eye);
    glm_vec3_muladds(back, camera->distance, eye);
    for (int i = 0; i < 3; i++) {
        view[i][0] = right[i];
        view[i][1] = up[i];
        view[i][2] = back[i];
    }
    view[3][0] = -glm_vec3_dot(right, eye);
    view[3][1] = -glm_vec3_dot(up, eye);
    view[3][2] = -glm_vec3_dot(back, eye);

    // Near and far planes lie close around the volume's sphere, to use all of the depth buffer's
    // precision.
    const float centre = glm_vec3_dot(back, eye), radius = 1.02f;
    const float aspect = fmaxf(1, width) / fmaxf(1, height);
    const float far_z = centre + radius;
    if (camera->ortho) {
        const float h = camera_half_height(camera);
        glm_ortho_rh_zo(-h * aspect, h * aspect, -h, h, centre - radius, far_z, projection);
    } else {
        const float near_z = fmaxf(centre - radius, 0.002f);
        glm_perspective_rh_zo(
            CAMERA_FIELD_OF_VIEW, aspect, near_z, fmaxf(far_z, 2 * near_z), projection);
    }
    projection[1][1] *= -1;
    memcpy(out->view, view, sizeof out->view);
    memcpy(out->projection, projection, sizeof out->projection);
}
