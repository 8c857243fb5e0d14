// Raw files: valid ones, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/by_slices.h"
#include "tests/scratch.h"
#include "volumes/base/size.h"
#include "volumes/formats/write.h"
#include "volumes/volume.h"

#include <math.h>
#include <zlib.h>

static const struct volume_params nothing;

// Checks that a file is refused: the code, a word of the line, a single line, and an empty `out`.
static void refused(
    const char *path, const struct volume_params *params, enum problem_kind code, const char *word)
{
    struct volume volume;
    struct problem problem = { 0 };
    memset(&volume, 0xee, sizeof volume);
    assert_false(volume_read(path, params, &volume, &problem));
    if (problem.kind != code || !strstr(problem.text, word)) {
        fail_msg("expected %d and '%s', got %d: %s", code, word, problem.kind, problem.text);
    }
    assert_null(strchr(problem.text, '\n'));
    assert_null(volume.samples);
    assert_int_equal(volume.dim[0], 0);
    if (code == PROBLEM_INPUT) {
        by_slices_refused(path, params);
    }
}

static struct volume accepted(const char *path, const struct volume_params *params)
{
    struct volume volume;
    struct problem problem = { 0 };
    if (!volume_read(path, params, &volume, &problem)) {
        fail_msg("%d: %s", problem.kind, problem.text);
    }
    by_slices(path, params, &volume, volume.dim[2] < 20 ? 1 : volume.dim[2] / 2);
    return volume;
}

static const char *zeros(const char *name, size_t size)
{
    void *bytes = calloc(size + 1, 1);
    const char *path = scratch_write(name, bytes, size);
    free(bytes);
    return path;
}

