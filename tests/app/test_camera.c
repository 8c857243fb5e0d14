// The camera and the position of the volume in the scene: matrices, movements, poles, fitting.
// ctest: plain
#include "app/base/number.h"
#include "app/settings/camera.h"
#include "app/settings/placement.h"
#include "app/settings/pose.h"
#include "app/settings/view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cglm/cglm.h>

static const float W = 800, H = 600;
static const float cube[8][3] = {
    { -.577f, -.577f, -.577f }, { .577f, -.577f, -.577f }, { -.577f, .577f, -.577f },
    { .577f, .577f, -.577f },   { -.577f, -.577f, .577f }, { .577f, -.577f, .577f },
    { -.577f, .577f, .577f },   { .577f, .577f, .577f },
};

// The position of a point of the scene in a picture: pixels, y down, and depth.
static void project_to(
    const struct camera *camera, float width, float height, const float point[3], float out[3])
{
    struct camera_matrices matrices;
    camera_matrices(camera, width, height, &matrices);
    float view[4] = { 0 }, clip[4] = { 0 };
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++) {
            view[r] += matrices.view[c][r] * (c < 3 ? point[c] : 1);
        }
    }
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++) {
            clip[r] += matrices.projection[c][r] * view[c];
        }
    }
    assert_true(clip[3] > 0);
    out[0] = (clip[0] / clip[3] + 1) * width / 2;
    out[1] = (clip[1] / clip[3] + 1) * height / 2;
    out[2] = clip[2] / clip[3];
}

static void project(const struct camera *camera, const float point[3], float out[3])
{
    project_to(camera, W, H, point, out);
}

static struct camera fresh(void)
{
    struct camera camera = { 0 };
    camera_reset(&camera);
    camera_fit(&camera, cube, 8, 0, W, H);
    memset(camera.target, 0, sizeof camera.target); // the middle of the scene
    return camera;
}

#define near(a, b, epsilon)                                                                        \
    do {                                                                                           \
        if (!(fabsf((a) - (b)) <= (epsilon))) {                                                    \
            fail_msg("%s is %g, not %s = %g", #a, (double)(a), #b, (double)(b));                   \
        }                                                                                          \
    } while (0)

static void expect_finite(const struct camera *camera)
{
    struct camera_matrices matrices;
    camera_matrices(camera, W, H, &matrices);
    const float *values = &matrices.view[0][0];
    for (size_t i = 0; i < sizeof matrices / sizeof *values; i++) {
        assert_true(isfinite(values[i]));
    }
    float length = 0;
    for (int i = 0; i < 4; i++) {
        length += camera->orientation[i] * camera->orientation[i];
    }
    near(length, 1, 1e-4f);
}

// The points fill the picture but for a margin of 8 % on each side: exactly along one axis, and
// along the other they are in the middle. Points right before the eye may keep it farther away.
static void expect_fit(
    const struct camera *camera, const float (*points)[3], size_t count, float width, float height)
{
    float low[2] = { 1, 1 }, high[2] = { 0, 0 }, closest = 100;
    vec3 right, up, back;
    camera_axes(camera, right, up, back);
    for (size_t i = 0; i < count; i++) {
        float at[3];
        const float ahead =
            glm_vec3_dot((float *)camera->target, back) - glm_vec3_dot((float *)points[i], back);
        closest = fminf(closest, ahead + camera->distance);
        project_to(camera, width, height, points[i], at);
        assert_true(at[2] >= 0 && at[2] <= 1);
        for (int axis = 0; axis < 2; axis++) {
            const float share = at[axis] / (axis ? height : width);
            low[axis] = fminf(low[axis], share);
            high[axis] = fmaxf(high[axis], share);
        }
    }
    float widest = 0;
    for (int axis = 0; axis < 2; axis++) {
        near(low[axis] + high[axis], 1, 0.002f);
        widest = fmaxf(widest, high[axis] - low[axis]);
    }
    assert_true(widest < 0.842f);
    assert_true(widest > 0.838f || closest < 0.021f);
}

static const float sizes[][2] = {
    { 800, 600 }, { 600, 800 }, { 500, 500 }, { 1600, 200 }, { 100, 1500 }
};

static void fits_a_box(void **state)
{
    (void)state;
    for (int ortho = 0; ortho < 2; ortho++) {
        for (int view = CAMERA_FRONT; view <= CAMERA_ISOMETRIC; view++) {
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                struct camera camera = fresh(), before;
                camera.ortho = ortho;
                camera_set_view(&camera, (enum camera_view)view);
                before = camera;
                camera_fit(&camera, cube, 8, 0, sizes[k][0], sizes[k][1]);
                expect_fit(&camera, cube, 8, sizes[k][0], sizes[k][1]);
                assert_memory_equal(
                    camera.orientation, before.orientation, sizeof before.orientation);
            }
        }
    }
}

