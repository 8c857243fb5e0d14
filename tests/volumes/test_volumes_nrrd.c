// The NRRD reader and every pitfall of the format, with files made here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/formats.h"

#define HEAD "NRRD0004\n# a comment: not a field\ntype: short\ndimension: 3\nsizes: 4 3 5\n"
#define RAW  HEAD "endian: little\nencoding: raw\n"

#define attached(header) format_text("a.nrrd", header)

static void check_type(const char *name, enum volume_type type, bool wide)
{
    for (int big = 0; big < 2; big++) {
        char header[300];
        size_t size;
        unsigned char *bytes = format_samples(type, wide, big, FORMAT_COUNT, &size);
        snprintf(
            header, sizeof header,
            "NRRD0001\ntype: %s\ndimension: 3\nsizes: 4 3 5\nendian: %s\nencoding: raw\n\n", name,
            big ? "big" : "little");
        format_good(format_write("t.nrrd", header, bytes, size), type);
        // The same in hex, lines broken anywhere.
        char hex[3 * 8 * FORMAT_COUNT], *at = hex;
        for (size_t n = 0; n < size; n++) {
            at += sprintf(at, n % 7 == 6 ? "%02X\n" : "%02x", bytes[n]);
        }
        snprintf(
            header, sizeof header,
            "NRRD0001\ntype: %s\ndimension: 3\nsizes: 4 3 5\nendian: %s\nencoding: hex\n\n", name,
            big ? "big" : "little");
        format_good(format_write("h.nrrd", header, hex, (size_t)(at - hex)), type);
        free(bytes);
    }
    // And as text, which needs no `endian` field.
    char header[300], text[40 * FORMAT_COUNT], *at = text;
    for (unsigned n = 0; n < FORMAT_COUNT; n++) {
        at += sprintf(at, n % 5 ? "%.0f " : "%.0f,\n", format_value(type, n));
    }
    snprintf(
        header, sizeof header,
        "NRRD0001\ntype: %s\ndimension: 3\nsizes: 4 3 5\nencoding: ascii\n\n", name);
    format_good(format_write("x.nrrd", header, text, (size_t)(at - text)), type);
}

static void every_type_in_both_orders(void **state)
{
    (void)state;
    format_types(true, check_type);
}

static void wide_integers_that_do_not_fit(void **state)
{
    (void)state;
    static const char header[] =
        "NRRD0001\ntype: int64\ndimension: 3\nsizes: 2 2 2\nendian: little\nencoding: raw\n\n";
    int64_t samples[8] = { INT32_MIN, INT32_MAX, -1, 0, 1, 2, 3, 4 };
    struct volume volume;
    struct problem problem;
    assert_true(volume_read(
        format_write("w.nrrd", header, samples, sizeof samples), NULL, &volume, &problem));
    assert_true(volume_sample(&volume, 0, 0, 0) == INT32_MIN);
    assert_true(volume_sample(&volume, 1, 0, 0) == INT32_MAX);
    volume_destroy(&volume);
    samples[6] = (int64_t)INT32_MAX + 1;
    format_refused(
        format_write("w.nrrd", header, samples, sizeof samples), PROBLEM_INPUT,
        "sample 6 is 2147483648");
}

