// The reference caster: rays along edges, through corners and in faces, their ends, every kind of
// sample, and gaps; and the places where rounding decides what a ray meets.

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cast.h"

// --- no holes ----------------------------------------------------------------------------------

#define NOISE 12

static double noise(double x, double y, double z)
{
    const double least = fmin(x, fmin(y, z)), greatest = fmax(x, fmax(y, z));
    const double value = dice(3);
    return least < 1 || greatest > NOISE - 2 ? -1 : value;
}

// Ray i: along an axis or a diagonal, or with a small whole slope, through samples or mid-points,
// or in no special way.
static struct reference_ray special_ray(int i)
{
    const uint32_t parts = i % 4 == 3 ? 2 : 1, steepest = i % 2 ? 1 : 7;
    float origin[3], direction[3];
    if (i % 5 == 4) {
        return random_ray(0, NOISE - 1);
    }
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = (float)dice((NOISE - 1) * parts + 1) / (float)parts;
        direction[axis] = (float)dice(2 * steepest + 1) - (float)steepest;
        direction[axis] = direction[axis] == 0 && dice(2) ? -0.0f : direction[axis];
    }
    return ray_of(origin, direction);
}

// A surface that nothing cuts off has as many ways in as out, also along edges, through corners,
// and within faces. Samples have the first isovalue, and whole faces do.
static void test_no_holes(void **state)
{
    (void)state;
    seed = 6;
    struct volume volume = fill(NOISE, noise);
    uint64_t total = 0, along_axes = 0;
    for (int i = 0; i < 100000; i++) {
        const struct reference_ray ray = special_ray(i);
        const int zeros =
            (ray.direction[0] == 0) + (ray.direction[1] == 0) + (ray.direction[2] == 0);
        if (zeros == 3) {
            continue;
        }
        struct reference_hit hits[HITS];
        const uint32_t count = reference_cast(&volume, i % 3 ? 1 : 0.5, &ray, hits, HITS);
        assert_true(count < HITS && count % 2 == 0);
        assert_in_order(&volume, &ray, hits, count);
        assert_true(count == 0 || hits[0].front);
        total += count;
        along_axes += zeros == 2;
    }
    assert_true(total > 200000 && along_axes > 5000);
    volume_destroy(&volume);
}

// --- views along axes, and every kind of sample ------------------------------------------------

static void set(struct volume *volume, size_t at, double value)
{
    switch (volume->type) {
    case VOLUME_UINT8:
        ((uint8_t *)volume->samples)[at] = (uint8_t)value;
        break;
    case VOLUME_INT16:
        ((int16_t *)volume->samples)[at] = (int16_t)value;
        break;
    case VOLUME_INT32:
        ((int32_t *)volume->samples)[at] = (int32_t)value;
        break;
    case VOLUME_UINT32:
        ((uint32_t *)volume->samples)[at] = (uint32_t)value;
        break;
    default:
        ((float *)volume->samples)[at] = (float)value;
        break;
    }
}

// On a line of samples the interpolant is linear between each two.
static void
assert_line(const struct volume *volume, double iso, const uint32_t at[3], int axis, bool backward)
{
    float direction[3] = { 0 };
    direction[axis] = backward ? -1 : 1;
    const struct reference_ray ray =
        ray_of((const float[]){ (float)at[0], (float)at[1], (float)at[2] }, direction);
    struct reference_hit hits[HITS];
    const uint32_t count = reference_cast(volume, iso, &ray, hits, HITS);
    uint32_t found = 0;
    const uint32_t last = volume->dim[axis] - 1;
    for (uint32_t i = 0; i < last; i++) {
        uint32_t p[2][3] = { { at[0], at[1], at[2] }, { at[0], at[1], at[2] } };
        p[0][axis] = backward ? last - i : i;
        p[1][axis] = backward ? last - i - 1 : i + 1;
        const double a = volume_sample(volume, p[0][0], p[0][1], p[0][2]) - iso;
        const double b = volume_sample(volume, p[1][0], p[1][1], p[1][2]) - iso;
        if ((a >= 0) != (b >= 0)) {
            assert_true(found < count);
            const double place = p[0][axis] + (backward ? -1 : 1) * a / (a - b);
            const double t = (place - at[axis]) * direction[axis];
            assert_true(fabs(hits[found].t - t) < 1e-9);
            assert_true(hits[found].front == (a < 0));
            found++;
        }
    }
    assert_int_equal(count, found);
}