// Points anywhere in the scene, in clouds long and short, near its border or in its middle, seen
// from anywhere.
static void fits_points(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        float points[20][3], centre[3], half[3];
        for (int c = 0; c < 3; c++) {
            seed = seed * 1664525 + 1013904223;
            centre[c] = (float)(seed >> 8) / 16777216 - 0.5f;
            seed = seed * 1664525 + 1013904223;
            half[c] = powf(10, -1.8f * (float)(seed >> 8) / 16777216) / 2;
        }
        for (int p = 0; p < 20; p++) {
            for (int c = 0; c < 3; c++) {
                seed = seed * 1664525 + 1013904223;
                const float at = (float)(seed >> 8) / 16777216 * 2 - 1;
                points[p][c] = fmaxf(-0.57f, fminf(centre[c] + at * half[c], 0.57f));
            }
        }
        struct camera camera = fresh();
        camera.ortho = i & 1;
        camera_orbit(&camera, (float)(seed >> 20), (float)(seed >> 10 & 511) - 255, W, H);
        const float *size = sizes[i % 5];
        camera_fit(&camera, (const float(*)[3])points, 20, 0, size[0], size[1]);
        expect_fit(&camera, (const float(*)[3])points, 20, size[0], size[1]);
    }
}

// While the camera turns, no point comes into the margin, and one comes up to it. The target stays.
static void fits_while_it_turns(void **state)
{
    (void)state;
    static const float long_box[4][3] = {
        { 0.8f, 0.1f, 0.1f }, { -0.6f, 0.2f, -0.1f }, { 0.3f, -0.2f, 0.3f }, { 0.1f, 0.1f, -0.4f }
    };
    static const float by[] = { 0, 0.5f, -1.5f, 6.2831853f, -20 };
    for (int i = 0; i < 50; i++) {
        const float turn = by[i % 5], *size = sizes[i / 10];
        struct camera camera = fresh();
        camera.ortho = i / 5 & 1;
        camera_look(&camera, 1.3f * (float)i, 0.4f * sinf((float)i));
        camera_fit_turning(&camera, long_box, 4, 0, turn, size[0], size[1]);
        float most = 0;
        for (int step = 0; step <= 200; step++) {
            struct camera turned = camera;
            camera_turn_about(&turned, turn * (float)step / 200);
            assert_memory_equal(turned.target, camera.target, sizeof camera.target);
            assert_true(turned.distance == camera.distance);
            for (int p = 0; p < 4; p++) {
                float at[3];
                project_to(&turned, size[0], size[1], long_box[p], at);
                most = fmaxf(most, fabsf(2 * at[0] / size[0] - 1));
                most = fmaxf(most, fabsf(2 * at[1] / size[1] - 1));
            }
        }
        near(most, 1 - 2 * CAMERA_MARGIN, 0.003f);
    }
}

// A point does not fill the picture: as much is seen around it as was asked for.
static void fits_a_point(void **state)
{
    (void)state;
    static const float point[1][3] = { { 0.2f, -0.3f, 0.1f } };
    for (int ortho = 0; ortho < 2; ortho++) {
        struct camera camera = fresh();
        camera.ortho = ortho;
        camera_fit(&camera, point, 1, 0.05f, W, H);
        float at[3], above[3], up[3], right[3], back[3];
        camera_axes(&camera, right, up, back);
        const float moved[3] = { point[0][0] + 0.05f * up[0], point[0][1] + 0.05f * up[1],
                                 point[0][2] + 0.05f * up[2] };
        project(&camera, point[0], at);
        project(&camera, moved, above);
        near(at[0], W / 2, 0.1f);
        near(at[1], H / 2, 0.1f);
        near(at[1] - above[1], 0.42f * H, 0.5f);
    }
}