static void the_grammar(void **state)
{
    (void)state;
    static const char *const good[] = {
        RAW "\n",
        // CR LF, names in any case, no blank after the colon, blanks at the ends
        "NRRD0005\r\nType:short\r\nDIMENSION: 3 \r\nsizes:\t4  3 5\r\nEndian: Little\r\n"
        "encoding: RAW\r\n\r\n",
        // keys are not fields, and may look like them
        RAW "type:=double\nkey:= value: more\nsizes:=\n\n",
        // both spellings; fields that have no effect here
        RAW "lineskip: 0\nbyte skip: 0\ncontent: a: b\nspaceunits: \"mm\" \"mm\" \"mm\"\n"
            "labels: \"x\" \"y\" \"z\"\nold min: 3\nblocksize: 0\n\n",
        "NRRD0002\nendian: little\nencoding: raw\ntype: short\ndimension: 3\n# x\nsizes: 4 3 5\n\n",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        format_good(attached(good[i]), VOLUME_INT16);
    }
    format_warned(attached(RAW "colour: red\n\n"), VOLUME_INT16, "'colour' is not known");
    static const struct format_case bad[] = {
        { "NRRD0006\ntype: short\n\n", "NRRD0001 to NRRD0005" },
        { "NRRD000\n", "NRRD0001 to NRRD0005" },
        { RAW "not a field at all\n\n", "line 8: 'not a field at all' is not a field" },
        { RAW "type: short\n\n", "'type' is given twice" },
        { RAW "Line Skip: 1\nlineskip: 1\n\n", "'lineskip' is given twice" },
        { "NRRD0001\nsizes: 4 3 5\ndimension: 3\n\n", "before 'dimension'" },
        { "NRRD0001\nspacings: 1 1 1\ndimension: 3\n\n", "before 'dimension'" },
        { "NRRD0001\ndimension: 3\nsizes: 4 3 5\nencoding: raw\n\n", "no field 'type'" },
        { "NRRD0001\ntype: short\ndimension: 3\nencoding: raw\n\n", "no field 'sizes'" },
        { "NRRD0001\ntype: short\nencoding: raw\n\n", "no field 'dimension'" },
        { HEAD "endian: little\n\n", "no field 'encoding'" },
        { HEAD "encoding: raw\n\n", "does not say its byte order" },
        { HEAD "encoding: hex\n\n", "does not say its byte order" },
        { HEAD "endian: middle\nencoding: raw\n\n", "middle" },
        { HEAD "endian: little\nencoding: bzip2\n\n", "unu save" },
        { HEAD "endian: little\nencoding: zrl\n\n", "encoding 'zrl' is not read" },
        { "NRRD0001\ntype: block\ndimension: 3\nsizes: 4 3 5\nencoding: raw\n\n", "type 'block'" },
        { "NRRD0001\ntype: %n%s\ndimension: 3\nsizes: 4 3 5\nencoding: raw\n\n", "type '%n%s'" },
        { RAW "kinds: domain domain\n\n", "'kinds' has 2 values for 3 axes" },
        { RAW "kinds: RGB-color domain domain\n\n", "4 values per sample (kind RGB-color)" },
        { RAW "line skip: -1\n\n", "line skip '-1'" },
        { RAW "line skip: 1000000000000\n\n", "lines before the samples" },
        { RAW "byte skip: -2\n\n", "byte skip '-2'" },
        { RAW "byte skip: 1\n\n", "119 bytes of samples" },
        { RAW "byte skip: 18446744073709551615\n\n", "byte skip" },
        { RAW "byte skip: 9223372036854775807\n\n", "bytes are to be skipped" },
        { HEAD "endian: little\nencoding: hex\nbyte skip: -1\n\n", "for raw or gzip samples" },
        { RAW "axis mins: 1 2\n\n", "'axis mins' has 2 values for 3 axes" },
        { RAW "axis maxs: 1 2 x\n\n", "axis maxs has 'x'" },
        { RAW "centers: cell\n\n", "'centerings' has 1 values for 3 axes" },
    };
    format_cases("a.nrrd", "", "", FORMAT_CASES(bad));
    // A header that ends with the file, and says no data file.
    format_refused(
        scratch_write("e.nrrd", RAW, sizeof RAW - 1), PROBLEM_INPUT, "ends with its header");
    format_refused(
        format_write("n.nrrd", "NRRD0001\nty", "\0pe: short\n", 11), PROBLEM_INPUT, "NUL");
    char *large = malloc(3 << 20);
    memset(large, 'x', 3 << 20);
    memcpy(large, "NRRD0001\n#", 10);
    format_refused(scratch_write("l.nrrd", large, 5000), PROBLEM_INPUT, "longer than 4096");
    for (size_t i = 10; i < 3 << 20; i += 64) {
        memcpy(large + i, "\n#", 2);
    }
    format_refused(scratch_write("l.nrrd", large, 3 << 20), PROBLEM_LIMIT, "larger than 1 MiB");
    free(large);
}

// 3D Slicer's segmentations have keys of their own.
static void labels(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        bool labels;
    } cases[] = {
        { "", false },
        { "Segment0_LabelValue:=1\nSegment0_Name:=bone\n", true },
        { "Segmentation_MasterRepresentation:=Binary labelmap\n", true },
        { "Segments:=1\nsegment0_ID:=a\nSegment:=2\n", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[400];
        struct volume volume;
        struct problem problem;
        snprintf(header, sizeof header, RAW "%s\n", cases[i].keys);
        assert_true(volume_read(attached(header), NULL, &volume, &problem));
        assert_int_equal(volume.labels, cases[i].labels);
        volume_destroy(&volume);
    }
}

