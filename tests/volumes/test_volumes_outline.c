// The points around a surface reach as far as the surface itself, in every direction.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/cubes.h"

#include <math.h>
#include <stdlib.h>

typedef double field(double x, double y, double z);

static double ball(double x, double y, double z)
{
    return 20 - sqrt((x - 24) * (x - 24) + (y - 21) * (y - 21) + (z - 23) * (z - 23));
}
static double hollow(double x, double y, double z) // values are lower inside
{
    return -ball(x, y, z);
}
static double small_ball(double x, double y, double z)
{
    return 100 *
           exp(-((x - 33.3) * (x - 33.3) + (y - 11.7) * (y - 11.7) + (z - 30.1) * (z - 30.1)) / 12);
}
static double rod(double x, double y, double z)
{
    return 5 - sqrt((y - 20) * (y - 20) + (z - 20 - x / 5) * (z - 20 - x / 5)) - fmax(0, 8 - x);
}
static double two_balls(double x, double y, double z)
{
    return fmax(small_ball(x, y, z), small_ball(x + 22, y - 15, z));
}
static double open_slope(double x, double y, double z) // ends at the border of the volume
{
    return x + 0.3 * y - 0.2 * z - 24;
}
static double mask(double x, double y, double z)
{
    return x >= 11 && x <= 24 && y >= 7 && y <= 40 && z >= 20 && z <= 29;
}
static double grain(double x, double y, double z) // one sample
{
    return x == 17 && y == 30 && z == 3;
}
static double noise(double x, double y, double z)
{
    uint32_t n = (uint32_t)(x + 131 * y + 17161 * z) * 2654435761u;
    n = (n ^ n >> 15) * 2246822519u;
    return (n ^ n >> 13) / 4294967296.0;
}

static struct volume make(field *of, const uint32_t dim[3], int gaps)
{
    struct volume volume;
    struct problem problem;
    assert_true(volume_create(dim, VOLUME_FLOAT32, &volume, &problem));
    float *out = volume.samples;
    for (uint32_t z = 0; z < dim[2]; z++) {
        for (uint32_t y = 0; y < dim[1]; y++) {
            for (uint32_t x = 0; x < dim[0]; x++) {
                *out++ = gaps && x % 16 == 3 && y % 16 == 5 ? NAN : (float)of(x, y, z);
            }
        }
    }
    return volume;
}

// How far the surface reaches in a direction: over all crossings of the isovalue along the grid.
static double reach(const struct volume *volume, double iso, const double way[3])
{
    double most = -INFINITY;
    uint32_t at[3];
    for (at[2] = 0; at[2] < volume->dim[2]; at[2]++) {
        for (at[1] = 0; at[1] < volume->dim[1]; at[1]++) {
            for (at[0] = 0; at[0] < volume->dim[0]; at[0]++) {
                const double here = volume_sample(volume, at[0], at[1], at[2]);
                for (int axis = 0; axis < 3; axis++) {
                    uint32_t next[3] = { at[0], at[1], at[2] };
                    if (++next[axis] == volume->dim[axis]) {
                        continue;
                    }
                    const double there = volume_sample(volume, next[0], next[1], next[2]);
                    if ((here >= iso) == (there >= iso) || !isfinite(here + there)) {
                        continue;
                    }
                    double sum = (iso - here) / (there - here) * way[axis];
                    for (int c = 0; c < 3; c++) {
                        sum += at[c] * way[c];
                    }
                    most = fmax(most, sum);
                }
            }
        }
    }
    return most;
}

static void reaches_as_far(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        field *of;
        double iso, under, over; // by how much it may be off, in samples
        int gaps;
    } cases[] = {
        { "ball", ball, 0, 0.5, 1, 0 },
        { "smaller ball", ball, 13.5, 0.5, 1, 0 },
        { "hollow", hollow, 0, 0.5, 1, 0 },
        { "small ball", small_ball, 30, 0.5, 1, 0 },
        { "two balls", two_balls, 60, 0.5, 1, 0 },
        { "rod", rod, 0, 0.7, 1, 0 },
        { "slope", open_slope, 0, 0.7, 1.5, 0 },
        { "mask", mask, 0.5, 2, 1, 0 },
        { "grain", grain, 0.5, 1, 1, 0 },
        { "noise", noise, 0.5, 0.7, 0.7, 0 },
        { "gaps", ball, 0, 3, 3, 1 },
    };
    static const uint32_t dim[3] = { 48, 45, 50 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct volume volume = make(cases[k].of, dim, cases[k].gaps);
        struct cubes cubes;
        struct problem problem;
        float(*points)[3];
        assert_true(volume_cubes(&volume, NULL, &cubes, &problem));
        const size_t count = cubes_outline(&cubes, dim, cases[k].iso, &points);
        assert_true(count > 0);
        for (int d = 0; d < 27; d++) {
            double way[3] = { d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1 };
            const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            if (length == 0) {
                continue;
            }
            for (int c = 0; c < 3; c++) {
                way[c] /= length;
            }
            double most = -INFINITY;
            for (size_t i = 0; i < count; i++) {
                for (int c = 0; c < 3; c++) {
                    assert_true(points[i][c] >= 0 && points[i][c] <= (float)dim[c] - 1);
                }
                most = fmax(
                    most, (double)points[i][0] * way[0] + (double)points[i][1] * way[1] +
                              (double)points[i][2] * way[2]);
            }
            const double off = most - reach(&volume, cases[k].iso, way);
            if (!(off >= -cases[k].under && off <= cases[k].over)) {
                fail_msg(
                    "%s, %.2f %.2f %.2f: off by %.2f samples", cases[k].name, way[0], way[1],
                    way[2], off);
            }
        }
        free(points);
        cubes_destroy(&cubes);
        volume_destroy(&volume);
    }
}

// An empty surface has no points: above the greatest sample, at the least, and where all is NaN.
static void empty(void **state)
{
    (void)state;
    static const uint32_t dim[3] = { 9, 8, 7 };
    static const double isos[] = { 1.5, 0, -1, NAN };
    struct volume volume = make(grain, dim, 0);
    struct cubes cubes;
    struct problem problem;
    float(*points)[3];
    ((float *)volume.samples)[100] = 1;
    assert_true(volume_cubes(&volume, NULL, &cubes, &problem));
    for (size_t i = 0; i < sizeof isos / sizeof *isos; i++) {
        assert_int_equal(cubes_outline(&cubes, dim, isos[i], &points), 0);
        assert_null(points);
    }
    assert_true(cubes_outline(&cubes, dim, 1, &points) > 0);
    free(points);
    cubes_destroy(&cubes);
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        ((float *)volume.samples)[i] = NAN;
    }
    assert_true(volume_cubes(&volume, NULL, &cubes, &problem));
    assert_int_equal(cubes_outline(&cubes, dim, 0.5, &points), 0);
    cubes_destroy(&cubes);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(reaches_as_far), cmocka_unit_test(empty) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