// The named views look in the named directions, the right way up.
static void views(void **state)
{
    (void)state;
    static const struct {
        enum camera_view view;
        float right[3], up[3], nearer[3];
    } rows[] = {
        { CAMERA_FRONT, { 1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } },
        { CAMERA_BACK, { -1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
        { CAMERA_RIGHT, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } },
        { CAMERA_LEFT, { 0, -1, 0 }, { 0, 0, 1 }, { -1, 0, 0 } },
        { CAMERA_TOP, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
        { CAMERA_BOTTOM, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct camera camera = fresh();
        camera_set_view(&camera, rows[i].view);
        float middle[3], right[3], up[3], nearer[3];
        project(&camera, (const float[3]){ 0, 0, 0 }, middle);
        project(&camera, rows[i].right, right);
        project(&camera, rows[i].up, up);
        project(&camera, rows[i].nearer, nearer);
        near(middle[0], W / 2, 0.01f);
        near(middle[1], H / 2, 0.01f);
        assert_true(right[0] > middle[0] + 50);
        near(right[1], middle[1], 0.1f);
        assert_true(up[1] < middle[1] - 50);
        near(up[0], middle[0], 0.1f);
        assert_true(nearer[2] < middle[2]);
    }
}

// A turntable keeps its horizon through any drags, and stops at the poles.
static void level_horizon(void **state)
{
    (void)state;
    struct camera camera = fresh();
    uint32_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 1664525 + 1013904223;
        const float dx = (float)(seed >> 16 & 255) - 128, dy = (float)(seed >> 24) - 128;
        camera_orbit(&camera, dx, dy, W, H);
        expect_finite(&camera);
        assert_true(fabsf(camera.elevation) <= (float)M_PI_2 + 1e-5f);
        vec3 right, up, back;
        camera_axes(&camera, right, up, back);
        near(right[2], 0, 1e-4f);
        assert_true(up[2] > -1e-4f);
    }
    camera_orbit(&camera, 0, 100000, W, H);
    near(camera.elevation, (float)M_PI_2, 1e-5f);
    camera_orbit(&camera, 50, 0, W, H); // a drag at the pole still rotates
    expect_finite(&camera);
    camera_orbit(&camera, 0, -100000, W, H);
    near(camera.elevation, -(float)M_PI_2, 1e-5f);
}

// The front side follows the pointer.
static void follows_the_hand(void **state)
{
    (void)state;
    for (int trackball = 0; trackball < 2; trackball++) {
        struct camera camera = fresh();
        camera_set_view(&camera, CAMERA_FRONT);
        camera.trackball = trackball;
        const float front[3] = { 0, -0.5f, 0 };
        float before[3], after[3];
        project(&camera, front, before);
        camera_orbit(&camera, 20, 0, W, H);
        project(&camera, front, after);
        assert_true(after[0] > before[0] + 5);
        near(after[1], before[1], 0.5f);
        camera_orbit(&camera, -20, 0, W, H);
        camera_orbit(&camera, 0, 20, W, H);
        project(&camera, front, after);
        assert_true(after[1] > before[1] + 5);
        near(after[0], before[0], 0.5f);
    }
}

static void pans(void **state)
{
    (void)state;
    struct camera camera = fresh();
    float before[3], after[3];
    const float target[3] = { 0, 0, 0 };
    project(&camera, target, before);
    camera_pan(&camera, 37, -21, H);
    project(&camera, target, after);
    near(after[0] - before[0], 37, 0.05f);
    near(after[1] - before[1], -21, 0.05f);
}

static void zooms_to_the_cursor(void **state)
{
    (void)state;
    for (int ortho = 0; ortho < 2; ortho++) {
        struct camera camera = fresh();
        camera.ortho = ortho;
        vec3 right, up, back;
        camera_axes(&camera, right, up, back);
        const float point[3] = { 0.3f * right[0] + 0.2f * up[0], 0.3f * right[1] + 0.2f * up[1],
                                 0.3f * right[2] + 0.2f * up[2] };
        float before[3], after[3];
        project(&camera, point, before);
        const float distance = camera.distance;
        camera_zoom_at(&camera, 3, before[0], before[1], W, H);
        project(&camera, point, after);
        assert_true(camera.distance < 0.8f * distance);
        near(after[0], before[0], 0.1f);
        near(after[1], before[1], 0.1f);
    }
}

static void zoom_has_ends(void **state)
{
    (void)state;
    struct camera camera = fresh();
    camera_zoom(&camera, 1000);
    near(camera.distance, CAMERA_DISTANCE_MIN, 1e-6f);
    expect_finite(&camera);
    camera_zoom(&camera, -10000);
    near(camera.distance, CAMERA_DISTANCE_MAX, 1e-3f);
    expect_finite(&camera);
}

// Roll rotates the picture. The trackball starts from the turntable's view, and back.
static void rolls_and_switches(void **state)
{
    (void)state;
    struct camera camera = fresh();
    camera_orbit(&camera, 130, -80, W, H);
    float before[4];
    memcpy(before, camera.orientation, sizeof before);
    camera_toggle_trackball(&camera);
    camera_toggle_trackball(&camera);
    for (int i = 0; i < 4; i++) {
        near(camera.orientation[i], before[i], 1e-3f);
    }
    // Moving the pointer a quarter turn around the centre rotates the picture by a quarter turn in
    // the same direction.
    camera_set_view(&camera, CAMERA_FRONT);
    float right[3];
    camera_roll(&camera, W / 2, H / 2 + 100, -100, 100, W, H);
    project(&camera, (const float[3]){ 0.5f, 0, 0 }, right);
    near(right[0], W / 2, 1);
    assert_true(right[1] > H / 2 + 50);
    camera_toggle_trackball(&camera);
    camera_toggle_trackball(&camera);
    project(&camera, (const float[3]){ 0.5f, 0, 0 }, right);
    near(right[1], H / 2, 1); // the turntable is level again
}

// The model matrix: any spacing gives the same size; mirrored affines are recognized; normals stay
// perpendicular; every up axis becomes the scene's z.
static void places(void **state)
{
    (void)state;
    static const double spacings[][3] = {
        { 1, 1, 1 },
        { 1.8e-5, 2e-5, 1e-5 },
        { 1e6, 2e6, 5e5 },
        { 0.5, 1, 4 },
    };
    for (size_t s = 0; s < sizeof spacings / sizeof *spacings; s++) {
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            for (int up = 0; up < UPS; up++) {
                struct volume volume = {
                    .dim = { 33, 17, 65 },
                    .direction = { mirrored ? -1 : 1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8 },
                    .origin = { 1e7, -5, 3 },
                };
                memcpy(volume.spacing, spacings[s], sizeof volume.spacing);
                struct placement placement;
                placement_of(&volume, (enum up)up, &placement);
                assert_int_equal(placement.mirrored, mirrored);
                float farthest = 0, (*m)[4] = placement.model;
                for (int corner = 0; corner < 8; corner++) {
                    float length = 0;
                    for (int r = 0; r < 3; r++) {
                        float at = m[3][r];
                        for (int c = 0; c < 3; c++) {
                            at += m[c][r] * (corner >> c & 1 ? (float)volume.dim[c] - 1 : 0);
                        }
                        near(at, placement.corners[corner][r], 1e-4f);
                        length += at * at;
                    }
                    farthest = fmaxf(farthest, sqrtf(length));
                }
                near(farthest, 1, 1e-4f);
                // Tangents (1, 1, 0) and (0, 1, 2) have the normal (2, -2, 1) in the grid.
                const float tangents[2][3] = { { 1, 1, 0 }, { 0, 1, 2 } }, grid[3] = { 2, -2, 1 };
                for (int t = 0; t < 2; t++) {
                    float dot = 0, size = 0, length = 0;
                    for (int r = 0; r < 3; r++) {
                        float tangent = 0, normal = 0;
                        for (int c = 0; c < 3; c++) {
                            tangent += m[c][r] * tangents[t][c];
                            normal += placement.normal[c][r] * grid[c];
                        }
                        dot += tangent * normal;
                        size += normal * normal;
                        length += tangent * tangent;
                    }
                    near(dot / sqrtf(size * length), 0, 1e-4f);
                }
            }
        }
    }
    for (int up = 0; up < UPS; up++) {
        struct volume volume = { .dim = { 9, 9, 9 }, .spacing = { 1, 1, 1 } };
        volume.direction[0] = volume.direction[4] = volume.direction[8] = 1;
        struct placement placement;
        placement_of(&volume, (enum up)up, &placement);
        assert_false(placement.mirrored);
        const char *name = up_name((enum up)up);
        const float along = placement.model[name[1] - 'x'][2];
        assert_true(name[0] == '+' ? along > 0 : along < 0);
        near(fabsf(along), 1 / (4 * sqrtf(3)), 1e-5f);

        // The drawn axes are those of the world, whatever the direction of the samples.
        volume.direction[0] = volume.direction[4] = -1;
        placement_of(&volume, (enum up)up, &placement);
        for (int c = 0; c < 3; c++) {
            for (int r = 0; r < 3; r++) {
                const float way = placement.model[c][r] * (c < 2 ? -1 : 1);
                near(placement.axes[c][r], way * 4 * sqrtf(3), 1e-5f);
            }
        }
        assert_int_equal(up_of(&volume), UP_Y);
        volume.frame = VOLUME_FRAME_LPS;
        assert_int_equal(up_of(&volume), UP_Z);
    }
}

static void expect_same_picture(const struct camera *a, const struct camera *b)
{
    struct camera_matrices one, other;
    camera_matrices(a, W, H, &one);
    camera_matrices(b, W, H, &other);
    assert_memory_equal(&one, &other, sizeof one);
}

// The text of a camera is exact, whatever the up axis, the unit and the origin are, and short for
// simple cameras. The mouse goes on from the camera that was read.
static void pose_texts(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 3000; i++) {
        struct volume volume = {
            .dim = { 33, 17, 65 },
            .direction = { i & 1 ? -1 : 1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8 },
            .spacing = { 1, 2, 3 },
            .origin = { -90.123, 126, -72 },
        };
        const double scale = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e-5 : 12345.678;
        for (int axis = 0; axis < 3; axis++) {
            volume.spacing[axis] *= scale;
            volume.origin[axis] *= scale;
        }
        struct placement placement;
        placement_of(&volume, (enum up)(i % UPS), &placement);
        struct camera camera = fresh(), again = { 0 };
        float moves[6];
        for (int m = 0; m < 6; m++) {
            seed = seed * 1664525 + 1013904223;
            moves[m] = (float)(seed >> 8) / 0x1p23f - 1;
        }
        camera.ortho = again.ortho = i & 2;
        if (i & 4) {
            camera_toggle_trackball(&camera);
        }
        camera_orbit(&camera, 500 * moves[0], 300 * moves[1], W, H);
        camera_roll(&camera, 30, 40, 9 * moves[2], 7, W, H);
        camera_zoom_at(&camera, 40 * moves[3], 400 + 300 * moves[4], 300, W, H);
        camera_pan(&camera, 100 * moves[5], 1e-3f * moves[2], H);
        for (int axis = 0; i % 5 == 0 && axis < 3; axis++) {
            camera.target[axis] *= 1e-13f; // nothing that the file's coordinates could state
        }

        char text[POSE_TEXT], second[POSE_TEXT];
        struct pose pose;
        pose_text(&camera, &placement, text);
        assert_true(pose_parse(text, &pose));
        pose_set(&pose, &placement, &again);
        expect_same_picture(&camera, &again);
        assert_string_equal(pose_text(&again, &placement, second), text);
        struct camera dragged = again;
        camera_orbit(&dragged, 0, 0, W, H);
        for (int c = 0; c < 4; c++) {
            const float sign = dragged.orientation[c] * again.orientation[c] < 0 ? -1 : 1;
            near(sign * dragged.orientation[c], again.orientation[c], 1e-2f);
        }
    }
    const struct volume volume = { .dim = { 33, 17, 65 },
                                   .direction = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                   .spacing = { 1, 1, 1 } };
    struct placement placement;
    placement_of(&volume, UP_Z, &placement);
    struct camera camera = { .distance = 3, .orientation = { 0, 0, 0, 1 } };
    char text[POSE_TEXT];
    pose_text(&camera, &placement, text);
    assert_int_equal(strncmp(text, "16,8,32,109.9", 13), 0);
    assert_string_equal(text + strlen(text) - 8, ",1,0,0,0");
}

