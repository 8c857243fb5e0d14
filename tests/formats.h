// Shared by the tests of readers: samples that encode their position, as bytes of any type and
// order, and checks that a file opens or is refused.
#pragma once

#include "tests/volume_files.h"

#include <math.h>
#include <zlib.h>

// A volume in which any swap of axes or samples is noticed.
enum { FORMAT_W = 4, FORMAT_H = 3, FORMAT_D = 5, FORMAT_COUNT = FORMAT_W * FORMAT_H * FORMAT_D };

// Sample `i` of the volume: in the range of int8, negative if the type allows it.
static inline double format_value(enum volume_type type, unsigned i)
{
    const bool is_signed = type != VOLUME_UINT8 && type != VOLUME_UINT16 && type != VOLUME_UINT32;
    const bool one = type == VOLUME_UINT8 || type == VOLUME_INT8;
    const double value = one ? i : 300.0 * i + 7;
    return is_signed && i % 3 == 1 ? -value : value;
}

// `count` samples in the file's byte order, each of volume_type_size bytes, or of 8 if `wide`. The
// caller frees them.
static inline unsigned char *
format_samples(enum volume_type type, bool wide, bool big, unsigned count, size_t *size)
{
    const size_t each = wide ? 8 : volume_type_size(type);
    unsigned char *bytes = malloc(count * each + 1);
    for (unsigned i = 0; i < count; i++) {
        const double value = format_value(type, i);
        const float single = (float)value;
        int64_t whole = (int64_t)value;
        uint32_t bits32;
        if (type == VOLUME_FLOAT32) {
            memcpy(&bits32, &single, 4);
            whole = bits32;
        } else if (type == VOLUME_FLOAT64) {
            memcpy(&whole, &value, 8);
        }
        for (size_t b = 0; b < each; b++) {
            bytes[i * each + (big ? each - 1 - b : b)] = (unsigned char)((uint64_t)whole >> 8 * b);
        }
    }
    *size = count * each;
    return bytes;
}

// The compressed bytes: window bits 15 + 16 for gzip, 15 for zlib. The caller frees them.
static inline unsigned char *
format_deflate(const void *bytes, size_t size, int bits, size_t *packed)
{
    z_stream stream = { .next_in = (unsigned char *)bytes, .avail_in = (uInt)size };
    deflateInit2(&stream, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY);
    unsigned char *out = malloc(size + 1000);
    stream.next_out = out;
    stream.avail_out = (uInt)(size + 1000);
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        abort();
    }
    *packed = stream.total_out;
    deflateEnd(&stream);
    return out;
}

// A file of a header and bytes after it.
static inline const char *
format_write(const char *name, const char *header, const void *bytes, size_t size)
{
    const size_t length = strlen(header);
    char *all = malloc(length + size + 1);
    memcpy(all, header, length);
    if (size > 0) {
        memcpy(all + length, bytes, size);
    }
    const char *path = scratch_write(name, all, length + size);
    free(all);
    return path;
}

// Checks that the file opens as the volume above, in `type`.
static inline struct volume format_opens(const char *path, enum volume_type type)
{
    struct volume volume = accepted(path, NULL);
    assert_int_equal(volume.dim[0], FORMAT_W);
    assert_int_equal(volume.dim[1], FORMAT_H);
    assert_int_equal(volume.dim[2], FORMAT_D);
    assert_int_equal(volume.file_type, type);
    for (unsigned i = 0; i < FORMAT_COUNT; i++) {
        const double value =
            volume_sample(&volume, i % FORMAT_W, i / FORMAT_W % FORMAT_H, i / FORMAT_W / FORMAT_H);
        if (value != format_value(type, i)) {
            fail_msg("%s: sample %u is %g, not %g", path, i, value, format_value(type, i));
        }
    }
    return volume;
}

static inline void format_good(const char *path, enum volume_type type)
{
    struct volume volume = format_opens(path, type);
    volume_destroy(&volume);
}

// Checks that the file is refused with this code, and that the line contains `part`.
static inline void format_refused(const char *path, enum problem_kind code, const char *part)
{
    refused(path, NULL, code, part);
}

// The file opens as the volume above, with a warning that contains `part`.
static inline void format_warned(const char *path, enum volume_type type, const char *part)
{
    struct volume volume = accepted_saying(path, NULL, part);
    volume_destroy(&volume);
    scratch_listen();
    format_good(path, type);
    scratch_heard();
}

// Writes a file with this text header and returns its path. Samples of type int16 follow the
// header, unless the name ends as a header without samples does.
static inline const char *format_text(const char *name, const char *header)
{
    size_t size;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    const bool alone = strstr(name, ".nhdr") || strstr(name, ".mhd");
    const char *path = format_write(name, header, bytes, alone ? 0 : size);
    free(bytes);
    return path;
}