static const char *packed(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch(name);
    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzwrite(file, bytes, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

static void reads_every_type_in_both_orders(void **state)
{
    (void)state;
    static const double values[VOLUME_TYPES][8] = {
        { 0, 1, 2, 3, 127, 128, 254, 255 },
        { 0, 1, -1, 3, 127, -128, 2, 5 },
        { 0, 1, 256, 3, 32767, 32768, 65535, 7 },
        { 0, 1, -1, 256, 32767, -32768, 2, -300 },
        { 0, 1, 65536, 3, 2147483648.0, 4294967295.0, 5, 6 },
        { 0, 1, -1, 65536, 2147483647, -2147483648.0, 5, 6 },
        { 0, 1, -1.5, 0.25, 1e30, -1e-30, 5, 6 },
        { 0, 1, -1.5, 0.25, 0x1p100, -0x1p-100, 0.1, 6 },
    };
    for (int type = 0; type < VOLUME_TYPES; type++) {
        const size_t size = volume_type_size(type);
        unsigned char little[64], big[64];
        for (int i = 0; i < 8; i++) {
            uint64_t bits = 0;
            const float single = (float)values[type][i];
            const double wide = values[type][i];
            if (type == VOLUME_FLOAT32) {
                memcpy(&bits, &single, 4);
            } else if (type == VOLUME_FLOAT64) {
                memcpy(&bits, &wide, 8);
            } else {
                bits = (uint64_t)(int64_t)wide;
            }
            for (size_t b = 0; b < size; b++) {
                little[(size_t)i * size + b] = (unsigned char)(bits >> (8 * b));
                big[(size_t)i * size + (size - 1 - b)] = (unsigned char)(bits >> (8 * b));
            }
        }
        for (int order = 0; order < 2; order++) {
            char name[64];
            snprintf(
                name, sizeof name, "a_2x2x2_%s%s.raw", volume_type_name(type), order ? "_be" : "");
            const char *path = scratch_write(name, order ? big : little, 8 * size);
            struct volume volume = accepted(path, &nothing);
            assert_int_equal(volume.file_type, type);
            assert_int_equal(
                volume.type, type == VOLUME_FLOAT64 ? VOLUME_FLOAT32 : (enum volume_type)type);
            assert_false(volume.type_inferred);
            for (uint32_t i = 0; i < 8; i++) {
                const double expected =
                    type >= VOLUME_FLOAT32 ? (double)(float)values[type][i] : values[type][i];
                assert_true(volume_sample(&volume, i & 1, i >> 1 & 1, i >> 2) == expected);
            }
            volume_destroy(&volume);
            // The samples are written as they were read, in the default byte order.
            volume = accepted(path, &nothing);
            struct problem problem;
            if (type != VOLUME_FLOAT64) {
                assert_true(volume_write(
                    volume_format_find("raw"), &volume, scratch("copy.raw"),
                    &(struct volume_write_params){ 0 }, &problem));
                size_t copied;
                unsigned char *copy = scratch_read(scratch("copy.raw"), &copied);
                assert_int_equal(copied, 8 * size);
                assert_memory_equal(copy, little, copied);
                free(copy);
            }
            volume_destroy(&volume);
        }
    }
}

static void order_is_x_then_y_then_z(void **state)
{
    (void)state;
    unsigned char bytes[2 * 3 * 4];
    for (int i = 0; i < 24; i++) {
        bytes[i] = (unsigned char)i;
    }
    struct volume volume = accepted(scratch_write("o_2x3x4_uint8.raw", bytes, 24), &nothing);
    assert_true(volume_sample(&volume, 1, 0, 0) == 1);
    assert_true(volume_sample(&volume, 0, 1, 0) == 2);
    assert_true(volume_sample(&volume, 0, 0, 1) == 6);
    assert_true(volume_sample(&volume, 1, 2, 3) == 23);
    assert_int_equal(volume_count(&volume), 24);
    assert_int_equal(volume_bytes(&volume), 24);
    assert_true(volume.spacing[0] == 1 && volume.spacing[2] == 1);
    assert_true(volume.direction[0] == 1 && volume.direction[4] == 1 && volume.direction[1] == 0);
    volume_destroy(&volume);
    volume_destroy(&volume);
}

static void params_win_over_the_name(void **state)
{
    (void)state;
    unsigned char bytes[24] = { 0, 1 };
    const char *path = scratch_write("w_9x9x9_uint8_le.raw", bytes, 24);
    scratch_listen();
    struct volume volume = accepted(
        path, &(struct volume_params){
                  .dim = { 3, 2, 2 },
                  .has_type = true,
                  .type = VOLUME_UINT16,
                  .order = BYTE_ORDER_BIG,
                  .spacing = { 1e-9, 2, 3 },
              });
    const char *heard = scratch_heard();
    assert_non_null(strstr(heard, "9x9x9"));
    assert_non_null(strstr(heard, "3x2x2"));
    assert_non_null(strstr(heard, "uint8"));
    assert_non_null(strstr(heard, "little-endian"));
    assert_int_equal(volume.dim[0], 3);
    assert_true(volume_sample(&volume, 0, 0, 0) == 1);
    assert_true(volume.spacing[0] == 1e-9 && volume.spacing[2] == 3);
    volume_destroy(&volume);
    // No note if they agree.
    scratch_listen();
    path = scratch_write("w_2x2x2_uint8.raw", bytes, 8);
    volume = accepted(path, &(struct volume_params){ .dim = { 2, 2, 2 }, .has_type = true });
    assert_string_equal(scratch_heard(), "");
    volume_destroy(&volume);
    // Any name is accepted if the dims are given.
    volume = accepted(
        scratch_write("no name", bytes, 24),
        &(struct volume_params){ .dim = { 2, 2, 2 }, .offset = 16 });
    assert_int_equal(volume.type, VOLUME_UINT8);
    assert_true(volume.type_inferred);
    volume_destroy(&volume);
}

static void spacing_must_be_positive(void **state)
{
    (void)state;
    const char *path = zeros("s_2x2x2_uint8.raw", 8);
    refused(path, &(struct volume_params){ .spacing = { 1, 0, 1 } }, PROBLEM_USAGE, "spacing");
    refused(path, &(struct volume_params){ .spacing = { 1, 1, -1 } }, PROBLEM_USAGE, "spacing");
    refused(path, &(struct volume_params){ .spacing = { NAN, 1, 1 } }, PROBLEM_USAGE, "spacing");
    refused(path, &(struct volume_params){ .spacing = { INFINITY, 1, 1 } }, PROBLEM_USAGE, "spac");
}

static void infers_the_type(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        enum volume_type type;
    } cases[] = {
        { 24, VOLUME_UINT8 }, { 48, VOLUME_UINT16 }, { 96, VOLUME_FLOAT32 }, { 192, VOLUME_FLOAT64 }
    };
    char bytes[192] = { 0 };
    for (int i = 0; i < 4; i++) {
        for (int gzip = 0; gzip < 2; gzip++) {
            const char *path = gzip ? packed("i_2x3x4.raw.gz", bytes, cases[i].size)
                                    : zeros("i_2x3x4.raw", cases[i].size);
            struct volume volume = accepted(path, &nothing);
            assert_true(volume.type_inferred);
            assert_int_equal(volume.file_type, cases[i].type);
            volume_destroy(&volume);
        }
    }
    refused(zeros("i_2x3x4.raw", 72), &nothing, PROBLEM_INPUT, "72 bytes");
    refused(packed("i_2x3x4.raw.gz", bytes, 72), &nothing, PROBLEM_INPUT, "72 bytes");
}

static void sizes_must_match(void **state)
{
    (void)state;
    refused(zeros("m_4x4x4_uint16.raw", 127), &nothing, PROBLEM_INPUT, "127 bytes");
    refused(zeros("m_4x4x4_uint16.raw", 127), &nothing, PROBLEM_INPUT, "needs 128");
    refused(zeros("m_4x4x4_uint16.raw", 64), &nothing, PROBLEM_INPUT, "4x4x4 uint8");
    refused(zeros("m_4x4x4_uint16.raw", 160), &nothing, PROBLEM_INPUT, "4x4x5 uint16");
    refused(zeros("m_4x4x4_uint8.raw", 80), &nothing, PROBLEM_INPUT, "--offset 16");
    refused(zeros("m_64x64x64_uint8.raw", 65 * 64 * 63), &nothing, PROBLEM_INPUT, "63x64x65 uint8");
    refused(zeros("m.raw", 512), &nothing, PROBLEM_INPUT, "8x8x8 uint8");
    refused(zeros("m.raw", 512), &nothing, PROBLEM_INPUT, "--dims");
    refused(zeros("m_4x4x4_uint8.raw", 0), &nothing, PROBLEM_INPUT, "empty");
    refused(zeros("m_4x4x4_uint8.raw", 1), &nothing, PROBLEM_INPUT, "1 bytes");
    refused(
        zeros("m_4x4x4_uint8.raw", 64), &(struct volume_params){ .offset = 65 }, PROBLEM_INPUT,
        "offset 65");
    refused(
        zeros("m_4x4x4_uint8.raw", 64), &(struct volume_params){ .offset = UINT64_MAX },
        PROBLEM_INPUT, "offset");
    refused(
        zeros("m_4x4x4_uint8.raw", 64), &(struct volume_params){ .offset = 1 }, PROBLEM_INPUT,
        "needs 65");
}

static void dims_must_make_sense(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum problem_kind code;
        const char *word;
    } cases[] = {
        { "d_0x5x5_uint8.raw", PROBLEM_INPUT, "two samples" },
        { "d_1x5x5_uint8.raw", PROBLEM_INPUT, "two samples" },
        { "d_5x5x1_uint8.raw", PROBLEM_INPUT, "two samples" },
        { "d_1x1x1_uint8.raw", PROBLEM_INPUT, "two samples" },
        { "d_2147483648x2x2_uint8.raw", PROBLEM_LIMIT, "limit" },
        { "d_4294967296x2x2_uint8.raw", PROBLEM_LIMIT, "limit" },
        { "d_18446744073709551616x2x2_uint8.raw", PROBLEM_LIMIT, "limit" },
        { "d_999999999999999999999999999999x2x2_uint8.raw", PROBLEM_LIMIT, "limit" },
        { "d_65536x65536x65536_uint8.raw", PROBLEM_LIMIT, "limit" },
        { "d_2147483647x2147483647x2147483647_uint8.raw", PROBLEM_LIMIT, "64 bits" },
        { "d_2097152x2097152x2097152_uint32.raw", PROBLEM_LIMIT, "64 bits" },
        { "d_1x2x3x4_uint8.raw", PROBLEM_INPUT, "no dims" },
        { "d_-5x5x5_uint8.raw", PROBLEM_INPUT, "bytes" }, // '-' is a separator: 5x5x5
        { "d_1e9x5x5_uint8.raw", PROBLEM_INPUT, "no dims" },
        { "d_0x10x10x10_uint8.raw", PROBLEM_INPUT, "no dims" },
        { "d_10x10x10abc_uint8.raw", PROBLEM_INPUT, "no dims" },
        { "d_10x10x10_int64.raw", PROBLEM_INPUT, "int64" },
        { "d_10x10x10_float16.raw", PROBLEM_INPUT, "float16" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = zeros(cases[i].name, 60);
        refused(path, &nothing, cases[i].code, cases[i].word);
        unlink(path);
    }
    const char *path = zeros("d_2x2x2_uint8.raw", 8);
    refused(
        path, &(struct volume_params){ .dim = { UINT32_MAX, UINT32_MAX, UINT32_MAX } },
        PROBLEM_LIMIT, "limit");
    refused(path, &(struct volume_params){ .dim = { 2, 0, 2 } }, PROBLEM_INPUT, "two samples");
    refused(path, &(struct volume_params){ .max_bytes = 7 }, PROBLEM_LIMIT, "limit is 7");
    struct volume volume = accepted(path, &(struct volume_params){ .max_bytes = 8 });
    volume_destroy(&volume);
}

struct watch {
    int calls, stop_at;
    double last;
    const char *shrink;
};

static bool on_progress(void *user, double share)
{
    struct watch *watch = user;
    assert_true(share >= watch->last && share <= 1);
    watch->last = share;
    if (watch->shrink) {
        assert_int_equal(truncate(watch->shrink, 5000000), 0);
    }
    return ++watch->calls != watch->stop_at;
}

static void gzip_is_inflated_and_bounded(void **state)
{
    (void)state;
    unsigned char bytes[8000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    }
    const char *path = packed("g_20x20x20_uint8.raw.gz", bytes, 8000);
    struct volume volume = accepted(path, &nothing);
    assert_memory_equal(volume.samples, bytes, 8000);
    volume_destroy(&volume);
    volume = accepted(
        path, &(struct volume_params){
                  .dim = { 20, 20, 10 }, .has_type = true, .type = VOLUME_INT8, .offset = 4000 });
    assert_memory_equal(volume.samples, bytes + 4000, 4000);
    volume_destroy(&volume);

    size_t size = 0;
    unsigned char *file = scratch_read(path, &size);
    assert_non_null(file);
    // Cut anywhere: an error, never a volume.
    for (size_t cut = 1; cut < size; cut += cut < 20 || cut + 200 > size ? 1 : 97) {
        refused(scratch_write("c_20x20x20_uint8.raw.gz", file, cut), &nothing, PROBLEM_INPUT, "'");
    }
    // A wrong sum, and a flipped bit in the data.
    file[size - 6] ^= 1;
    refused(scratch_write("c_20x20x20_uint8.raw.gz", file, size), &nothing, PROBLEM_INPUT, "check");
    file[size - 6] ^= 1;
    file[size / 2] ^= 4;
    refused(scratch_write("c_20x20x20_uint8.raw.gz", file, size), &nothing, PROBLEM_INPUT, "gzip");
    file[size / 2] ^= 4;
    // Two members are one stream; padding after it is ignored.
    unsigned char *two = calloc(2 * size + 100, 1);
    memcpy(two, file, size);
    memcpy(two + size, file, size);
    volume = accepted(scratch_write("t_20x20x40_uint8.raw.gz", two, 2 * size), &nothing);
    assert_memory_equal((char *)volume.samples + 8000, bytes, 8000);
    volume_destroy(&volume);
    volume = accepted(scratch_write("t_20x20x40_uint8.raw.gz", two, 2 * size + 100), &nothing);
    volume_destroy(&volume);
    refused(
        scratch_write("t_20x20x20_uint8.raw.gz", two, 2 * size), &nothing, PROBLEM_INPUT, "more");
    free(two);
    free(file);

    // Longer and shorter than the dims require: the line names both sizes.
    refused(packed("l_20x20x19_uint8.raw.gz", bytes, 8000), &nothing, PROBLEM_INPUT, "8000 bytes");
    refused(packed("l_20x20x19_uint8.raw.gz", bytes, 8000), &nothing, PROBLEM_INPUT, "needs 7600");
    refused(packed("l_20x20x21_uint8.raw.gz", bytes, 8000), &nothing, PROBLEM_INPUT, "8000 bytes");
    refused(packed("l_20x20x21_uint8.raw.gz", bytes, 8000), &nothing, PROBLEM_INPUT, "20x20x20");
    // A small file that claims 2 GiB is refused before memory is allocated.
    struct watch watch = { 0 };
    struct progress with = { on_progress, &watch };
    refused(
        packed("b_2048x1024x1024_uint8.raw.gz", bytes, 100),
        &(struct volume_params){ .progress = &with }, PROBLEM_INPUT, "100 bytes");
    assert_int_equal(watch.calls, 0);
    refused(
        packed("l_20x20x20_uint8.raw.gz", bytes, 8000), &(struct volume_params){ .offset = 9000 },
        PROBLEM_INPUT, "1000 bytes beyond");
}

static void magic_wins_over_the_extension(void **state)
{
    (void)state;
    unsigned char bytes[4096];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    }
    scratch_listen();
    struct volume volume =
        accepted(scratch_write("x_16x16x16_uint8.raw.gz", bytes, 4096), &nothing);
    assert_non_null(strstr(scratch_heard(), "not gzip"));
    assert_memory_equal(volume.samples, bytes, 4096);
    volume_destroy(&volume);
    scratch_listen();
    volume = accepted(packed("x_16x16x16_uint8.raw", bytes, 4096), &nothing);
    assert_non_null(strstr(scratch_heard(), "gzip"));
    assert_memory_equal(volume.samples, bytes, 4096);
    volume_destroy(&volume);
    // Plain samples that happen to start like gzip, in a file of the right size.
    memcpy(bytes, "\x1f\x8b\x08", 3);
    scratch_listen();
    volume = accepted(scratch_write("x_16x16x16_uint8.raw", bytes, 4096), &nothing);
    assert_string_equal(scratch_heard(), "");
    assert_memory_equal(volume.samples, bytes, 4096);
    volume_destroy(&volume);
}