// A pose says where things are in the file's coordinates, whichever axis is up.
static void poses(void **state)
{
    (void)state;
    const struct volume volume = { .dim = { 41, 31, 21 },
                                   .direction = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                   .spacing = { 1, 1, 2 },
                                   .origin = { 100, 0, -7 } };
    for (int up = 0; up < UPS; up++) {
        struct placement placement;
        placement_of(&volume, (enum up)up, &placement);
        // From +x, with the file's z up in the picture: the camera's x is the file's y, its y is z.
        struct pose pose = { .target = { 120, 15, 13 },
                             .distance = 50,
                             .orientation = { 2, 2, 2, 2 } };
        struct camera camera = fresh();
        pose_set(&pose, &placement, &camera);
        near(camera.distance * (float)placement.units, 50, 1e-3f);
        float centre[3], at[3];
        const float middle[3] = { 0, 0, 0 };
        project(&camera, middle, centre);
        near(centre[0], W / 2, 0.01f);
        near(centre[1], H / 2, 0.01f);
        // (sample 20, 25, 10) is to the right, (20, 15, 15) above.
        const float samples[2][3] = { { 20, 25, 10 }, { 20, 15, 15 } };
        for (int s = 0; s < 2; s++) {
            float point[3];
            for (int r = 0; r < 3; r++) {
                point[r] = placement.model[3][r];
                for (int c = 0; c < 3; c++) {
                    point[r] += placement.model[c][r] * samples[s][c];
                }
            }
            project(&camera, point, at);
            const float pixels = 10 / (50 * tanf(CAMERA_FIELD_OF_VIEW / 2)) * H / 2;
            near(at[0], W / 2 + (s == 0 ? pixels : 0), 0.02f);
            near(at[1], H / 2 - (s == 1 ? pixels : 0), 0.02f);
        }
    }
    struct pose pose;
    assert_true(pose_parse("1,2,3,4,0,0,0,-1e3", &pose));
    static const char *const bad[] = { "",
                                       "1,2,3,4,1,0,0",
                                       "1,2,3,4,1,0,0,0,0",
                                       "1,2,3,0,1,0,0,0",
                                       "1,2,3,-4,1,0,0,0",
                                       "1,2,3,4,0,0,0,0",
                                       "1,2,3,4,1e200,1e200,0,0",
                                       "1,2,,4,1,0,0,0",
                                       "nan,2,3,4,1,0,0,0" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(pose_parse(bad[i], &pose));
    }
}

