// ctest: heavy
// Several processes count the samples of a volume together: the facts are those of one process, bit
// for bit, however the slices are divided.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scratch.h"
#include "volumes/formats/volume_file.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 7, KINDS = 12 };

static uint32_t seed = 1;

static uint32_t random_bits(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8 ^ seed << 16;
}

static void put_float(struct volume *volume, uint64_t i, int kind)
{
    static const float zeros[] = { 0.0f, -0.0f };
    static const float few[] = { 0.0f, -0.0f, -1, 1, NAN, -INFINITY, INFINITY, -3e38f, FLT_MAX };
    const uint32_t pick = random_bits();
    float *at = (float *)volume->samples + i;
    switch (kind) {
    case 0:
        return; // random bits
    case 1:
        *at = 7.25f;
        return;
    case 2:
        *at = pick % 2 ? NAN : pick % 4 ? INFINITY : -INFINITY;
        return;
    case 3:
        *at = zeros[pick % 2];
        return;
    case 4:
        *at = few[pick % 9];
        return;
    case 5: // padding: a lowest value that a tenth of the samples have
        *at = pick % 10 == 0 ? -5000 : 100 + (float)(pick % 1000) * (pick % 3 ? 0.1f : 0.3f);
        return;
    case 6: // the lowest but one value is a zero
        *at = pick % 8 == 0 ? -2 : pick % 3 ? zeros[pick / 64 % 2] : 4;
        return;
    case 7: // the lowest and the highest value are zeros
        *at = i < volume_count(volume) / 2 ? zeros[pick % 2] : pick % 16 ? zeros[pick % 2] : NAN;
        return;
    case 9: // labels in regions
        *at = (float)(i / 5 % 4 * 3);
        return;
    case 10: // outliers and a fill value in a map of both signs
        *at = pick % 20 == 0   ? 1e20f
              : pick % 20 == 1 ? -300
                               : (float)(pick / 64 % 100 + pick / 8192 % 100) - 99.5f;
        return;
    case 11: // Hounsfield units
        *at = pick % 9 == 0 ? -3024 : pick % 3 ? -1000 + (float)(pick / 64 % 50) * 0.5f : 20.5f;
        return;
    default: // the highest value is a zero; few samples are finite
        *at = pick % 50 == 0 ? zeros[pick / 64 % 2] : pick % 50 == 1 ? -1 : NAN;
    }
}

static struct volume make(const uint32_t dim[3], enum volume_type type, int kind)
{
    struct volume volume;
    struct problem problem;
    assert_true(volume_create(dim, type, &volume, &problem));
    const size_t size = volume_type_size(volume.type);
    for (uint64_t i = 0; i < volume_bytes(&volume); i++) {
        ((uint8_t *)volume.samples)[i] = (uint8_t)(random_bits() >> 11);
    }
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        char *at = (char *)volume.samples + i * size;
        if (volume.type == VOLUME_FLOAT32) {
            put_float(&volume, i, kind);
        } else if (kind == 1) { // constant
            memset(at, 5, size);
        } else if (kind == 5 && random_bits() % 10 == 0) { // padding
            memset(at, type == VOLUME_INT32 ? 0x81 : 0, size);
        } else if (kind == 9) { // labels in regions
            memset(at, (int)(i / 5 % 4), size);
        } else if (kind > 9) { // a hump of noise
            memset(at, (int)(random_bits() % 64 + random_bits() % 64), 1);
        } else if (kind > 5) { // few values
            memset(at, (int)(random_bits() % 3), size);
        }
    }
    return volume;
}

// Cuts `all` into `count` ranges, some of them empty.
static void cut(uint64_t all, int count, uint64_t ends[MOST + 1])
{
    ends[0] = 0;
    ends[count] = all;
    for (int i = 1; i < count; i++) {
        ends[i] = random_bits() % 4 == 0 ? (random_bits() % 2) * all : random_bits() % (all + 1);
    }
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && ends[j] < ends[j - 1]; j--) {
            const uint64_t swap = ends[j];
            ends[j] = ends[j - 1];
            ends[j - 1] = swap;
        }
    }
}

