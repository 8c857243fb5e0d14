// When back faces need not be drawn: an eye, a box whose faces have values, and an isovalue.
// ctest: plain
#include "app/picture/backs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cglm/cglm.h>
#include <cglm/clipspace/ortho_rh_zo.h>
#include <cglm/clipspace/persp_rh_zo.h>
#include <math.h>

enum { LOW_X, HIGH_X, LOW_Y, HIGH_Y, LOW_Z, HIGH_Z, FACES };

// Of cubes of 2 x 2 x 2 cells.
enum { CUBES_X = 5, CUBES_Y = 10, CUBES_Z = 15 };
static float range[CUBES_Z][CUBES_Y][CUBES_X][2];

// A box of 11 x 21 x 31 samples, seen from a point of the grid or, in a parallel projection, from
// its direction. Depth 0 is one unit before the eye.
static struct backs_view look(vec3 eye, bool ortho)
{
    struct backs_view view = { .dim = { 11, 21, 31 }, .ortho = ortho };
    mat4 camera, projection, clip;
    vec3 centre = { 5, 10, 15 }, from;
    glm_vec3_copy(eye, from);
    glm_lookat(from, centre, (vec3){ .1f, 1, .2f }, camera);
    if (ortho) {
        glm_ortho_rh_zo(-100, 100, -100, 100, 1, 1000, projection);
    } else {
        glm_perspective_rh_zo(1, 1, 1, 1000, projection);
    }
    glm_mat4_mul(projection, camera, clip);
    memcpy(view.camera, camera, sizeof camera);
    memcpy(view.clip, clip, sizeof clip);
    return view;
}

static struct cubes closed(void)
{
    struct cubes cubes = {
        .edge = 2,
        .dim = { CUBES_X, CUBES_Y, CUBES_Z },
        .range = &range[0][0][0],
    };
    for (int i = 0; i < CUBES_X * CUBES_Y * CUBES_Z; i++) {
        cubes.range[i][1] = 255;
    }
    for (int face = 0; face < FACES; face++) {
        cubes.faces[face] = 10;
    }
    return cubes;
}

static bool hidden(const struct cubes *cubes, double iso, const struct backs_view *view)
{
    float within[4];
    return backs_of(cubes, iso, view, within) == BACKS_HIDDEN;
}