// Fields of a text header, and the line that refuses them with this code; part NULL: they are good.
struct format_case {
    const char *fields, *part;
    enum problem_kind code; // PROBLEM_NONE: PROBLEM_INPUT
};
#define FORMAT_CASES(cases) cases, sizeof(cases) / sizeof *(cases)

// Tries the fields between `before` and `after`.
static inline void format_cases(
    const char *name, const char *before, const char *after, const struct format_case *cases,
    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char header[800];
        snprintf(header, sizeof header, "%s%s%s", before, cases[i].fields, after);
        const char *path = format_text(name, header);
        if (cases[i].part) {
            format_refused(path, cases[i].code ? cases[i].code : PROBLEM_INPUT, cases[i].part);
        } else {
            format_good(path, VOLUME_INT16);
        }
    }
}

// Sizes that are wrong. `header` has a %s for the number of axes and one for the sizes. They need
// no more memory than a machine has: the bytes of the file are too few.
struct format_sizes {
    const char *axes, *sizes, *part;
    enum problem_kind code;
};
static inline void
format_sizes(const char *name, const char *header, const struct format_sizes *bad, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[400];
        struct volume volume;
        struct problem problem = { 0 };
        const struct volume_params params = { .max_bytes = UINT64_C(1) << 40 };
        snprintf(text, sizeof text, header, bad[i].axes, bad[i].sizes);
        scratch_listen();
        const bool ok = volume_read(format_text(name, text), &params, &volume, &problem);
        scratch_heard();
        assert_false(ok);
        if (problem.kind != bad[i].code || !strstr(problem.text, bad[i].part)) {
            fail_msg("sizes %s: %d %s", bad[i].sizes, problem.kind, problem.text);
        }
    }
}

// Where fields between `before` and `after` place the volume.
struct format_place {
    const char *fields;
    double spacing[3], origin[3], direction[9];
    enum volume_frame frame;
};
static inline void format_near(const double *got, const double *expected, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs(got[i] - expected[i]) < 1e-12)) {
            fail_msg("number %d is %.17g, not %.17g", i, got[i], expected[i]);
        }
    }
}
static inline void format_places(
    const char *name, const char *before, const char *after, const struct format_place *places,
    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char header[600];
        snprintf(header, sizeof header, "%s%s%s", before, places[i].fields, after);
        struct volume volume = format_opens(format_text(name, header), VOLUME_INT16);
        format_near(volume.spacing, places[i].spacing, 3);
        format_near(volume.origin, places[i].origin, 3);
        format_near(volume.direction, places[i].direction, 9);
        assert_int_equal(volume.frame, places[i].frame);
        volume_destroy(&volume);
    }
}

// The words for sample types, in the order of the formats' descriptions: of NRRD's "type" field
// (teem.sourceforge.net/nrrd/format.html) and of MetaIO's ElementType. Beside them numpy's name: i,
// u or f, and the bytes of a sample in the file.
static const struct {
    const char *dtype, *nrrd[8], *metaimage[2];
} format_words[] = {
    { "i1", { "signed char", "int8", "int8_t" }, { "MET_CHAR" } },
    { "u1", { "uchar", "unsigned char", "uint8", "uint8_t", "UINT8" }, { "MET_UCHAR" } },
    { "i2",
      { "short", "short int", "signed short", "signed short int", "int16", "int16_t" },
      { "MET_SHORT" } },
    { "u2",
      { "ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t" },
      { "MET_USHORT" } },
    { "i4", { "int", "signed int", "int32", "int32_t" }, { "MET_INT", "MET_LONG" } },
    { "u4", { "uint", "unsigned int", "uint32", "uint32_t" }, { "MET_UINT", "MET_ULONG" } },
    { "i8",
      { "longlong", "long long", "long long int", "signed long long", "signed long long int",
        "int64", "int64_t" },
      { "MET_LONG_LONG" } },
    { "u8",
      { "ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t" },
      { "MET_ULONG_LONG" } },
    { "f4", { "float" }, { "MET_FLOAT" } },
    { "f8", { "double" }, { "MET_DOUBLE" } },
};

// Calls `check` with each word of a format, the type of the volume, and whether the file has
// integers of 64 bits.
static inline void
format_types(bool nrrd, void (*check)(const char *word, enum volume_type type, bool wide))
{
    static const char *const dtypes[VOLUME_TYPES] = {
        [VOLUME_INT8] = "i1",    [VOLUME_UINT8] = "u1",   [VOLUME_INT16] = "i2",
        [VOLUME_UINT16] = "u2",  [VOLUME_INT32] = "i4i8", [VOLUME_UINT32] = "u4u8",
        [VOLUME_FLOAT32] = "f4", [VOLUME_FLOAT64] = "f8",
    };
    for (size_t row = 0; row < sizeof format_words / sizeof *format_words; row++) {
        const char *dtype = format_words[row].dtype;
        const char *const *words = nrrd ? format_words[row].nrrd : format_words[row].metaimage;
        int type = 0;
        while (!strstr(dtypes[type], dtype)) {
            type++;
        }
        for (size_t i = 0; i < (nrrd ? 8 : 2) && words[i]; i++) {
            check(words[i], type, *dtype != 'f' && dtype[1] == '8');
        }
    }
}