// One pass after another, as processes that wait for each other.
static void put_together(const struct volume *volume, int count, struct volume_facts *out)
{
    static struct facts_counts counts[MOST];
    const size_t size = volume_type_size(volume->type);
    uint64_t ends[MOST + 1];
    bool again = false;
    cut(volume_count(volume) / volume->dim[0], count, ends); // between rows
    for (int i = 0; i <= count; i++) {
        ends[i] *= volume->dim[0];
    }
    for (int i = 0; i < count; i++) {
        facts_begin(&counts[i], volume);
    }
    do {
        struct facts_range ranges[MOST];
        for (int i = 0; i < count; i++) {
            facts_put(
                &counts[i], (const char *)volume->samples + ends[i] * size, ends[i + 1] - ends[i]);
            ranges[i] = counts[i].range;
        }
        int64_t *sums, *more;
        const size_t numbers = facts_tables(&counts[0], &sums);
        for (int i = 1; i < count; i++) {
            assert_int_equal(facts_tables(&counts[i], &more), numbers);
            for (size_t k = 0; k < numbers; k++) {
                sums[k] += more[k];
            }
        }
        for (int i = 0; i < count; i++) {
            facts_tables(&counts[i], &more);
            memmove(more, sums, numbers * sizeof *sums);
            facts_join(&counts[i], ranges, (size_t)count);
            again = facts_again(&counts[i]);
        }
    } while (again);
    for (int i = count - 1; i >= 0; i--) { // the last one that ends is compared
        facts_end(&counts[i], out);
        if (i > 0) {
            static struct volume_facts first;
            struct facts_counts *copy = malloc(sizeof *copy);
            assert_non_null(copy);
            *copy = counts[0];
            facts_end(copy, &first);
            free(copy);
            assert_memory_equal(&first, out, sizeof first);
        }
    }
}

static void by_any_cut(void **state)
{
    (void)state;
    for (int type = 0; type < VOLUME_FLOAT64; type++) {
        for (int kind = 0; kind < KINDS; kind++) {
            for (int round = 0; round < (type == VOLUME_FLOAT32 ? 5 : 1); round++) {
                struct volume volume = make((uint32_t[]){ 7, 6, 5 }, type, kind);
                static struct volume_facts expected, facts;
                volume_facts(&volume, &expected);
                for (int count = 1; count <= MOST; count = count < 3 ? count + 1 : count + 4) {
                    put_together(&volume, count, &facts);
                    if (memcmp(&facts, &expected, sizeof facts) != 0) {
                        fail_msg(
                            "%s, kind %d, %d processes: %g to %g, iso %g; expected %g to %g, "
                            "iso %g",
                            volume_type_name(type), kind, count, facts.min, facts.max, facts.iso,
                            expected.min, expected.max, expected.iso);
                    }
                }
                volume_destroy(&volume);
            }
        }
    }
}

// Threads instead of processes, which read a file.
struct together {
    int count;
    pthread_barrier_t barrier;
    struct facts_counts *counts[MOST];
};

struct reader {
    struct together *together;
    int number;
    const char *path;
    struct volume_file_share share;
    struct volume_facts facts;
    struct slice_range *ranges; // of all slices; each reader fills in its own
    struct cubes cubes;
    bool fine;
};

static bool join(void *user, struct facts_counts *counts, struct problem *problem)
{
    (void)problem;
    struct reader *reader = user;
    struct together *together = reader->together;
    struct facts_range ranges[MOST];
    int64_t *values, *others;
    const size_t numbers = facts_tables(counts, &values);
    int64_t *sums = calloc(numbers + 1, sizeof *sums);
    together->counts[reader->number] = counts;
    pthread_barrier_wait(&together->barrier);
    for (int i = 0; i < together->count; i++) {
        ranges[i] = together->counts[i]->range;
        facts_tables(together->counts[i], &others);
        for (size_t k = 0; k < numbers; k++) {
            sums[k] += others[k];
        }
    }
    pthread_barrier_wait(&together->barrier);
    memcpy(values, sums, numbers * sizeof *sums);
    facts_join(counts, ranges, (size_t)together->count);
    free(sums);
    return true;
}

static void *read_share(void *user)
{
    struct reader *reader = user;
    struct volume_file file;
    struct problem problem;
    reader->fine = volume_file_open(reader->path, NULL, &file, &problem);
    if (!reader->fine) {
        abort(); // the others would wait
    }
    reader->fine = volume_file_facts(
        &file, &reader->share, NULL, &reader->facts, reader->ranges, &reader->cubes, &problem);
    volume_file_close(&file);
    return NULL;
}