static void test_axes(void **state)
{
    (void)state;
    static const enum volume_type types[] = { VOLUME_UINT8, VOLUME_INT16, VOLUME_INT32,
                                              VOLUME_UINT32, VOLUME_FLOAT32 };
    seed = 7;
    for (int round = 0; round < 40; round++) {
        const uint32_t dim[3] = { 2 + dice(6), 2 + dice(6), round % 4 ? 2 + dice(6) : 2 };
        struct volume volume = make(dim[0], dim[1], dim[2], types[round % 5]);
        for (size_t i = 0; i < volume_count(&volume); i++) {
            // The greatest and the least of the type's values are among them.
            double value = dice(7);
            value = value > 0 ? value : (double[]){ 0, -32768, INT32_MIN, 0, -FLT_MAX }[round % 5];
            value = value < 6 ? value
                              : (double[]){ 255, 32767, INT32_MAX, UINT32_MAX, FLT_MAX }[round % 5];
            set(&volume, i, value);
        }
        // Inner lines: of the two cells beside a line on the box's wall, only one is there.
        for (int axis = 0; axis < 3; axis++) {
            for (uint32_t b = 1; b + 1 < dim[(axis + 1) % 3]; b++) {
                for (uint32_t c = 1; c + 1 < dim[(axis + 2) % 3]; c++) {
                    uint32_t at[3] = { 0 };
                    at[(axis + 1) % 3] = b;
                    at[(axis + 2) % 3] = c;
                    for (int k = 0; k < 4; k++) {
                        assert_line(&volume, k < 2 ? 3 : 2.5, at, axis, k % 2);
                    }
                }
            }
        }
        volume_destroy(&volume);
    }
}

// A volume of two samples along each axis, and one of a single layer of cells.
static void test_smallest(void **state)
{
    (void)state;
    struct volume volume = make(2, 2, 2, VOLUME_UINT8);
    memcpy(volume.samples, (uint8_t[]){ 0, 10, 0, 10, 0, 10, 0, 10 }, 8);
    struct reference_hit hits[HITS];
    const struct reference_ray middle = ray_of((float[]){ 9, 0.5f, 0.5f }, (float[]){ -2, 0, 0 });
    assert_int_equal(reference_cast(&volume, 2.5, &middle, hits, HITS), 1);
    assert_true(fabs(hits[0].t - (9 - 0.25) / 2) < 1e-9 && !hits[0].front);
    // In the wall: one half of the ray is in the box by the sign of the direction's 0.
    const struct reference_ray wall = ray_of((float[]){ -1, 0, 0.5f }, (float[]){ 1, 0, 0 });
    assert_int_equal(reference_cast(&volume, 2.5, &wall, hits, HITS), 1);
    const struct reference_ray beside =
        ray_of((float[]){ -1, 1.0001f, 0.5f }, (float[]){ 1, 0, 0 });
    assert_int_equal(reference_cast(&volume, 2.5, &beside, hits, HITS), 0);
    volume_destroy(&volume);

    volume = make(9, 2, 7, VOLUME_FLOAT32);
    for (size_t i = 0; i < volume_count(&volume); i++) {
        ((float *)volume.samples)[i] = (float)(i % 9);
    }
    const struct reference_ray thin =
        ray_of((float[]){ -3, 0.5f, 3 }, (float[]){ 0.5f, 0, 0.0625f });
    assert_int_equal(reference_cast(&volume, 4.5, &thin, hits, HITS), 1);
    assert_true(fabs(hits[0].t - 15) < 1e-9 && hits[0].front && hits[0].cell[0] == 4);
    volume_destroy(&volume);
}

// --- the ends of a ray, and isovalues ----------------------------------------------------------

static void test_ends(void **state)
{
    (void)state;
    struct volume volume = fill(41, ball);
    struct reference_ray ray =
        ray_of((float[]){ 20, 20, 20 }, (float[]){ 1, 0, 0 }); // the eye on a sample
    struct reference_hit hits[HITS];
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 2);
    const double in = hits[0].t, out = hits[1].t;
    ray.begin = 0;
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 1);
    assert_true(fabs(hits[0].t - out) < 1e-9 && !hits[0].front); // seen from behind
    ray.start[1] = 20.125f, ray.start[2] = 19.5f;                // inside a cell
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 1);
    assert_true(fabs(hits[0].t - out) < 0.1 && !hits[0].front);
    ray.start[1] = ray.start[2] = 20;
    ray.end = (float)out - 0.01f;
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 0);
    ray.begin = (float)in - 0.01f; // begins and ends within a cell
    ray.end = (float)in + 0.01f;
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 1);
    assert_true(fabs(hits[0].t - in) < 1e-9 && hits[0].front);
    ray.begin = 100, ray.end = 200;
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 0);
    ray.begin = 1, ray.end = -1;
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 0);
    volume_destroy(&volume);
}