// A view begins as on opening, or where its start has the camera.
// A length at the target has so many pixels in the picture.
static void pixels_at_the_target(void **state)
{
    (void)state;
    for (int ortho = 0; ortho < 2; ortho++) {
        struct camera camera = fresh();
        camera.ortho = ortho;
        camera_orbit(&camera, 70, -30, W, H);
        struct camera_matrices m;
        camera_matrices(&camera, W, H, &m);
        // Up in the picture, at the target: the rows of the view's rotation are its axes.
        const float depth = ortho ? 1 : camera.distance;
        const float expected = fabsf(m.projection[1][1]) / depth * H / 2;
        assert_float_equal(camera_pixels(&camera, H), expected, 1e-4 * expected);
        camera_approach(&camera, 2);
        assert_float_equal(camera_pixels(&camera, H), 2 * expected, 2e-4 * expected);
    }
}

static void begins(void **state)
{
    (void)state;
    struct volume volume = { .dim = { 33, 17, 65 },
                             .direction = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                             .spacing = { 1, 1, 1 } };
    struct placement placement;
    struct view view = { 0 };
    view_place(&view, &volume, &placement);
    struct camera opening = { 0 };
    camera_reset(&opening);
    camera_fit(&opening, placement.corners, 8, 0, W, H);
    struct cubes none = { 0 };
    view_begin(&view, &placement, &none, W, H);
    expect_same_picture(&view.camera, &opening);

    view.camera.ortho = true;
    view.start.has_direction = true;
    view.start.azimuth = 90;
    view_begin(&view, &placement, &none, W, H);
    struct camera right = opening;
    right.ortho = true;
    camera_set_view(&right, CAMERA_RIGHT);
    camera_fit(&right, placement.corners, 8, 0, W, H);
    expect_same_picture(&view.camera, &right);

    const float fits = view.camera.distance;
    view.start.zoom = 2;
    view_begin(&view, &placement, &none, W, H);
    near(view.camera.distance, fits / 2, 1e-6f);

    view.start.has_pose = true;
    assert_true(pose_parse("1,2,3,4,0,0,0,1", &view.start.pose));
    view_begin(&view, &placement, &none, W, H);
    near(view.camera.distance * (float)placement.units, 4, 1e-4f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_a_box),
        cmocka_unit_test(fits_points),
        cmocka_unit_test(fits_a_point),
        cmocka_unit_test(fits_while_it_turns),
        cmocka_unit_test(views),
        cmocka_unit_test(level_horizon),
        cmocka_unit_test(follows_the_hand),
        cmocka_unit_test(pans),
        cmocka_unit_test(zooms_to_the_cursor),
        cmocka_unit_test(zoom_has_ends),
        cmocka_unit_test(rolls_and_switches),
        cmocka_unit_test(places),
        cmocka_unit_test(poses),
        cmocka_unit_test(pose_texts),
        cmocka_unit_test(begins),
        cmocka_unit_test(pixels_at_the_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
