// Shared by the tests of the readers: files that are built byte by byte, and checks of what must
// and must not be read. Include cmocka.h first.
#pragma once

#include "tests/by_slices.h"
#include "tests/scratch.h"
#include "volumes/volume.h"

#include <stdarg.h>

// A file that is being built: bytes are appended in either byte order.
struct bytes {
    unsigned char at[1 << 16];
    size_t size;
};

static inline void put_bytes(struct bytes *bytes, const void *from, size_t size)
{
    assert_true(size <= sizeof bytes->at - bytes->size);
    memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
}

static inline void put_text(struct bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void put_text(struct bytes *bytes, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t room = sizeof bytes->at - bytes->size;
    const int size = vsnprintf((char *)bytes->at + bytes->size, room, format, args);
    va_end(args);
    assert_true(size >= 0 && (size_t)size < room);
    bytes->size += (size_t)size;
}

// Writes the low `size` bytes of `bits` to `at`.
static inline void set_bits(struct bytes *bytes, size_t at, uint64_t bits, size_t size, bool big)
{
    for (size_t i = 0; i < size; i++) {
        bytes->at[at + (big ? size - 1 - i : i)] = (unsigned char)(bits >> (8 * i));
    }
}

static inline void put_bits(struct bytes *bytes, uint64_t bits, size_t size, bool big)
{
    assert_true(size <= sizeof bytes->at - bytes->size);
    set_bits(bytes, bytes->size, bits, size, big);
    bytes->size += size;
}

static inline uint64_t bits_of(double value, size_t size)
{
    uint64_t bits = 0;
    if (size == 8) {
        memcpy(&bits, &value, 8);
    } else {
        const float narrow = (float)value;
        uint32_t half;
        memcpy(&half, &narrow, 4);
        bits = half;
    }
    return bits;
}

// Appends a sample of the type.
static inline void put_sample(struct bytes *bytes, double value, enum volume_type type, bool big)
{
    const size_t size = volume_type_size(type);
    const bool real = type == VOLUME_FLOAT32 || type == VOLUME_FLOAT64;
    put_bits(bytes, real ? bits_of(value, size) : (uint64_t)(int64_t)value, size, big);
}

static inline const char *write_bytes(const char *name, const struct bytes *bytes)
{
    return scratch_write(name, bytes->at, bytes->size);
}

// Checks that a file is refused: the code, a word of the line, a single line, and an empty `out`.
static inline void refused(
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

static inline struct volume accepted(const char *path, const struct volume_params *params)
{
    struct volume volume;
    struct problem problem = { 0 };
    if (!volume_read(path, params, &volume, &problem)) {
        fail_msg("%d: %s", problem.kind, problem.text);
    }
    by_slices(path, params, &volume, 1);
    return volume;
}

// The same, and stderr must contain the word; NULL: stderr must be empty.
static inline struct volume
accepted_saying(const char *path, const struct volume_params *params, const char *word)
{
    scratch_listen();
    struct volume volume;
    struct problem problem = { 0 };
    const bool ok = volume_read(path, params, &volume, &problem);
    const char *heard = scratch_heard();
    if (!ok) {
        fail_msg("%d: %s", problem.kind, problem.text);
    }
    if (word ? !strstr(heard, word) : *heard) {
        fail_msg("expected a warning with '%s', got '%s'", word ? word : "", heard);
    }
    by_slices(path, params, &volume, 1);
    return volume;
}

// Checks that any bytes give a valid volume, or one line with its code.
static inline bool survives(const char *path)
{
    struct volume volume;
    struct problem problem = { 0 };
    const struct volume_params params = { .max_bytes = 1 << 24 };
    memset(&volume, 0xee, sizeof volume);
    const bool ok = volume_read(path, &params, &volume, &problem);
    if (ok) {
        assert_non_null(volume.samples);
        for (int i = 0; i < 3; i++) {
            assert_true(volume.dim[i] >= 2 && volume.spacing[i] > 0);
        }
        by_slices(path, &params, &volume, volume.dim[2]);
    } else {
        assert_true(problem.kind == PROBLEM_INPUT || problem_of_device(problem.kind));
        assert_true(problem.text[0] && !strchr(problem.text, '\n'));
        assert_null(volume.samples);
        if (problem.kind == PROBLEM_INPUT) {
            by_slices_refused(path, &params);
        }
    }
    volume_destroy(&volume);
    return ok;
}

// Checks that the file is refused if it is cut at each of its first `header` bytes and at every
// `step`th byte after that, unless at most `loose` of its last bytes are missing.
static inline void cut_everywhere(
    const char *name, const struct bytes *bytes, size_t header, size_t step, size_t loose)
{
    scratch_listen();
    size_t wrong = 0;
    for (size_t size = 0; size + loose < bytes->size; size += size < header ? 1 : step) {
        wrong += survives(scratch_write(name, bytes->at, size));
    }
    scratch_heard();
    assert_int_equal(wrong, 0);
}

static inline uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Puts random bytes at random places among the first `header` bytes, `rounds` times.
static inline void scramble(const char *name, const struct bytes *bytes, size_t header, int rounds)
{
    static const unsigned char odd[] = "0-9. \n<\"\xff";
    uint32_t state = 1;
    scratch_listen();
    for (int round = 0; round < rounds; round++) {
        struct bytes copy = *bytes;
        const unsigned changes = 1 + next_random(&state) % 4;
        for (unsigned i = 0; i < changes; i++) {
            const uint32_t value = next_random(&state);
            copy.at[next_random(&state) % header] =
                (unsigned char)(value % 3 ? value >> 4 : odd[value / 3 % sizeof odd]);
        }
        survives(write_bytes(name, &copy));
    }
    scratch_heard();
}

// The number of samples that are at least `iso`.
static inline uint64_t count_inside(const struct volume *volume, double iso)
{
    uint64_t inside = 0;
    for (uint32_t z = 0; z < volume->dim[2]; z++) {
        for (uint32_t y = 0; y < volume->dim[1]; y++) {
            for (uint32_t x = 0; x < volume->dim[0]; x++) {
                inside += volume_sample(volume, x, y, z) >= iso;
            }
        }
    }
    return inside;
}

// The path of a file of CUBIST_DATA; skips the test if it is absent.
static inline const char *shared_file(const char *name)
{
    static char path[4096];
    const char *data = getenv("CUBIST_DATA");
    snprintf(path, sizeof path, "%s/%s", data ? data : "", name);
    if (!data || access(path, R_OK) != 0) {
        print_message("no %s at CUBIST_DATA: skipped\n", name);
        skip();
    }
    return path;
}

static inline void reals_are(const double *got, const double *expected, int count)
{
    for (int i = 0; i < count; i++) {
        const double off = got[i] - expected[i];
        if (!(off < 1e-6 && off > -1e-6)) {
            fail_msg("number %d is %.17g, expected %.17g", i, got[i], expected[i]);
        }
    }
}
