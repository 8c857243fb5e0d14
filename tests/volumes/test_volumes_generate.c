// Generated volumes: the same bytes on every machine, every type, every size, and a first surface
// that is closed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scratch.h"
#include "volumes/facts.h"
#include "volumes/formats/write.h"
#include "volumes/generate.h"

#include <math.h>
#include <time.h>
#include <zlib.h>

static struct volume make(const char *name, uint32_t w, uint32_t h, uint32_t d, int type)
{
    struct volume volume;
    struct problem problem = { 0 };
    if (!volume_generate(name, (uint32_t[]){ w, h, d }, type, &volume, &problem)) {
        fail_msg("%s", problem.text);
    }
    return volume;
}

static uint32_t sum_of(const struct volume *volume)
{
    return (uint32_t)crc32(0, volume->samples, (uInt)volume_bytes(volume));
}

// Known values: a machine, a compiler or an option that changes a bit is found here.
static void the_same_bytes_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t narrow, single; // sums of the uint8 and the float32 samples at 37x41x43
    } sums[] = {
        { "default", 0x0c6fe361, 0x88961fab },        { "sphere", 0x80410bdc, 0xc48349cb },
        { "torus", 0x06f76beb, 0x795bb923 },          { "gyroid", 0x0d42397f, 0x86ad997c },
        { "marschner-lobb", 0x422ad38f, 0x2d8c7edf }, { "noise", 0x3e47d6c3, 0x74bd80e6 },
    };
    int rows = 0;
    while (generators[rows].name) {
        rows++;
    }
    assert_int_equal(rows, sizeof sums / sizeof *sums);
    for (int i = 0; i < rows; i++) {
        assert_string_equal(generators[i].name, sums[i].name);
        assert_true(strlen(generators[i].summary) > 10 && !strchr(generators[i].summary, '\n'));
        struct volume narrow = make(sums[i].name, 37, 41, 43, VOLUME_UINT8);
        struct volume single = make(sums[i].name, 37, 41, 43, VOLUME_FLOAT32);
        if (sum_of(&narrow) != sums[i].narrow || sum_of(&single) != sums[i].single) {
            fail_msg("{ \"%s\", 0x%08x, 0x%08x },", sums[i].name, sum_of(&narrow), sum_of(&single));
        }
        volume_destroy(&narrow);
        volume_destroy(&single);
    }
}

static void every_type_is_the_same_shape(void **state)
{
    (void)state;
    for (const struct generator *g = generators; g->name; g++) {
        struct volume exact = make(g->name, 12, 11, 13, VOLUME_FLOAT32);
        for (int type = 0; type < VOLUME_TYPES; type++) {
            static const double low[] = { 0, -128, 0, -32768, 0, -2147483648.0, 0, 0 };
            static const double span[] = {
                255, 255, 65535, 65535, 4294967295.0, 4294967295.0, 1, 1
            };
            struct volume volume = make(g->name, 12, 11, 13, type);
            assert_int_equal(volume.file_type, type);
            assert_int_equal(volume.type, type == VOLUME_FLOAT64 ? VOLUME_FLOAT32 : (unsigned)type);
            for (uint32_t i = 0; i < 12 * 11 * 13; i++) {
                const uint32_t x = i % 12, y = i / 12 % 11, z = i / 132;
                const double v = volume_sample(&exact, x, y, z);
                const double w = (volume_sample(&volume, x, y, z) - low[type]) / span[type];
                assert_true(v >= 0 && v <= 1 && w >= 0 && w <= 1);
                assert_true(fabs(v - w) <= 0.5 / span[type] + 1e-7);
            }
            volume_destroy(&volume);
        }
        volume_destroy(&exact);
    }
}