static void test_isovalues(void **state)
{
    (void)state;
    struct volume volume = make(5, 5, 5, VOLUME_FLOAT32);
    struct reference_hit hits[HITS];
    seed = 8;
    for (int i = 0; i < 500; i++) {
        const struct reference_ray ray = random_ray(0, 4);
        for (size_t k = 0; k < volume_count(&volume); k++) {
            ((float *)volume.samples)[k] = 7; // constant: all inside
        }
        assert_int_equal(reference_cast(&volume, 7, &ray, hits, HITS), 0);
        assert_int_equal(reference_cast(&volume, nextafter(7, 8), &ray, hits, HITS), 0);
        for (size_t k = 0; k < volume_count(&volume); k++) {
            ((float *)volume.samples)[k] = number(3, 5);
        }
        assert_int_equal(reference_cast(&volume, 2.9, &ray, hits, HITS), 0);
        assert_int_equal(reference_cast(&volume, 5.1, &ray, hits, HITS), 0);
    }
    // The plane x = 2 has the isovalue: it is inside. From there on, all is.
    for (size_t k = 0; k < volume_count(&volume); k++) {
        ((float *)volume.samples)[k] = k % 5 < 2 ? (float)(k % 5) : 2;
    }
    const struct reference_ray ray = ray_of((float[]){ -1, 1.5f, 1.5f }, (float[]){ 1, 0, 0 });
    assert_int_equal(reference_cast(&volume, 2, &ray, hits, HITS), 1);
    assert_true(fabs(hits[0].t - 3) < 1e-9 && hits[0].front && hits[0].cell[0] == 1);
    // Denormal samples have sides, too.
    for (size_t k = 0; k < volume_count(&volume); k++) {
        ((float *)volume.samples)[k] = k % 5 < 2 ? -1e-45f : 1e-45f;
    }
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 1);
    assert_true(fabs(hits[0].t - 2.5) < 1e-9);
    volume_destroy(&volume);
}

// --- samples that are not finite ---------------------------------------------------------------

// Cells beside the plane of gaps are not there. The side may differ before and behind them: that is
// no change.
static void test_gaps(void **state)
{
    (void)state;
    struct reference_hit hits[HITS];
    for (int kind = 0; kind < 3; kind++) {
        const float gap = ((const float[]){ NAN, INFINITY, -INFINITY })[kind];
        for (int axis = 0; axis < 3; axis++) {
            struct volume volume = make(9, 9, 9, VOLUME_FLOAT32);
            for (uint32_t i = 0; i < 729; i++) {
                const uint32_t at[3] = { i % 9, i / 9 % 9, i / 81 };
                // Samples 0 to 3 are inside, 4 is the gap, 5 and 6 are outside, 7 and 8 are inside.
                ((float *)volume.samples)[i] = at[axis] == 4                  ? gap
                                               : at[axis] < 4 || at[axis] > 6 ? 1
                                                                              : -1;
            }
            struct reference_ray ray =
                ray_of((float[]){ 4.25f, 4.25f, 4.25f }, (float[]){ 0.125f, 0.25f, 0.0625f });
            ray.start[axis] = 4;
            ray.direction[axis] = 1;
            assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 1);
            assert_true(fabs(hits[0].t - 2.5) < 1e-9 && hits[0].front);
            assert_int_equal(hits[0].cell[axis], 6);
            double normal[3];
            reference_normal(&volume, &ray, &hits[0], normal);
            assert_true(fabs(normal[axis] + 1) < 1e-12);
            ray.direction[axis] = -1;
            assert_int_equal(reference_cast(&volume, 0, &ray, hits, HITS), 1);
            assert_true(fabs(hits[0].t + 2.5) < 1e-9 && !hits[0].front);
            volume_destroy(&volume);
        }
    }
}

// --- many rays ---------------------------------------------------------------------------------