static void sizes_and_dimensions(void **state)
{
    (void)state;
    static const struct format_sizes bad[] = {
        { "3", "4 3", "'sizes' has 2 values", PROBLEM_INPUT },
        { "3", "4 3 5 1", "'sizes' has 4 values", PROBLEM_INPUT },
        { "3", "4 3 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "'sizes' has 17 values", PROBLEM_INPUT },
        { "17", "4 3 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "dimension '17'", PROBLEM_INPUT },
        { "1000000000", "4 3 5", "dimension '1000000000'", PROBLEM_INPUT },
        { "2", "4 3", "dimension '2'", PROBLEM_INPUT },
        { "0", "", "dimension '0'", PROBLEM_INPUT },
        { "-3", "4 3 5", "dimension '-3'", PROBLEM_INPUT },
        { "3", "0 3 5", "'0'", PROBLEM_INPUT },
        { "3", "4 -3 5", "'-3'", PROBLEM_INPUT },
        { "3", "4 3 0x5", "'0x5'", PROBLEM_INPUT },
        { "3", "4 3 1e9", "'1e9'", PROBLEM_INPUT },
        { "3", "4 3.0 5", "'3.0'", PROBLEM_INPUT },
        { "3", "1 12 5", "two samples along each axis", PROBLEM_INPUT },
        { "3", "12 5 1", "two samples along each axis", PROBLEM_INPUT },
        { "3", "4294967296 3 5", "limit", PROBLEM_LIMIT },
        { "3", "18446744073709551615 3 5", "limit", PROBLEM_LIMIT },
        { "3", "340282366920938463463374607431768211456 3 5", "limit", PROBLEM_LIMIT },
        { "3", "65536 65536 2", "the header asks for 17179869184", PROBLEM_INPUT },
        { "3", "2147483647 2147483647 2147483647", "64 bits", PROBLEM_LIMIT },
        { "5", "8 3 5 4294967296 4294967296", "64 bits", PROBLEM_LIMIT },
        // wrong by one
        { "3", "5 3 5", "has 120 bytes of samples, but the header asks for 150", PROBLEM_INPUT },
        { "3", "4 4 5", "has 120 bytes of samples, but the header asks for 160", PROBLEM_INPUT },
        { "3", "4 3 6", "has 120 bytes of samples, but the header asks for 144", PROBLEM_INPUT },
        { "4", "4 3 5 2", "has 120 bytes of samples, but the header asks for 240", PROBLEM_INPUT },
        { "4", "3 4 3 5", "3 values per sample", PROBLEM_INPUT },
    };
    format_sizes(
        "a.nrrd",
        "NRRD0001\ntype: short\ndimension: %s\nsizes: %s\nendian: little\nencoding: raw\n\n",
        FORMAT_CASES(bad));
    // The program's own limit is checked before the file.
    const struct volume_params small = { .max_bytes = 119 };
    struct volume volume;
    struct problem problem;
    assert_false(volume_read(attached(RAW "\n"), &small, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    // Fewer samples than the file has: read, with a note.
    scratch_listen();
    assert_true(volume_read(
        attached("NRRD0001\ntype: short\ndimension: 3\nsizes: 4 3 4\nendian: little\n"
                 "encoding: raw\n\n"),
        NULL, &volume, &problem));
    assert_non_null(strstr(scratch_heard(), "24 bytes after its samples"));
    volume_destroy(&volume);
    // One byte more and one less.
    unsigned char bytes[200];
    size_t size;
    unsigned char *samples = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    memcpy(bytes, samples, size);
    bytes[size] = 1;
    format_warned(format_write("m.nrrd", RAW "\n", bytes, size + 1), VOLUME_INT16, "1 byte after");
    format_refused(
        format_write("m.nrrd", RAW "\n", bytes, size - 1), PROBLEM_INPUT, "119 bytes of samples");
    free(samples);
}

static void more_axes_than_three(void **state)
{
    (void)state;
    static const char *const good[] = {
        "dimension: 4\nsizes: 4 3 5 1\n",
        "dimension: 4\nsizes: 1 4 3 5\n",
        "dimension: 4\nsizes: 1 4 3 5\nkinds: vector domain domain domain\n"
        "space: LPS\nspace directions: none (1,0,0) (0,1,0) (0,0,1)\n",
        "dimension: 4\nsizes: 4 3 5 1\nkinds: domain domain domain list\n"
        "space dimension: 3\nspace directions: (1,0,0) (0,1,0) (0,0,1) none\n",
        "dimension: 4\nsizes: 4 3 5 1\nspacings: 1 1 1 nan\n",
        "dimension: 4\nsizes: 4 3 1 5\nkinds: domain domain list domain\n",
        "dimension: 5\nsizes: 1 4 3 5 1\nkinds: RGB-color space space space time\n",
        "dimension: 4\nsizes: 4 3 5 1\nspace: left-posterior-superior-time\n"
        "space directions: (1,0,0,0) (0,1,0,0) (0,0,1,0) (0,0,0,2)\nspace origin: (0,0,0,7)\n",
        "dimension: 4\nsizes: 1 4 3 5\nspace: LPS\n"
        "space directions: (nan,nan,nan) (1,0,0) (0,1,0) (0,0,1)\n",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char header[400];
        snprintf(
            header, sizeof header, "NRRD0005\ntype: short\n%sendian: little\nencoding: raw\n\n",
            good[i]);
        struct volume volume = format_opens(attached(header), VOLUME_INT16);
        format_near(volume.spacing, (double[]){ 1, 1, 1 }, 3);
        format_near(volume.direction, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 9);
        volume_destroy(&volume);
    }
    // Several volumes: the first one is read, with a note; raw and gzip.
    size_t size, packed;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    unsigned char *three = malloc(3 * size);
    memset(three, 0xff, 3 * size);
    memcpy(three, bytes, size);
    static const char frames[] =
        "NRRD0004\ntype: short\ndimension: 4\nsizes: 4 3 5 3\nendian: little\n"
        "kinds: domain domain domain time\nencoding: ";
    char header[300];
    snprintf(header, sizeof header, "%sraw\n\n", frames);
    format_warned(
        format_write("f.nrrd", header, three, 3 * size), VOLUME_INT16, "3 volumes; the first");
    snprintf(header, sizeof header, "%sgzip\n\n", frames);
    unsigned char *gz = format_deflate(three, 3 * size, 31, &packed);
    format_warned(format_write("f.nrrd", header, gz, packed), VOLUME_INT16, "3 volumes; the first");
    // In three files, one for each.
    scratch_write("v1", three, size);
    scratch_write("v2", three + size, size);
    scratch_write("v3", three + size, size);
    snprintf(header, sizeof header, "%sraw\ndata file: v%%d 1 3 1\n", frames);
    format_warned(format_write("f.nhdr", header, "", 0), VOLUME_INT16, "3 volumes; the first");
    // Another one, from one file and from several.
    static const char *const names[] = { "f.nrrd", "f.nhdr" };
    for (size_t i = 0; i < 2; i++) {
        const struct volume_params params = { .pick.time = 3 };
        struct volume volume;
        struct problem problem;
        assert_true(volume_read(scratch(names[i]), &params, &volume, &problem));
        assert_memory_equal(volume.samples, three + 2 * size, size);
        by_slices(scratch(names[i]), &params, &volume, 1);
        volume_destroy(&volume);
    }
    free(gz);
    free(three);
    free(bytes);
    // More volumes than their bytes can be counted in 64 bits are incomplete as well; files that
    // hold several volumes each are not split.
    static const char many[] = "NRRD0004\ntype: short\ndimension: 4\nsizes: 4 3 5 %s\n"
                               "kinds: space space space time\n"
                               "endian: little\nencoding: raw\n%s";
    snprintf(header, sizeof header, many, "4611686018427387904", "\n");
    format_refused(attached(header), PROBLEM_INPUT, "has 120 bytes of samples, but the header");
    snprintf(header, sizeof header, many, "6", "data file: LIST 4\nv1\nv2\nv3\n");
    format_refused(
        format_write("f.nhdr", header, "", 0), PROBLEM_INPUT, "names 3 files for 6 volumes");
    // Colours. And an axis that is not a direction in space is refused, wherever it is among the
    // first three.
    static const struct format_case apart[] = {
        { "dimension: 4\nsizes: 3 4 3 5\nkinds: RGB-color domain domain domain\n",
          "3 values per sample" },
        { "dimension: 4\nsizes: 4 3 5 3\nkinds: domain domain domain 3-vector\n",
          "3 values per sample" },
        { "dimension: 4\nsizes: 3 4 3 5\nspace: LPS\n"
          "space directions: none (1,0,0) (0,1,0) (0,0,1)\n",
          "3 values per sample" },
        { "dimension: 4\nsizes: 3 4 3 5\n", "3 values per sample" },
        { "dimension: 4\nsizes: 4 3 5 2\nkinds: domain domain list domain\n",
          "axis 3 of 5 (kind list)" },
        { "dimension: 4\nsizes: 4 3 5 2\nkinds: domain time domain domain\n",
          "axis 2 of 3 (kind time)" },
        { "dimension: 4\nsizes: 4 3 5 2\nkinds: list domain domain domain\n",
          "4 values per sample (kind list)" },
        { "dimension: 4\nsizes: 4 3 1 5\nkinds: domain domain domain list\n",
          "axis 4 of 5 (kind list)" },
        { "dimension: 3\nsizes: 4 3 5\nkinds: domain domain list\n", "axis 3 of 5 (kind list)" },
        { "dimension: 3\nsizes: 4 3 5\nkinds: domain stub domain\n", "axis 2 of 3 (kind stub)" },
        { "dimension: 4\nsizes: 4 3 5 2\nkinds: domain domain vector domain\n",
          "5 values per sample (kind vector)" },
        { "dimension: 4\nsizes: 4 3 5 2\nspace: LPS\n"
          "space directions: (1,0,0) (0,1,0) none (0,0,1)\n",
          "axis 3 of 5 (kind ?\?\?)" },
    };
    format_cases(
        "a.nrrd", "NRRD0005\ntype: short\n", "endian: little\nencoding: raw\n\n",
        FORMAT_CASES(apart));
}

static void where_it_lies(void **state)
{
    (void)state;
    static const struct format_place places[] = {
        { "", { 1, 1, 1 }, { 0, 0, 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, VOLUME_FRAME_UNSAID },
        { "spacings: 0.5 2 0.000018\n",
          { 0.5, 2, 0.000018 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "spacings: -0.5 2 3\n",
          { 0.5, 2, 3 },
          { 0, 0, 0 },
          { -1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        // columns of `direction` are the axes: x runs along +y, y along -x
        { "space: left-posterior-superior\nspace directions: (0,2,0) (-3, 0, 0) ( 0 , 0 ,4 )\n"
          "space origin: (10, -20, 30)\n",
          { 2, 3, 4 },
          { 10, -20, 30 },
          { 0, -1, 0, 1, 0, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        { "space: RAS\nspace directions: (2,0,0) (0,3,0) (0,0,4)\nspace origin: (10,-20,30)\n",
          { 2, 3, 4 },
          { -10, 20, 30 },
          { -1, 0, 0, 0, -1, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        { "space: left-anterior-superior\nspace directions: (2,0,0) (0,3,0) (0,0,4)\n"
          "space origin: (10,-20,30)\n",
          { 2, 3, 4 },
          { 10, 20, 30 },
          { 1, 0, 0, 0, -1, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        { "space: 3D-left-handed\nspacings: 3.2 3.2 1.5\n",
          { 3.2, 3.2, 1.5 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "space dimension: 3\nspace directions: (1,0,0) (0,1,0) (0,0,-2)\n",
          { 1, 1, 2 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, -1 },
          VOLUME_FRAME_UNSAID },
        { "space: RAS\nspacings: 2 3 4\nspace origin: (1,2,3)\n",
          { 2, 3, 4 },
          { -1, -2, 3 },
          { -1, 0, 0, 0, -1, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        // teem writes NaN for unknown values
        { "spacings: nan 2 NaN\n",
          { 1, 2, 1 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "axis mins: nan nan nan\naxis maxs: nan nan nan\nspace origin: (nan,nan,nan)\n",
          { 1, 1, 1 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        // teem: the first sample is at the axis' min (node) or half a step after it (cell)
        { "axis mins: 10 20 30\nspacings: 2 4 0.5\n",
          { 2, 4, 0.5 },
          { 11, 22, 30.25 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "axis mins: 10 20 30\nspacings: 2 4 0.5\ncenterings: node cell ???\n",
          { 2, 4, 0.5 },
          { 10, 22, 30.25 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        // the ends of an axis give its spacing if no other field does
        { "axis mins: 10 20 30\naxis maxs: 18 26 50\ncenters: cell node node\n",
          { 2, 3, 5 },
          { 11, 20, 30 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "axis mins: 10 20 30\naxis maxs: 2 26 50\nspacings: nan 1 nan\n",
          { 2, 1, 4 },
          { 9, 20.5, 32 },
          { -1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "space: RAS\naxis mins: 10 20 30\nspacings: 1 1 1\ncenterings: node node node\n",
          { 1, 1, 1 },
          { -10, -20, 30 },
          { -1, 0, 0, 0, -1, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        { "space: scanner-xyz\nspace directions: (3,4,0) (-4,3,0) (0,0,1)\n",
          { 5, 5, 1 },
          { 0, 0, 0 },
          { 0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
    };
    format_places("a.nrrd", RAW, "\n", FORMAT_CASES(places));
    static const struct format_case bad[] = {
        { "spacings: 1 0 1\n", "along y is not a spacing" },
        { "axis mins: 0 0 0\naxis maxs: 4 3 inf\n", "not finite" },
        { "axis mins: 0 0 inf\nspacings: 1 1 1\n", "not finite" },
        { "spacings: 1 1 inf\n", "along z is not a spacing" },
        { "spacings: 1 1 x\n", "'x'" },
        { "spacings: 1 1\n", "'spacings' has 2 values" },
        { "space: LPS\nspace directions: (1,0,0) (2,0,0) (0,0,1)\n", "one plane" },
        { "space: LPS\nspace directions: (1,0,0) (0,0,0) (0,0,1)\n", "along y is not a spacing" },
        { "space: LPS\nspace directions: (1,0,0) (0,inf,0) (0,0,1)\n", "along y is not a spacing" },
        { "space: LPS\nspace directions: (1,0,0) (0,1,0)\n", "3 vectors of 3 numbers" },
        { "space: LPS\nspace directions: (1,0) (0,1) (1,1)\n", "3 vectors of 3 numbers" },
        { "space: LPS\nspace directions: (1,0,0) (0,1,0) (0,0,1) (1,1,1)\n", "more than its 3" },
        { "space: LPS\nspace directions: 1 0 0 0 1 0 0 0 1\n", "3 vectors of 3 numbers" },
        { "space dimension: 2\nspace directions: (1,0) (0,1) (1,1)\n", "2 dimensions" },
        { "space dimension: x\n", "'x'" },
        { "space: LPS\nspace origin: (1,2)\n", "space origin" },
        { "space: LPS\nspace origin: (1,2,inf)\n", "not finite" },
    };
    format_cases("a.nrrd", RAW, "\n", FORMAT_CASES(bad));
    format_warned(
        attached(RAW "space: mars\nspace directions: (1,0,0) (0,1,0) (0,0,1)\n\n"), VOLUME_INT16,
        "'mars' is not known");
    format_warned(
        attached(RAW "space: LPS\nspace directions: (1,0,0) (0,1,0) none\n\n"), VOLUME_INT16,
        "no direction");
    // Mins that cannot be used cause a note.
    static const char *const unused[] = {
        "axis mins: 1 2 3\n",
        "axis mins: 1 nan 3\nspacings: 1 1 1\n",
        "axis mins: 1 2 3\nspacings: 1 1 1\nspace: LPS\nspace origin: (4,5,6)\n",
        "axis mins: 1 2 3\nspace: LPS\nspace directions: (1,0,0) (0,1,0) (0,0,1)\n",
    };
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++) {
        char header[600];
        snprintf(header, sizeof header, RAW "%s\n", unused[i]);
        format_warned(attached(header), VOLUME_INT16, "its axis mins are ignored");
    }
}

static void skips_and_compression(void **state)
{
    (void)state;
    size_t size, packed, other;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    unsigned char *lead = malloc(size + 10);
    memcpy(lead, "0123456789", 10);
    memcpy(lead + 10, bytes, size);
    // Lines are skipped in the file, bytes in the decoded data.
    unsigned char *gz = format_deflate(lead, size + 10, 31, &packed);
    unsigned char *file = malloc(packed + 100);
    memcpy(file, "one\ntwo\n", 8);
    memcpy(file + 8, gz, packed);
    format_good(
        format_write(
            "g.nrrd", HEAD "endian: little\nencoding: gzip\nline skip: 2\nbyte skip: 10\n\n", file,
            8 + packed),
        VOLUME_INT16);
    scratch_write("body.gz", file, 8 + packed);
    format_good(
        format_write(
            "g.nhdr",
            HEAD "endian: little\nencoding: gz\nlineskip: 2\nbyteskip: 10\ndatafile: body.gz\n", "",
            0),
        VOLUME_INT16);
    // The same plainly.
    memcpy(file, "one\ntwo\n", 8);
    unsigned char *plain = malloc(size + 18);
    memcpy(plain, file, 8);
    memcpy(plain + 8, lead, size + 10);
    format_good(
        format_write("p.nrrd", RAW "line skip: 2\nbyte skip: 10\n\n", plain, size + 18),
        VOLUME_INT16);
    format_good(format_write("p.nrrd", RAW "byte skip: -1\n\n", plain, size + 18), VOLUME_INT16);
    // zlib streams are read as well; too few samples, too many, and none are reported.
    unsigned char *zlib = format_deflate(bytes, size, 15, &other);
    static const char gzip[] = HEAD "endian: little\nencoding: gzip\n\n";
    format_good(format_write("z.nrrd", gzip, zlib, other), VOLUME_INT16);
    free(zlib);
    zlib = format_deflate(bytes, size - 1, 31, &other);
    format_refused(
        format_write("z.nrrd", gzip, zlib, other), PROBLEM_INPUT, "ends before the last");
    free(zlib);
    memcpy(lead, bytes, size);
    zlib = format_deflate(lead, size + 1, 31, &other);
    format_warned(
        format_write("z.nrrd", gzip, zlib, other), VOLUME_INT16,
        "more bytes than its header asks for");
    format_refused(format_write("z.nrrd", gzip, "", 0), PROBLEM_INPUT, "too few");
    format_refused(
        format_write("z.nrrd", gzip, "no gzip", 7), PROBLEM_INPUT, "no valid compressed");
    // A decompression bomb needs no more memory than its volume.
    format_refused(
        format_write(
            "b.nrrd",
            "NRRD0001\ntype: uchar\ndimension: 3\nsizes: 4096 4096 64\nencoding: gzip\n\n", gz,
            packed),
        PROBLEM_INPUT, "too few");
    // Every byte of the stream matters, except those without effect (time, system).
    free(zlib);
    zlib = format_deflate(bytes, size, 31, &other);
    for (size_t i = 0; i < other; i++) {
        if (i < 4 || i > 9) {
            zlib[i] ^= 0x55;
            struct volume volume;
            struct problem problem = { 0 };
            if (volume_read(format_write("z.nrrd", gzip, zlib, other), NULL, &volume, &problem)) {
                fail_msg("byte %zu of %zu changed, and nothing was said", i, other);
            }
            zlib[i] ^= 0x55;
        }
    }
    free(zlib);
    free(plain);
    free(file);
    free(gz);
    free(lead);
    free(bytes);
}

// The samples are at the end of the inflated data, after a header of another format.
static void the_end_of_a_gzip_file(void **state)
{
    (void)state;
    size_t size, packed, all;
    const size_t front = 70000;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    unsigned char *plain = malloc(front + 2 * size);
    for (size_t i = 0; i < front; i++) {
        plain[i] = (unsigned char)(i * i >> 7);
    }
    memcpy(plain + front, bytes, size);
    memset(plain + front + size, 0xee, size);
    unsigned char *one = format_deflate(plain, front + size, 31, &packed);
    unsigned char *two = format_deflate(plain, front + 2 * size, 31, &all);
    static const char field[] = HEAD "endian: little\nencoding: gzip\nbyte skip: -1\n";
    char header[600];
    scratch_write("v.nii.gz", one, packed);
    snprintf(header, sizeof header, "%sdata file: v.nii.gz\n", field);
    format_good(format_write("e.nhdr", header, "", 0), VOLUME_INT16);
    snprintf(header, sizeof header, "%s\n", field);
    format_good(format_write("e.nrrd", header, one, packed), VOLUME_INT16);
    // Of two volumes at the end the first.
    static const char pair[] = "NRRD0004\ntype: short\ndimension: 4\nsizes: 4 3 5 2\n"
                               "kinds: space space space list\nendian: little\n"
                               "byte skip: -1\nencoding: ";
    scratch_write("w.nii.gz", two, all);
    snprintf(header, sizeof header, "%sgzip\ndata file: w.nii.gz\n", pair);
    format_warned(format_write("e.nhdr", header, "", 0), VOLUME_INT16, "2 volumes; the first");
    scratch_write("w.nii", plain, front + 2 * size);
    snprintf(header, sizeof header, "%sraw\ndata file: w.nii\n", pair);
    format_warned(format_write("e.nhdr", header, "", 0), VOLUME_INT16, "2 volumes; the first");
    // One volume in each of two files.
    snprintf(header, sizeof header, "%sgzip\ndata file: LIST\nv.nii.gz\nw.nii.gz\n", pair);
    format_warned(format_write("e.nhdr", header, "", 0), VOLUME_INT16, "2 volumes; the first");
    // A layer of each of five files, of one that is all there.
    free(two);
    for (size_t i = 0; i < FORMAT_D; i++) {
        char name[20];
        memcpy(plain + front, bytes + i * size / FORMAT_D, size / FORMAT_D);
        two = format_deflate(plain + i, front + size / FORMAT_D - i, 31, &all);
        snprintf(name, sizeof name, "l%zu.gz", i);
        scratch_write(name, two, all);
        free(two);
    }
    snprintf(header, sizeof header, "%sdata file: l%%d.gz 0 4 1\n", field);
    format_good(format_write("e.nhdr", header, "", 0), VOLUME_INT16);
    // Too few files, and an incomplete one.
    two = format_deflate(bytes, size - 1, 31, &all);
    snprintf(header, sizeof header, "%s\n", field);
    format_refused(
        format_write("e.nrrd", header, two, all), PROBLEM_INPUT,
        "119 bytes of samples, inflated, but the header asks for 120");
    format_refused(
        format_write("e.nrrd", header, one, packed - 9), PROBLEM_INPUT, "ends too early");
    free(two);
    free(one);
    free(plain);
    free(bytes);
}

static void text_and_hex(void **state)
{
    (void)state;
    static const char text[] =
        "NRRD0001\ntype: %s\ndimension: 3\nsizes: 2 2 2\nencoding: ascii\n\n%s";
    static const struct {
        const char *type, *samples, *part; // NULL: good
    } cases[] = {
        { "uchar", "0 1 2 3 4 5 6 255", NULL },
        { "uchar", "0,1,2,3\n4\r\n5\t6 255", NULL },
        { "uchar", "0 1 2 3 4 5 6 256", "'256' among its samples is out of the range" },
        { "uchar", "0 1 2 3 4 5 6 -1", "out of the range" },
        { "short", "0 1 2 3 4 5 6 -32768", NULL },
        { "short", "0 1 2 3 4 5 6 -32769", "out of the range" },
        { "short", "0 1 2 3 4 5 6 nan", "out of the range" },
        { "short", "0 1 2 3 4 5 6 1.5", "not a whole number" },
        { "short", "0 1 2 3 4 5 6", "too few" },
        { "short", "0 1 2 3 4 5         6", "ends before the last" },
        { "short", "0 1 2 3 4 5 6 x", "'x' among its samples is not a number" },
        { "short", "0 1 2 3 4 5 6 0x10", "is not a number" },
        { "float", "0 1 2 3 4 5 -6e-3 .5", NULL },
        { "float", "0 1 2 3 4 nan -inf Infinity", NULL },
        { "double", "0 1 2 3 4 5 6 1e999", "too large" },
        { "float", "0 1 2 3 4 5 6 1,5", NULL }, // 1 and 5: the rest is ignored
        { "int64", "0 1 2 3 4 5 6 4294967296", "out of the range" },
        { "float",
          "0 1 2 3 4 5 6 "
          "0.0000000000000000000000000000000000000000000000000000000000000000001",
          "not a number" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char header[400];
        snprintf(header, sizeof header, text, cases[i].type, cases[i].samples);
        const char *path = format_write("t.nrrd", header, "", 0);
        struct volume volume;
        struct problem problem = { 0 };
        if (cases[i].part) {
            format_refused(path, PROBLEM_INPUT, cases[i].part);
        } else if (!volume_read(path, NULL, &volume, &problem)) {
            fail_msg("%s: %s", cases[i].samples, problem.text);
        } else {
            assert_true(volume_sample(&volume, 1, 1, 0) == 3);
            volume_destroy(&volume);
        }
    }
    static const char hex[] =
        "NRRD0001\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: hex\n\n";
    format_refused(format_write("h.nrrd", hex, "000102030405067", 15), PROBLEM_INPUT, "hex digits");
    format_refused(
        format_write("h.nrrd", hex, "00010203040506 7", 16), PROBLEM_INPUT, "ends before the last");
    format_refused(
        format_write("h.nrrd", hex, "000102030405060g", 16), PROBLEM_INPUT, "not a hex digit");
}

static void data_in_other_files(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    const size_t slice = size / FORMAT_D;
    mkdir(scratch("parts"), 0700);
    scratch_write("all.raw", bytes, size);
    scratch_write("my data.raw", bytes, size);
    scratch_write("parts/all.raw", bytes, size);
    for (size_t i = 0; i < FORMAT_D; i++) {
        char name[40];
        snprintf(name, sizeof name, "parts/s%03zu.raw", 2 * i);
        scratch_write(name, bytes + i * slice, slice);
        snprintf(name, sizeof name, "p%%%zu", i);
        scratch_write(name, bytes + i * slice, slice);
    }
    scratch_write("low", bytes, slice);
    scratch_write("high", bytes + slice, size - slice);
    static const struct format_case good[] = {
        { "data file: all.raw\n" },
        { "datafile: ./all.raw\n" },
        { "data file: my data.raw\n" },
        { "data file: parts/all.raw\n\nwhat stands behind is passed over" },
        { "data file: all.raw" }, // the file ends without a line end
        { "data file: parts/s%03d.raw 0 8 2\n" },
        { "data file: parts/s%03i.raw 0 8 2 2\n" },
        { "data file: p%%%d 0 4 1\n" },
        { "data file: LIST\nparts/s000.raw\nparts/s002.raw\nparts/s004.raw\nparts/s006.raw\r\n"
          "parts/s008.raw" },
        { "data file: LIST 2\nparts/s000.raw\nparts/s002.raw\n./parts/s004.raw\nparts/s006.raw\n"
          "parts/s008.raw\n\n" },
        { "data file: LIST 3\nall.raw\n" },
    };
    format_cases("d.nhdr", RAW, "", FORMAT_CASES(good));
    // Slices the other way round.
    struct volume volume;
    struct problem problem;
    assert_true(volume_read(
        format_write("d.nhdr", RAW "data file: parts/s%03d.raw 8 0 -2\n", "", 0), NULL, &volume,
        &problem));
    assert_true(volume_sample(&volume, 0, 0, 4) == format_value(VOLUME_INT16, 0));
    volume_destroy(&volume);

    assert_int_equal(symlink("/etc/passwd", scratch("escape")), 0);
    assert_int_equal(symlink("../../../../../../etc/passwd", scratch("parts/up")), 0);
    assert_int_equal(symlink("all.raw", scratch("inside")), 0);
    assert_int_equal(mkfifo(scratch("pipe"), 0600), 0);
    format_good(format_write("d.nhdr", RAW "data file: inside\n", "", 0), VOLUME_INT16);
    static const struct format_case bad[] = {
        { "data file: /etc/passwd\n", "leads out" },
        { "data file: ../x.raw\n", "out of the header's folder" },
        { "data file: parts/../all.raw\n", "out of the header's folder" },
        { "data file: parts/..\n", "out of the header's folder" },
        { "data file: escape\n", "out of the header's folder" },
        { "data file: parts/up\n", "out of the header's folder" },
        { "data file: parts\n", "directory" },
        { "data file: parts/\n", "folder" },
        { "data file: pipe\n", "pipe" },
        { "data file: missing.raw\n", "No such file" },
        { "data file:\n", "is empty" },
        { "data file: low\n", "24 bytes of samples, but the header asks for 120" },
        { "data file: parts/s%03d.raw 0 6 2\n", "names 4 data files, but its sizes ask for 5",
          PROBLEM_INPUT },
        { "data file: parts/s%03d.raw 0 10 2\n", "names 6 data files" },
        { "data file: parts/s%03d.raw 0 8 0\n", "name no files" },
        { "data file: parts/s%03d.raw 8 0 2\n", "name no files" },
        { "data file: parts/s%03d.raw 0 8 -2\n", "name no files" },
        { "data file: parts/s%03d.raw -1 3 1\n", "name no files" },
        { "data file: s%d 0 1000000000 1\n", "names 1000000001 files" },
        { "data file: s%s 0 4 1\n", "pattern 's%s' is not understood" },
        { "data file: s%n%d 0 4 1\n", "not understood" },
        { "data file: s%d%d 0 4 1\n", "not understood" },
        { "data file: s%*d 0 4 1\n", "not understood" },
        { "data file: s%99d 0 4 1\n", "not understood" },
        { "data file: s%ld 0 4 1\n", "not understood" },
        { "data file: s%% 0 4 1\n", "not understood" },
        { "data file: s% 0 4 1\n", "not understood" },
        { "data file: LIST\n", "names 0 data files" },
        { "data file: LIST 9\nall.raw\n", "'9'" },
        { "data file: LIST 3\nlow\nhigh\n", "names 2 data files" },
        { "data file: LIST\nall.raw\n", "names 1 data files, but its sizes ask for 5",
          PROBLEM_INPUT },
        { "data file: LIST\nparts/s000.raw\nparts/s002.raw\n/etc/passwd\nparts/s006.raw\n"
          "parts/s008.raw\n",
          "leads out" },
    };
    format_cases("d.nhdr", RAW, "", FORMAT_CASES(bad));
    // A name that is too long, and a list of names that is too long.
    char *large = malloc(300000);
    size_t length = (size_t)sprintf(large, "%sdata file: LIST 3\n", RAW);
    memset(large + length, 'x', 4096);
    format_refused(scratch_write("d.nhdr", large, length + 4096), PROBLEM_INPUT, "x', is too long");
    for (size_t i = 0; i < 100001; i++) {
        memcpy(large + length + 2 * i, "x\n", 2);
    }
    format_refused(
        scratch_write("d.nhdr", large, length + 200002), PROBLEM_INPUT,
        "more than 100000 data files");
    free(large);
    format_refused(
        format_write("d.nhdr", RAW "byte skip: -1\ndata file: low\n", "", 0), PROBLEM_INPUT,
        "24 bytes in all, but the header asks for 120");
    // One slice a byte short; one byte long.
    scratch_write("parts/s004.raw", bytes, slice - 1);
    format_refused(
        format_write("d.nhdr", RAW "data file: parts/s%03d.raw 0 8 2\n", "", 0), PROBLEM_INPUT,
        "parts/s004.raw' has 23 bytes of samples, but the header asks for 24");
    scratch_write("all.raw", bytes, size - 1);
    format_refused(
        format_write("d.nhdr", RAW "data file: all.raw\n", "", 0), PROBLEM_INPUT, "119 bytes");
    free(bytes);
}

#define FULL(encoding, rest)                                                                       \
    "NRRD0004\n# comment\ntype: short\ndimension: 3\nspace: left-posterior-superior\n"             \
    "sizes: 4 3 5\nspace directions: (1,0,0) (0,1,0) (0,0,1)\nkinds: domain domain domain\n"       \
    "endian: little\nencoding: " encoding "\nspace origin: (0,0,0)\nline skip: 0\n" rest "\n"

static void cut_and_scrambled(void **state)
{
    (void)state;
    static const char *const headers[] = {
        FULL("raw", ""),
        FULL("gzip", ""),
        FULL("ascii", ""),
        FULL("raw", "data file: all.raw 1 2 3\n"),
    };
    format_break("nrrd", "nhdr", 31, 8, headers);
}

static void real_files(void **state)
{
    (void)state;
    static const double one[] = { 1, 1, 1 }, head[] = { 3.2, 3.2, 1.5 };
    static const double fetal[] = { 0.859375, 0.859375, 0.859375 };
    static const uint32_t tooth[] = { 103, 94, 161 };
    const bool all =
        format_data("tooth.nrrd", tooth, VOLUME_UINT8, one, 132.5, 375104) &
        format_data("tooth16/tooth.nhdr", tooth, VOLUME_UINT16, one, 652.5, 381460) &
        format_data(
            "headsq/quarter.nhdr", (uint32_t[]){ 64, 64, 93 }, VOLUME_INT16, head, 1150.5, 34240) &
        format_data(
            "fetal_template_T2.nrrd", (uint32_t[]){ 117, 159, 126 }, VOLUME_FLOAT32, fetal, 226.3,
            179183);
    if (!all) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_in_both_orders),
        cmocka_unit_test(wide_integers_that_do_not_fit),
        cmocka_unit_test(the_grammar),
        cmocka_unit_test(labels),
        cmocka_unit_test(sizes_and_dimensions),
        cmocka_unit_test(more_axes_than_three),
        cmocka_unit_test(where_it_lies),
        cmocka_unit_test(skips_and_compression),
        cmocka_unit_test(the_end_of_a_gzip_file),
        cmocka_unit_test(text_and_hex),
        cmocka_unit_test(data_in_other_files),
        cmocka_unit_test(cut_and_scrambled),
        cmocka_unit_test(real_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