static void every_size(void **state)
{
    (void)state;
    static const uint32_t dims[][3] = { { 2, 2, 2 },    { 3, 5, 7 },   { 33, 17, 9 },
                                        { 65, 64, 63 }, { 2, 100, 2 }, { 2, 2, 65537 },
                                        { 4, 3, 2 } };
    for (const struct generator *g = generators; g->name; g++) {
        for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
            struct volume volume = make(g->name, dims[i][0], dims[i][1], dims[i][2], VOLUME_UINT8);
            struct volume_facts facts;
            volume_facts(&volume, &facts);
            // The default has a surface at every size. The sphere and the torus have equal samples
            // at the eight corners of a cube, and three samples miss the torus.
            const bool torus = strcmp(g->name, "torus") == 0;
            if (strcmp(g->name, "default") == 0 || i == 2 || i == 3 || (i == 1 && !torus)) {
                assert_true(
                    facts.max > facts.min && facts.iso > facts.min && facts.iso < facts.max);
            }
            volume_destroy(&volume);
        }
    }
    struct volume volume;
    struct problem problem;
    assert_false(
        volume_generate("default", (uint32_t[]){ 1, 5, 5 }, VOLUME_UINT8, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_false(
        volume_generate("default", (uint32_t[]){ 0, 5, 5 }, VOLUME_UINT8, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_false(volume_generate(
        "sphere", (uint32_t[]){ 100000, 100000, 100000 }, VOLUME_UINT8, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    assert_false(volume_generate("cube", (uint32_t[]){ 5, 5, 5 }, VOLUME_UINT8, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_USAGE);
    assert_non_null(strstr(problem.text, "marschner-lobb"));
    assert_null(volume.samples);
}

static void shapes_are_what_they_say(void **state)
{
    (void)state;
    struct volume volume = make("sphere", 41, 41, 61, VOLUME_FLOAT32);
    for (uint32_t z = 0; z < 61; z++) {
        for (uint32_t y = 0; y < 41; y++) {
            for (uint32_t x = 0; x < 41; x++) {
                const double a = (x - 20.0) / 20, b = (y - 20.0) / 20, c = (z - 30.0) / 20;
                const double v = fmax(0, 1 - sqrt(a * a + b * b + c * c));
                assert_true(fabs(volume_sample(&volume, x, y, z) - v) < 1e-6);
            }
        }
    }
    volume_destroy(&volume);
    volume = make("marschner-lobb", 41, 41, 41, VOLUME_FLOAT32);
    for (uint32_t i = 0; i < 41 * 41 * 41; i++) {
        const uint32_t x = i % 41, y = i / 41 % 41, z = i / 1681;
        const double a = (x - 20.0) / 20, b = (y - 20.0) / 20, c = (z - 20.0) / 20;
        const double pi = 3.141592653589793;
        const double rho = cos(2 * pi * 6 * cos(pi * sqrt(a * a + b * b) / 2));
        const double v = (1 - sin(pi * c / 2) + 0.25 * (1 + rho)) / 2.5;
        assert_true(fabs(volume_sample(&volume, x, y, z) - v) < 1e-6);
    }
    volume_destroy(&volume);
    volume = make("gyroid", 32, 32, 32, VOLUME_FLOAT32);
    for (uint32_t i = 0; i < 32 * 32 * 32; i++) {
        const double step = 2 * 3.141592653589793 * 1.3 / 31;
        const double a = (2.0 * (i % 32) - 31) * step, b = (2.0 * (i / 32 % 32) - 31) * step;
        const double c = (2.0 * (i / 1024) - 31) * step;
        const double v = 0.5 + (sin(a) * cos(b) + sin(b) * cos(c) + sin(c) * cos(a)) / 3;
        assert_true(fabs(volume_sample(&volume, i % 32, i / 32 % 32, i / 1024) - v) < 1e-6);
    }
    volume_destroy(&volume);
}

static void the_default_is_closed_and_fine(void **state)
{
    (void)state;
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    struct volume volume = make("default", 128, 128, 128, VOLUME_UINT8);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    const double seconds =
        (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
    assert_true(seconds < 2); // 0.03 in a release build; sanitizers are slow
    struct volume_facts facts;
    volume_facts(&volume, &facts);
    assert_true(facts.min == 0 && facts.max == 255);
    // No surface at the border: it is closed at any isovalue. No cell contains the whole range: no
    // detail is finer than the samples.
    uint64_t active = 0;
    for (uint32_t z = 0; z < 128; z++) {
        for (uint32_t y = 0; y < 128; y++) {
            for (uint32_t x = 0; x < 128; x++) {
                const double v = volume_sample(&volume, x, y, z);
                const bool edge = x == 0 || y == 0 || z == 0 || x == 127 || y == 127 || z == 127;
                assert_true(!edge || v == 0);
                if (x < 127) {
                    const double next = volume_sample(&volume, x + 1, y, z);
                    assert_true(fabs(next - v) < 64);
                    active += (v < facts.iso) != (next < facts.iso);
                }
            }
        }
    }
    // Much more surface than that of a ball: 2 crossings for each of 9,000 lines through it.
    assert_true(active > 25000 && active < 100000);
    volume_destroy(&volume);
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

// A file that is generated slice by slice has the bytes of the whole volume's.
static void
same_by_slices(const struct volume *volume, const struct volume_format *format, bool gzip)
{
    const struct volume_write_params params = { .gzip = gzip };
    struct problem problem = { 0 };
    static char bytes[2][1 << 18];
    size_t sizes[2];
    assert_true(volume_write(format, volume, scratch("0"), &params, &problem));
    assert_true(volume_write_generated(
        "default", volume->dim, volume->file_type, format, scratch("1"), &params, &problem));
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(scratch(i ? "1" : "0"), "rb");
        assert_non_null(file);
        sizes[i] = fread(bytes[i], 1, sizeof bytes[i], file);
        fclose(file);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
}

static void written_and_read_again(void **state)
{
    (void)state;
    const struct volume_format *raw = volume_format_find("raw");
    const struct volume_write_params plain = { 0 };
    for (int type = 0; type < VOLUME_TYPES; type++) {
        struct volume volume = make("default", 20, 21, 22, type);
        struct volume again;
        struct problem problem = { 0 };
        char name[64];
        snprintf(name, sizeof name, "w_20x21x22_%s.raw", volume_type_name(type));
        assert_true(volume_write(raw, &volume, scratch(name), &plain, &problem));
        assert_true(volume_read(scratch(name), NULL, &again, &problem));
        assert_int_equal(again.file_type, type);
        assert_memory_equal(again.samples, volume.samples, volume_bytes(&volume));
        volume_destroy(&again);
        for (int i = 0; volume_formats[i / 2].name; i++) {
            same_by_slices(&volume, &volume_formats[i / 2], i % 2);
        }
        volume_destroy(&volume);
    }
    struct volume volume = make("sphere", 20, 21, 22, VOLUME_UINT8);
    struct problem problem;
    struct volume_write_params params = { 0 };
    assert_false(volume_write_generated(
        "sphere", volume.dim, volume.type, raw, "/dev/full", &params, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_false(
        volume_write_generated("cube", volume.dim, volume.type, raw, "x", &params, &problem));
    assert_int_equal(problem.kind, PROBLEM_USAGE);
    int left = 5;
    const struct progress progress = { stop, &left };
    params.progress = &progress;
    mkdir(scratch("stopped"), 0700);
    assert_false(volume_write_generated(
        "sphere", (uint32_t[]){ 200, 200, 20 }, volume.type, raw, scratch("stopped/a.raw"), &params,
        &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    assert_int_equal(scratch_count(scratch("stopped")), 0);
    assert_false(volume_write(raw, &volume, "/dev/full", &plain, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_false(volume_write(raw, &volume, scratch("no/x.raw"), &plain, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_everywhere),
        cmocka_unit_test(every_type_is_the_same_shape),
        cmocka_unit_test(every_size),
        cmocka_unit_test(shapes_are_what_they_say),
        cmocka_unit_test(the_default_is_closed_and_fine),
        cmocka_unit_test(written_and_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