static void only_regular_files(void **state)
{
    (void)state;
    refused(scratch("absent_2x2x2_uint8.raw"), &nothing, PROBLEM_INPUT, "No such file");
    refused("", &nothing, PROBLEM_INPUT, "empty");
    refused("/dev/zero", &nothing, PROBLEM_INPUT, "device");
    refused("/dev/null", &(struct volume_params){ .dim = { 2, 2, 2 } }, PROBLEM_INPUT, "device");
    const char *fifo = scratch("f_2x2x2_uint8.raw");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    refused(fifo, &nothing, PROBLEM_INPUT, "pipe"); // and does not wait for a writer
    unlink(fifo);
    assert_int_equal(mkdir(scratch("folder_2x2x2_uint8.raw"), 0700), 0);
    refused(scratch("folder_2x2x2_uint8.raw"), &nothing, PROBLEM_INPUT, "no PNG");
    assert_int_equal(symlink("loop", scratch("loop")), 0);
    refused(scratch("loop"), &nothing, PROBLEM_INPUT, "symbolic links");
    char name[400];
    memset(name, 'n', sizeof name);
    name[399] = 0;
    refused(scratch(name), &nothing, PROBLEM_INPUT, "too long");
    refused(zeros("x.unknown", 100), &nothing, PROBLEM_INPUT, "expected");
    const char *path = zeros("e_2x2x2_uint8.raw", 8);
    chmod(path, 0);
    if (geteuid() != 0) {
        refused(path, &nothing, PROBLEM_INPUT, "denied");
    }
}