// Checks that every shorter beginning of the file is refused, with a line.
static inline void format_cut_everywhere(const char *path, const char *name)
{
    size_t size = 0;
    unsigned char *bytes = scratch_read(path, &size);
    assert_non_null(bytes);
    for (size_t n = 0; n < size; n++) {
        if (survives(scratch_write(name, bytes, n))) {
            fail_msg("%s cut to %zu of %zu bytes was read", path, n, size);
        }
    }
    free(bytes);
}

// Changes random bytes from `from` on. The result must be a volume or a line, nothing worse.
static inline void format_scramble(const char *path, const char *name, size_t from, unsigned rounds)
{
    size_t size = 0;
    unsigned char *bytes = scratch_read(path, &size);
    assert_non_null(bytes);
    unsigned char *copy = malloc(size);
    uint32_t random = 2463534242u;
    unsigned wrong = 0;
    scratch_listen();
    for (unsigned round = 0; round < rounds; round++) {
        memcpy(copy, bytes, size);
        for (unsigned n = 0; n <= round % 4; n++) {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            const size_t at = from + random % (size - from);
            // Half of the new bytes are digits and signs, which get further than noise.
            copy[at] = random & 1u << 20
                           ? (unsigned char)(random >> 24)
                           : (unsigned char)"0123456789-+. \n:=%e#"[random >> 24 & 15];
        }
        wrong += !survives(scratch_write(name, copy, size));
    }
    scratch_heard();
    assert_true(wrong > 0);
    free(copy);
    free(bytes);
}

// Cuts and scrambles four files of a text header: `headers` say raw samples behind them, compressed
// ones (window bits as for format_deflate), text, and all.raw. `from`: where the scrambling begins.
static inline void format_break(
    const char *ending, const char *alone, int bits, size_t from, const char *const headers[4])
{
    char name[20], cut[20], text[8 * FORMAT_COUNT], *at = text;
    size_t size, packed;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    unsigned char *gz = format_deflate(bytes, size, bits, &packed);
    snprintf(name, sizeof name, "c.%s", ending);
    snprintf(cut, sizeof cut, "cut.%s", ending);
    format_cut_everywhere(format_write(name, headers[0], bytes, size), cut);
    format_scramble(scratch(name), cut, from, 1000);
    format_cut_everywhere(format_write(name, headers[1], gz, packed), cut);
    format_scramble(scratch(name), cut, from, 1000);
    for (unsigned i = 0; i < FORMAT_COUNT; i++) {
        at += sprintf(at, "%.0f ", format_value(VOLUME_INT16, i));
    }
    format_scramble(format_write(name, headers[2], text, (size_t)(at - text)), cut, from, 1000);
    scratch_write("all.raw", bytes, size);
    snprintf(name, sizeof name, "c.%s", alone);
    snprintf(cut, sizeof cut, "cut.%s", alone);
    format_scramble(format_write(name, headers[3], "", 0), cut, from, 1000);
    free(gz);
    free(bytes);
}

// Checks dims, type, spacing and inside count of a file of CUBIST_DATA. Returns false if it is not
// there.
static inline bool format_data(
    const char *name, const uint32_t dim[3], enum volume_type type, const double spacing[3],
    double iso, uint64_t inside)
{
    char path[4096];
    struct volume volume;
    struct problem problem;
    const char *data = getenv("CUBIST_DATA");
    snprintf(path, sizeof path, "%s/%s", data ? data : "", name);
    if (!data || access(path, R_OK) != 0) {
        print_message("no %s in CUBIST_DATA: passed over\n", name);
        return false;
    }
    if (!volume_read(path, NULL, &volume, &problem)) {
        fail_msg("%s", problem.text);
    }
    uint64_t count = 0;
    for (uint32_t z = 0; z < volume.dim[2]; z++) {
        for (uint32_t y = 0; y < volume.dim[1]; y++) {
            for (uint32_t x = 0; x < volume.dim[0]; x++) {
                count += volume_sample(&volume, x, y, z) >= iso;
            }
        }
    }
    assert_memory_equal(volume.dim, dim, sizeof volume.dim);
    assert_int_equal(volume.file_type, type);
    format_near(volume.spacing, spacing, 3);
    assert_int_equal(count, inside);
    volume_destroy(&volume);
    return true;
}