static void test_all(void **state)
{
    (void)state;
    enum { RAYS = 1000 };
    struct volume volume = fill(41, ball);
    static struct reference_ray rays[RAYS];
    static struct reference_crossing hits[RAYS];
    static uint32_t counts[RAYS];
    static bool touches[RAYS];
    const struct reference_contours contours = { .count = 1 };
    seed = 9;
    for (int i = 0; i < RAYS; i++) {
        rays[i] = random_ray(0, 40);
    }
    reference_cast_all(&volume, &contours, rays, RAYS, hits, 1, counts, touches);
    uint32_t missed = 0;
    for (int i = 0; i < RAYS; i++) {
        struct reference_hit hit = { 0 };
        if (reference_cast(&volume, 0, &rays[i], &hit, 1)) {
            assert_true(counts[i] == 1 && same_hit(&hit, &hits[i].hit));
        } else {
            missed++;
            assert_int_equal(counts[i], 0);
        }
    }
    assert_true(missed > 50 && missed < RAYS - 50);
    volume_destroy(&volume);
}

// --- where rounding decides --------------------------------------------------------------------

static bool
in_place(const struct reference_place *place, const struct reference_hit *hit, double off)
{
    return hit->t >= place->from - off && hit->t <= place->to + off &&
           (hit->front ? place->front : place->back);
}

// The places where a ray meets the only contour.
static void places_at(
    const struct volume *volume, double iso, const struct reference_ray *ray,
    struct reference_places *out)
{
    const struct reference_contours contours = { .isos = { iso }, .count = 1 };
    reference_places_of(volume, &contours, 0, ray, out);
}

static bool meets(const struct reference_places *places)
{
    return places->count > 0 && places->all[places->count - 1].met;
}

// A ray meets a ball in one place that it cannot miss, and has no other one. Only at its rim it
// touches the ball.
static void test_ball_places(void **state)
{
    (void)state;
    struct volume volume = fill(41, ball);
    float rim[2] = { 0, (float)RADIUS + 1 }; // the last that hits, the first one that does not
    struct reference_places places;
    struct reference_hit hit;
    for (float off; off = (rim[0] + rim[1]) / 2, off > rim[0] && off < rim[1];) {
        const struct reference_ray ray =
            ray_of((float[]){ (float)CENTRE, (float)CENTRE + off, -1 }, (float[]){ 0, 0, 2 });
        const uint32_t count = reference_cast(&volume, 0, &ray, &hit, 1);
        places_at(&volume, 0, &ray, &places);
        if (rim[1] - rim[0] > 1e-3f) {
            assert_true(places.count == count && meets(&places) == (count == 1) && !places.touches);
            assert_true(count == 0 || in_place(&places.all[0], &hit, 0));
            assert_true(count == 0 || places.all[0].to - places.all[0].from < 0.02);
        }
        rim[count == 0] = off;
    }
    assert_true(places.touches && places.all[0].from < 11 && places.all[0].to > 10);
    volume_destroy(&volume);
}

static double cross(double x, double y, double z)
{
    (void)z;
    return (x - 5.5) * (y - 5.5);
}

static double sheet(double x, double y, double z)
{
    (void)y, (void)z;
    return x == 5 ? 0 : -1;
}

// Two planes cross in the line x = y = 5.5. Only rays through it may meet it or not. A sheet of
// samples that have the isovalue is met by each ray.
static void test_known_places(void **state)
{
    (void)state;
    struct volume volume = fill(12, cross);
    struct reference_places places;
    for (int i = -20; i <= 20; i++) {
        const float off = (float)i / 100, start[3] = { 4 - off, 4 + off, 3.25f };
        const struct reference_ray ray = ray_of(start, (float[]){ 1, 1, 0.125f });
        places_at(&volume, 0, &ray, &places);
        assert_true(places.touches == (i == 0));
        if (i == 0) { // the ray comes from inside, and stays there
            assert_true(places.count == 1 && !meets(&places));
            assert_true(places.all[0].from < 1.5 && places.all[0].to > 1.5 && places.all[0].back);
            assert_true(places.all[0].to - places.all[0].from < 0.02 && !places.all[0].front);
        } else {
            assert_true(places.count == 1 && meets(&places));
        }
    }
    volume_destroy(&volume);
    volume = fill(12, sheet);
    seed = 11;
    for (int i = 0; i < 100; i++) {
        const float start[3] = { 0, number(2, 9), number(2, 9) };
        const struct reference_ray ray = ray_of(start, (float[]){ 1, 0.1f, 0.1f });
        places_at(&volume, 0, &ray, &places);
        assert_true(places.count == 1 && meets(&places) && !places.touches);
        assert_true(fabs(places.all[0].to - 5) < 1e-9 && places.all[0].front);
    }
    volume_destroy(&volume);
}

