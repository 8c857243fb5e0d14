// The least and greatest sample of each cube, compared with slow loops.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/cubes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed;

static uint32_t random_bits(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8 ^ seed << 16;
}

// Samples with all bits random: integers of the whole range, floats with NaN, infinities and
// denormal numbers among them.
static struct volume make(uint32_t w, uint32_t h, uint32_t d, enum volume_type type)
{
    struct volume volume;
    struct problem problem;
    assert_true(volume_create((uint32_t[]){ w, h, d }, type, &volume, &problem));
    for (uint64_t i = 0; i < volume_bytes(&volume); i++) {
        ((uint8_t *)volume.samples)[i] = (uint8_t)(random_bits() >> 11);
    }
    for (uint64_t i = 0; type == VOLUME_FLOAT32 && i < volume_count(&volume); i++) {
        static const float special[] = { NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0 };
        const uint32_t pick = random_bits() % 16;
        if (pick < 6) {
            ((float *)volume.samples)[i] = special[pick];
        }
    }
    return volume;
}

// The greatest finite sample of each face of the box, and whether any sample is not finite.
static void check_faces(const struct volume *volume, const struct cubes *cubes)
{
    double most[6] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY };
    bool gaps = false;
    uint32_t at[3];
    for (at[2] = 0; at[2] < volume->dim[2]; at[2]++) {
        for (at[1] = 0; at[1] < volume->dim[1]; at[1]++) {
            for (at[0] = 0; at[0] < volume->dim[0]; at[0]++) {
                const double value = volume_sample(volume, at[0], at[1], at[2]);
                gaps |= !isfinite(value);
                for (int face = 0; face < 6; face++) {
                    const uint32_t of = face % 2 ? volume->dim[face / 2] - 1 : 0;
                    if (at[face / 2] == of && isfinite(value) && value > most[face]) {
                        most[face] = value;
                    }
                }
            }
        }
    }
    assert_int_equal(cubes->gaps, gaps);
    for (int face = 0; face < 6; face++) {
        assert_true((double)cubes->faces[face] >= most[face]);
        assert_true(
            most[face] < 0 && isinf(most[face])
                ? cubes->faces[face] == -INFINITY
                : (double)nextafterf(cubes->faces[face], -INFINITY) < most[face]);
    }
}

static void check(const struct volume *volume, const struct cubes *cubes, uint32_t edge)
{
    assert_int_equal(cubes->edge, edge);
    check_faces(volume, cubes);
    uint32_t at[3];
    const float(*range)[2] = (const float(*)[2])cubes->range;
    for (int c = 0; c < 3; c++) {
        assert_int_equal(cubes->dim[c], (volume->dim[c] - 1 + edge - 1) / edge);
    }
    for (at[2] = 0; at[2] < cubes->dim[2]; at[2]++) {
        for (at[1] = 0; at[1] < cubes->dim[1]; at[1]++) {
            for (at[0] = 0; at[0] < cubes->dim[0]; at[0]++, range++) {
                double least = INFINITY, most = -INFINITY;
                uint32_t end[3];
                for (int c = 0; c < 3; c++) {
                    end[c] = (at[c] + 1) * edge + 1;
                    end[c] = end[c] < volume->dim[c] ? end[c] : volume->dim[c];
                }
                for (uint32_t z = at[2] * edge; z < end[2]; z++) {
                    for (uint32_t y = at[1] * edge; y < end[1]; y++) {
                        for (uint32_t x = at[0] * edge; x < end[0]; x++) {
                            const double value = volume_sample(volume, x, y, z);
                            if (isfinite(value)) {
                                least = value < least ? value : least;
                                most = value > most ? value : most;
                            }
                        }
                    }
                }
                const double low = (double)(*range)[0], high = (double)(*range)[1];
                if (least > most) {
                    assert_true(low > high);
                } else { // the closest floats that are not inside
                    assert_true(low <= least && high >= most);
                    assert_true((double)nextafterf((float)low, INFINITY) > least);
                    assert_true((double)nextafterf((float)high, -INFINITY) < most);
                }
            }
        }
    }
}

static void every_type(void **state)
{
    (void)state;
    static const uint32_t dims[][3] = {
        { 2, 2, 2 },  { 3, 3, 3 },   { 4, 4, 4 },    { 5, 4, 3 },    { 2, 9, 40 },
        { 9, 40, 2 }, { 40, 2, 9 },  { 33, 17, 9 },  { 34, 18, 10 }, { 35, 6, 7 },
        { 66, 5, 6 }, { 129, 3, 2 }, { 67, 31, 29 },
    };
    seed = 1;
    for (int type = 0; type < VOLUME_FLOAT64; type++) {
        for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
            struct volume volume = make(dims[k][0], dims[k][1], dims[k][2], type);
            struct cubes cubes;
            struct problem problem;
            assert_true(volume_cubes(&volume, NULL, &cubes, &problem));
            check(&volume, &cubes, 2);
            cubes_destroy(&cubes);
            volume_destroy(&volume);
        }
    }
}