static void names_cannot_steer_the_terminal(void **state)
{
    (void)state;
    struct volume volume;
    struct problem problem;
    assert_false(volume_read("\033[31m%s%n\n\xff.raw", &nothing, &volume, &problem));
    assert_non_null(strstr(problem.text, "'\\x1b[31m%s%n\\x0a\\xff.raw'"));
    // The reason is printed even if the path is longer than the line.
    char *path = malloc(100001);
    memset(path, 'p', 100000);
    path[100000] = 0;
    refused(path, &nothing, PROBLEM_INPUT, "too long");
    free(path);
    // A name that is not UTF-8 is a valid name.
    volume = accepted(zeros("\xff\xfe_2x2x2_uint8.raw", 8), &nothing);
    volume_destroy(&volume);
}

static void progress_and_cancel(void **state)
{
    (void)state;
    const size_t size = 256 * 256 * 256;
    const char *path = zeros("p_256x256x256_uint8.raw", size);
    struct watch watch = { 0 };
    struct progress with = { on_progress, &watch };
    struct volume volume = accepted(path, &(struct volume_params){ .progress = &with });
    assert_true(watch.calls >= 4 && watch.last == 1);
    const int calls = watch.calls;
    volume_destroy(&volume);
    for (int stop = 1; stop <= calls; stop++) {
        watch = (struct watch){ .stop_at = stop };
        refused(
            path, &(struct volume_params){ .progress = &with }, PROBLEM_INTERRUPTED, "cancelled");
    }
    // A file that shrinks while it is read.
    watch = (struct watch){ .shrink = path };
    refused(
        path, &(struct volume_params){ .progress = &with }, PROBLEM_INPUT,
        "changed while it was read");
}