// The cubes of all are the extremes of those of each.
static void check_cubes(const struct reader *readers, int count, const struct cubes *expected)
{
    for (uint64_t i = 0; i < cubes_count(expected); i++) {
        float least = INFINITY, most = -INFINITY;
        for (int k = 0; k < count; k++) {
            least = fminf(least, readers[k].cubes.range[i][0]);
            most = fmaxf(most, readers[k].cubes.range[i][1]);
        }
        assert_true(least == expected->range[i][0] && most == expected->range[i][1]);
    }
    bool gaps = false;
    float faces[6] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < count; k++) {
        gaps |= readers[k].cubes.gaps;
        for (int face = 0; face < 6; face++) {
            faces[face] = fmaxf(faces[face], readers[k].cubes.faces[face]);
        }
    }
    assert_int_equal(gaps, expected->gaps);
    for (int face = 0; face < 6; face++) {
        assert_true(faces[face] == expected->faces[face]);
    }
}

static void
read_together(const struct volume *volume, const char *path, int count, const uint64_t *ends)
{
    const uint32_t depth = volume->dim[2];
    static struct volume_facts expected;
    struct cubes cubes;
    struct problem problem;
    struct together together = { .count = count };
    struct reader *readers = calloc(MOST, sizeof *readers);
    pthread_t threads[MOST];
    struct slice_range ranges[64];
    volume_facts(volume, &expected);
    assert_true(volume_cubes(volume, NULL, &cubes, &problem));
    assert_int_equal(pthread_barrier_init(&together.barrier, NULL, (unsigned)count), 0);
    for (int i = 0; i < count; i++) {
        readers[i] = (struct reader){
            .together = &together,
            .number = i,
            .path = path,
            .share = { (uint32_t)ends[i], (uint32_t)ends[i + 1], join, &readers[i] },
            .ranges = ranges,
        };
        assert_int_equal(pthread_create(&threads[i], NULL, read_share, &readers[i]), 0);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        assert_true(readers[i].fine);
        assert_memory_equal(&readers[i].facts, &expected, sizeof expected);
    }
    double min = (double)INFINITY, max = -(double)INFINITY;
    for (uint32_t z = 0; z < depth; z++) {
        min = fmin(min, ranges[z].min);
        max = fmax(max, ranges[z].max);
    }
    assert_true(min == expected.min && max == expected.max);
    check_cubes(readers, count, &cubes);
    for (int i = 0; i < count; i++) {
        cubes_destroy(&readers[i].cubes);
    }
    cubes_destroy(&cubes);
    pthread_barrier_destroy(&together.barrier);
    free(readers);
}

static void from_a_file(void **state)
{
    (void)state;
    static const enum volume_type types[] = { VOLUME_UINT8, VOLUME_INT16, VOLUME_UINT32,
                                              VOLUME_FLOAT32 };
    const uint32_t depths[] = { 2, 9, 33 };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
            const uint32_t dim[3] = { 11, 5, depths[d] };
            struct volume volume = make(dim, types[t], 4);
            char name[80];
            snprintf(name, sizeof name, "v_11x5x%u_%s.raw", depths[d], volume_type_name(types[t]));
            const char *path = scratch_write(name, volume.samples, (size_t)volume_bytes(&volume));
            for (int count = 1; count <= MOST; count++) {
                uint64_t ends[MOST + 1];
                cut(depths[d], count, ends);
                read_together(&volume, path, count, ends);
            }
            volume_destroy(&volume);
        }
    }
}

static bool refuse(void *user, struct facts_counts *counts, struct problem *problem)
{
    (void)counts;
    ++*(int *)user;
    return problem_set(problem, PROBLEM_INTERRUPTED, "another process has failed");
}

// Where the counts cannot be put together, there are no facts.
static void not_joined(void **state)
{
    (void)state;
    struct volume volume = make((uint32_t[]){ 4, 4, 4 }, VOLUME_FLOAT32, 5);
    const char *path =
        scratch_write("n_4x4x4_float32.raw", volume.samples, (size_t)volume_bytes(&volume));
    struct volume_file file;
    struct volume_facts facts;
    struct cubes cubes;
    struct problem problem = { 0 };
    int calls = 0;
    const struct volume_file_share share = { 1, 3, refuse, &calls };
    assert_true(volume_file_open(path, NULL, &file, &problem));
    assert_false(volume_file_facts(&file, &share, NULL, &facts, NULL, &cubes, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    assert_int_equal(calls, 1);
    assert_null(cubes.range);
    volume_file_close(&file);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_any_cut),
        cmocka_unit_test(from_a_file),
        cmocka_unit_test(not_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