// The edge grows with the volume, along all axes alike.
static void large_volumes(void **state)
{
    (void)state;
    static const struct {
        uint32_t dim[3];
        uint32_t edge;
    } cases[] = {
        { { 2, 2, 2 }, 2 },
        { { 256, 256, 256 }, 2 },
        { { 257, 257, 257 }, 2 },
        { { 258, 257, 257 }, 4 },
        { { 512, 512, 512 }, 4 },
        { { 1024, 1024, 1024 }, 8 },
        { { 2048, 2048, 2048 }, 16 },
        { { 2, 2, 1 << 22 }, 2 },
        { { 2, 2, (1 << 22) + 2 }, 4 },
        { { 2, UINT32_MAX, 2 }, 2048 },
        { { UINT32_MAX, UINT32_MAX, UINT32_MAX }, 1 << 25 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cubes_edge(cases[i].dim), cases[i].edge);
    }
    static const enum volume_type types[] = { VOLUME_INT8, VOLUME_FLOAT32, VOLUME_UINT8 };
    for (int axis = 0; axis < 3; axis++) {
        const int shift = axis == 0 ? 2 : 1; // edges of 8 and 4
        uint32_t dim[3] = { 2, 2, 2 };
        dim[axis] = (CUBES_MOST << shift) + 3;
        struct volume volume = make(dim[0], dim[1], dim[2], types[axis]);
        struct cubes cubes;
        struct problem problem;
        assert_true(volume_cubes(&volume, NULL, &cubes, &problem));
        check(&volume, &cubes, 2u << shift);
        cubes_destroy(&cubes);
        volume_destroy(&volume);
    }
}

static void in_chunks(void **state)
{
    (void)state;
    struct problem problem;
    struct volume volume = make(19, 11, 26, VOLUME_UINT16);
    const uint64_t each = (uint64_t)19 * 11 * 2;
    for (uint32_t chunk = 1; chunk <= 26; chunk++) {
        struct cubes cubes;
        struct cubes_making *making = cubes_begin(volume.dim, volume.type, 0, &problem);
        assert_non_null(making);
        for (uint32_t z = 0; z < 26; z += chunk) {
            cubes_put(
                making, (const char *)volume.samples + z * each, 26 - z < chunk ? 26 - z : chunk);
        }
        cubes_end(making, &cubes);
        check(&volume, &cubes, 2);
        cubes_destroy(&cubes);
    }
    volume_destroy(&volume);
}

// Slices that never come count as slices of NaN. Cubes have an edge of 2 cells. So of 8 slices,
// which are 7 layers of cells, the last layer of cubes is cut short. Of 9 slices no layer is.
static void some_slices(void **state)
{
    (void)state;
    enum { SIDE = 5, EACH = SIDE * SIDE };
    struct problem problem;
    for (uint32_t slices = 8; slices <= 9; slices++) {
        struct volume volume = make(SIDE, SIDE, slices, VOLUME_FLOAT32);
        const float *all = volume.samples;
        for (uint32_t number = 0; number < (slices + 1) * (slices + 1); number++) {
            const uint32_t from = number / (slices + 1), to = number % (slices + 1);
            if (to < from) {
                continue;
            }
            struct volume some = make(SIDE, SIDE, slices, VOLUME_FLOAT32);
            float *samples = some.samples;
            for (uint32_t i = 0; i < EACH * slices; i++) {
                samples[i] = i >= from * EACH && i < to * EACH ? all[i] : NAN;
            }
            struct cubes cubes, expected;
            struct cubes_making *making = cubes_begin(volume.dim, volume.type, from, &problem);
            assert_non_null(making);
            cubes_put(making, all + from * EACH, to - from);
            cubes_end(making, &cubes);
            assert_true(volume_cubes(&some, NULL, &expected, &problem));
            const size_t size = cubes_count(&cubes) * sizeof *cubes.range;
            assert_memory_equal(cubes.range, expected.range, size);
            assert_memory_equal(cubes.faces, expected.faces, sizeof cubes.faces);
            cubes_destroy(&cubes);
            cubes_destroy(&expected);
            volume_destroy(&some);
        }
        volume_destroy(&volume);
    }
}

static void floats_that_are_none(void **state)
{
    (void)state;
    struct problem problem;
    struct cubes cubes;
    struct volume volume = make(9, 9, 9, VOLUME_FLOAT32);
    for (uint64_t i = 0; i < 9 * 9 * 9; i++) {
        ((float *)volume.samples)[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY;
    }
    ((float *)volume.samples)[0] = 7;
    assert_true(volume_cubes(&volume, NULL, &cubes, &problem));
    check(&volume, &cubes, 2);
    assert_true(cubes.range[0][0] == 7 && cubes.range[0][1] == 7);
    for (uint64_t i = 1; i < cubes_count(&cubes); i++) {
        assert_true(cubes.range[i][0] > cubes.range[i][1]);
    }
    cubes_destroy(&cubes);
    volume_destroy(&volume);
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

static void cancelled(void **state)
{
    (void)state;
    struct problem problem;
    struct cubes cubes;
    int left = 3;
    const struct progress progress = { stop, &left };
    struct volume volume = make(256, 256, 300, VOLUME_UINT8);
    assert_false(volume_cubes(&volume, &progress, &cubes, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    assert_int_equal(left, 0);
    assert_null(cubes.range);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),  cmocka_unit_test(large_volumes),
        cmocka_unit_test(in_chunks),   cmocka_unit_test(floats_that_are_none),
        cmocka_unit_test(some_slices), cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