// Only faces that the eye sees count.
static void faces_that_are_seen(void **state)
{
    (void)state;
    static const struct {
        float eye[3];
        bool seen[FACES];
    } cases[] = {
        { { -50, 10, 15 }, { [LOW_X] = true } },
        { { 60, 10, 15 }, { [HIGH_X] = true } },
        { { 5, -50, 15 }, { [LOW_Y] = true } },
        { { 5, 80, 15 }, { [HIGH_Y] = true } },
        { { 5, 10, -60 }, { [LOW_Z] = true } },
        { { 5, 10, 90 }, { [HIGH_Z] = true } },
        { { -50, 80, 90 }, { [LOW_X] = true, [HIGH_Y] = true, [HIGH_Z] = true } },
        { { 60, -50, -60 }, { [HIGH_X] = true, [LOW_Y] = true, [LOW_Z] = true } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vec3 eye;
        memcpy(eye, cases[i].eye, sizeof eye);
        const struct backs_view view = look(eye, false);
        for (int face = 0; face < FACES; face++) {
            struct cubes cubes = closed();
            assert_true(hidden(&cubes, 10.5, &view));
            cubes.faces[face] = 11;
            assert_int_equal(hidden(&cubes, 10.5, &view), !cases[i].seen[face]);
        }
    }
}

// In a parallel projection two opposite faces are never seen both. In perspective, from beside the
// box, neither of two is.
static void parallel(void **state)
{
    (void)state;
    const struct backs_view view = look((vec3){ 200, 10, 15 }, true);
    for (int face = 0; face < FACES; face++) {
        struct cubes cubes = closed();
        cubes.faces[face] = 11;
        // Faces that are seen edge on count as seen.
        assert_int_equal(hidden(&cubes, 10.5, &view), face == LOW_X);
    }
}

static void values(void **state)
{
    (void)state;
    const struct backs_view view = look((vec3){ -50, 10, 15 }, false);
    struct cubes cubes = closed();
    assert_true(hidden(&cubes, 10.0001, &view));
    assert_false(hidden(&cubes, 10, &view)); // a sample at the isovalue is inside
    assert_false(hidden(&cubes, 9, &view));
    cubes.gaps = true;
    assert_false(hidden(&cubes, 11, &view));
    cubes = closed();
    cubes.range = NULL; // not made yet
    assert_false(hidden(&cubes, 11, &view));
    cubes = closed();
    cubes.faces[LOW_X] = -INFINITY; // no finite sample, which is a gap, too
    assert_true(hidden(&cubes, 11, &view));
}

// From within the box, or close to it, the camera may be inside the surface.
static void near(void **state)
{
    (void)state;
    const struct cubes cubes = closed();
    for (int i = 0; i < 4; i++) {
        static const float eyes[4][3] = {
            { 5, 9, 14 }, { -.5f, 10, 15 }, { -3, 10, 15 }, { 5, 10, 32 }
        };
        static const bool expected[4] = { false, false, true, true };
        vec3 eye;
        memcpy(eye, eyes[i], sizeof eye);
        const struct backs_view view = look(eye, false);
        assert_int_equal(hidden(&cubes, 11, &view), expected[i]);
    }
}

// Where only some cubes of a face have samples above the isovalue, these are inside the rectangle,
// and what is far from them is not.
static void rectangle(void **state)
{
    (void)state;
    struct cubes cubes = closed();
    for (int i = 0; i < CUBES_X * CUBES_Y * CUBES_Z; i++) {
        cubes.range[i][1] = 10;
    }
    cubes.faces[LOW_X] = cubes.faces[HIGH_Z] = 20;
    range[4][3][0][1] = 20;           // at x = 0: y from 6 to 8, z from 8 to 10
    range[6][3][0][1] = 20;           // z up to 14
    range[CUBES_Z - 1][9][4][1] = 20; // at the last z: x from 8 to 10, y from 18 to 20
    static const struct {
        float eye[3], inside[2][3], outside[3];
    } cases[] = {
        { { -50, 10, 15 }, { { 0, 6, 8 }, { 0, 8, 14 } }, { 0, 12, 11 } },
        { { -50, 12, 5 }, { { 0, 6, 8 }, { 0, 8, 14 } }, { 0, 7, 20 } },
        { { 5, 10, 90 }, { { 8, 18, 30 }, { 10, 20, 30 } }, { 5, 19, 30 } },
        { { 5, 10, 90 }, { { 8, 18, 30 }, { 10, 20, 30 } }, { 9, 14, 30 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vec3 eye;
        memcpy(eye, cases[i].eye, sizeof eye);
        const struct backs_view view = look(eye, false);
        float within[4];
        assert_int_equal(backs_of(&cubes, 15, &view, within), BACKS_WITHIN);
        for (int k = 0; k < 3; k++) {
            const float *of = k < 2 ? cases[i].inside[k] : cases[i].outside;
            vec4 at = { of[0], of[1], of[2], 1 }, seen;
            mat4 clip;
            memcpy(clip, view.clip, sizeof clip);
            glm_mat4_mulv(clip, at, seen);
            const float x = seen[0] / seen[3], y = seen[1] / seen[3], e = 1e-5f;
            const bool in = x >= within[0] - e && x <= within[2] + e && y >= within[1] - e &&
                            y <= within[3] + e;
            assert_int_equal(in, k < 2);
        }
        assert_int_equal(backs_of(&cubes, 20.5, &view, within), BACKS_HIDDEN);
        assert_int_equal(backs_of(&cubes, 9.5, &view, within), BACKS_SEEN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_that_are_seen),
        cmocka_unit_test(parallel),
        cmocka_unit_test(values),
        cmocka_unit_test(near),
        cmocka_unit_test(rectangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