static void float64_overflow_is_said(void **state)
{
    (void)state;
    const double values[8] = { 1, 1e300, -1e300, NAN, INFINITY, 0, 1e-300, 5 };
    scratch_listen();
    struct volume volume = accepted(scratch_write("f_2x2x2_float64.raw", values, 64), &nothing);
    assert_non_null(strstr(scratch_heard(), "2 samples are too large for float32"));
    assert_true(isinf(volume_sample(&volume, 1, 0, 0)));
    assert_true(isnan(volume_sample(&volume, 1, 1, 0)));
    volume_destroy(&volume);
}

static void products_are_checked(void **state)
{
    (void)state;
    uint64_t out;
    assert_true(size_product(UINT64_MAX, 1, &out) && out == UINT64_MAX);
    assert_false(size_product(UINT64_C(1) << 32, UINT64_C(1) << 32, &out));
    struct volume volume;
    struct problem problem = { 0 };
    assert_false(volume_create((uint32_t[]){ 1, 2, 2 }, VOLUME_UINT8, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_false(volume_create(
        (uint32_t[]){ 0x7fffffff, 0x7fffffff, 0x7fffffff }, VOLUME_UINT8, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    assert_null(volume.samples);
    assert_true(volume_create((uint32_t[]){ 2, 2, 2 }, VOLUME_FLOAT64, &volume, &problem));
    assert_int_equal(volume.type, VOLUME_FLOAT32);
    assert_int_equal(volume.file_type, VOLUME_FLOAT64);
    volume_destroy(&volume);
}

static void reads_the_shared_volumes(void **state)
{
    (void)state;
    const char *data = getenv("CUBIST_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/bonsai_256x256x256_uint8.raw", data ? data : "");
    if (!data || access(path, R_OK) != 0) {
        print_message("no shared volumes at CUBIST_DATA: skipped\n");
        skip();
    }
    struct volume volume = accepted(path, &nothing);
    uint64_t inside = 0;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        inside += ((const uint8_t *)volume.samples)[i] >= 37;
    }
    assert_int_equal(inside, 1776057);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type_in_both_orders),
        cmocka_unit_test(order_is_x_then_y_then_z),
        cmocka_unit_test(params_win_over_the_name),
        cmocka_unit_test(spacing_must_be_positive),
        cmocka_unit_test(infers_the_type),
        cmocka_unit_test(sizes_must_match),
        cmocka_unit_test(dims_must_make_sense),
        cmocka_unit_test(gzip_is_inflated_and_bounded),
        cmocka_unit_test(magic_wins_over_the_extension),
        cmocka_unit_test(only_regular_files),
        cmocka_unit_test(names_cannot_steer_the_terminal),
        cmocka_unit_test(progress_and_cancel),
        cmocka_unit_test(float64_overflow_is_said),
        cmocka_unit_test(products_are_checked),
        cmocka_unit_test(reads_the_shared_volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
