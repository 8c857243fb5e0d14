// When back faces need not be drawn: an eye, a box whose faces have values, and an isovalue.
// ctest: plain
#include "app/picture/backs.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cglm/clipspace/ortho_rh_zo.h>
#include <cglm/clipspace/persp_rh_zo.h>
#include <math.h>

enum { LOW_X, HIGH_X, LOW_Y, HIGH_Y, LOW_Z, HIGH_Z, FACES };

static float range[2] = { 0, 255 };

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
    struct cubes cubes = { .range = &range };
    for (int face = 0; face < FACES; face++) {
        cubes.faces[face] = 10;
    }
    return cubes;
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
            assert_true(backs_are_hidden(&cubes, 10.5, &view));
            cubes.faces[face] = 11;
            assert_int_equal(backs_are_hidden(&cubes, 10.5, &view), !cases[i].seen[face]);
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
        assert_int_equal(backs_are_hidden(&cubes, 10.5, &view), face == LOW_X);
    }
}

static void values(void **state)
{
    (void)state;
    const struct backs_view view = look((vec3){ -50, 10, 15 }, false);
    struct cubes cubes = closed();
    assert_true(backs_are_hidden(&cubes, 10.0001, &view));
    assert_false(backs_are_hidden(&cubes, 10, &view)); // a sample at the isovalue is inside
    assert_false(backs_are_hidden(&cubes, 9, &view));
    cubes.gaps = true;
    assert_false(backs_are_hidden(&cubes, 11, &view));
    cubes = closed();
    cubes.range = NULL; // not made yet
    assert_false(backs_are_hidden(&cubes, 11, &view));
    cubes = closed();
    cubes.faces[LOW_X] = -INFINITY; // no finite sample, which is a gap, too
    assert_true(backs_are_hidden(&cubes, 11, &view));
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
        static const bool hidden[4] = { false, false, true, true };
        vec3 eye;
        memcpy(eye, eyes[i], sizeof eye);
        const struct backs_view view = look(eye, false);
        assert_int_equal(backs_are_hidden(&cubes, 11, &view), hidden[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_that_are_seen),
        cmocka_unit_test(parallel),
        cmocka_unit_test(values),
        cmocka_unit_test(near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