// Rays through a ball pass two places, of which planes remove what they do not keep. Whether a
// plane keeps a place on it is not sure.
static void test_places_behind(void **state)
{
    (void)state;
    struct volume volume = fill(41, ball);
    struct reference_contours contours = { .count = 1, .clipped = 1, .planes = { { 0, 0, 1 } } };
    const struct reference_ray ray =
        ray_of((float[]){ (float)CENTRE, (float)CENTRE, -1 }, (float[]){ 0, 0, 2 });
    struct reference_hit hits[3];
    struct reference_places places;
    assert_int_equal(reference_cast(&volume, 0, &ray, hits, 3), 2);
    const double first = 2 * hits[0].t - 1, middle = CENTRE, second = 2 * hits[1].t - 1;
    const struct {
        double at;
        bool through;
        uint32_t count;
        bool met, touches;
    } rows[] = {
        { first - 0.01, false, 1, true, false },   { first - 0.01, true, 2, true, false },
        { first - 0.001, false, 2, true, true },   { first + 0.001, true, 2, true, true },
        { middle, false, 1, true, false },         { middle, true, 1, true, false },
        { second + 0.001, false, 1, false, true }, { second + 0.01, true, 0, false, false },
    };
    contours.plane_count = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        contours.planes[0][3] = -rows[i].at;
        contours.through = rows[i].through;
        reference_places_of(&volume, &contours, 0, &ray, &places);
        if (places.count != rows[i].count || meets(&places) != rows[i].met ||
            places.touches != rows[i].touches) {
            fail_msg(
                "%zu: %u places, met %d, touches %d", i, places.count, meets(&places),
                places.touches);
        }
        assert_true(places.count < 2 || places.all[0].met == !places.touches);
        assert_true(
            places.count == 0 || in_place(
                                     &places.all[places.count - 1],
                                     &hits[places.count > 1 || rows[i].at > first + 0.1], 0));
    }
    volume_destroy(&volume);
}

// Blocks of 4 x 4 x 4 samples, by turns outside and inside: they touch in edges and corners, and
// hardly where the isovalue is a bit off the middle.
static double blocks(double x, double y, double z)
{
    return (((int)x / 4 + (int)y / 4 + (int)z / 4) & 1) - 0.5;
}

// A ray that is off by less than its numbers may be meets the surface in a place of the true one.
// Few rays touch that are not aimed at edges.
static void test_places_hold(void **state)
{
    (void)state;
    enum { RAYS = 40000, SIZE = 24 };
    const double OFF = 2e-8;
    struct volume volume = fill(SIZE, blocks);
    uint32_t touch = 0, other = 0, surprises = 0;
    seed = 10;
    for (int i = 0; i < RAYS; i++) {
        const bool aimed = i % 2;
        struct reference_ray ray = random_ray(0, SIZE - 1), moved;
        for (int axis = 0; axis < 3 && aimed; axis++) {
            const bool along = axis == i / 2 % 3;
            ray.start[axis] = (along ? 6 : 3.5 + 4 * dice(5)) + (double)number(-4e-4f, 4e-4f);
        }
        ray.begin = aimed ? -1 / ray_length(&ray) : ray.begin; // little is before the edge
        moved = ray;
        for (int axis = 0; axis < 3; axis++) {
            moved.start[axis] += (double)number(-1, 1) * ray.start[axis] * REFERENCE_PLACE;
        }
        const struct reference_ray *const both[2] = { &ray, &moved };
        struct reference_places places;
        struct reference_hit hits[2];
        uint32_t counts[2];
        places_at(&volume, OFF, &ray, &places);
        for (int k = 0; k < 2; k++) {
            counts[k] = reference_cast(&volume, OFF, both[k], &hits[k], 1);
            bool held = counts[k] == 0 && !meets(&places);
            for (uint32_t n = 0; counts[k] && n < places.count; n++) {
                held = held || in_place(&places.all[n], &hits[k], 1e-4);
            }
            assert_true(held);
        }
        const bool differ =
            counts[0] != counts[1] || (counts[0] && fabs(hits[0].t - hits[1].t) > 1e-2);
        touch += !aimed && places.touches;
        other += differ;
        surprises += differ && !places.touches;
    }
    print_message("%u of %u rays touch, %u aimed ones differ\n", touch, RAYS / 2, other);
    assert_true(touch < RAYS / 2 / 100 && other > 5 && surprises == 0);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_holes),     cmocka_unit_test(test_axes),
        cmocka_unit_test(test_smallest),     cmocka_unit_test(test_ends),
        cmocka_unit_test(test_isovalues),    cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_all),          cmocka_unit_test(test_ball_places),
        cmocka_unit_test(test_known_places), cmocka_unit_test(test_places_behind),
        cmocka_unit_test(test_places_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
