// The MetaImage reader and every pitfall of the format, with files made here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/formats.h"

#define HEAD  "ObjectType = Image\nNDims = 3\nDimSize = 4 3 5\nElementType = MET_SHORT\n"
#define LOCAL "ElementDataFile = LOCAL\n"

#define attached(header) format_text("a.mha", header)
#define detached(header) format_text("d.mhd", header)

static void check_type(const char *name, enum volume_type type, bool wide)
{
    char header[400];
    for (int big = 0; big < 2; big++) {
        size_t size, packed;
        unsigned char *bytes = format_samples(type, wide, big, FORMAT_COUNT, &size);
        snprintf(
            header, sizeof header, "NDims = 3\nDimSize = 4 3 5\n%s = %s\nElementType = %s\n" LOCAL,
            strlen(name) % 2 ? "BinaryDataByteOrderMSB" : "ElementByteOrderMSB",
            big ? "True" : "False", name);
        format_good(format_write("t.mha", header, bytes, size), type);
        // zlib and gzip, with and without the compressed size.
        for (int kind = 0; kind < 4; kind++) {
            unsigned char *gz = format_deflate(bytes, size, kind % 2 ? 31 : 15, &packed);
            char said[60] = "";
            if (kind / 2) {
                snprintf(said, sizeof said, "CompressedDataSize = %zu\n", packed);
            }
            snprintf(
                header, sizeof header,
                "NDims = 3\nDimSize = 4 3 5\nBinaryDataByteOrderMSB = %s\nElementType = %s\n"
                "CompressedData = True\n%s" LOCAL,
                big ? "1" : "0", name, said);
            format_good(format_write("z.mha", header, gz, packed), type);
            free(gz);
        }
        free(bytes);
    }
    char text[40 * FORMAT_COUNT], *at = text;
    for (unsigned n = 0; n < FORMAT_COUNT; n++) {
        at += sprintf(at, n % 5 ? "%.0f " : "%.0f\n", format_value(type, n));
    }
    snprintf(
        header, sizeof header,
        "NDims = 3\nDimSize = 4 3 5\nBinaryData = False\nElementType = %s\n" LOCAL, name);
    format_good(format_write("x.mha", header, text, (size_t)(at - text)), type);
}

static void every_type_in_both_orders(void **state)
{
    (void)state;
    format_types(false, check_type);
}

static void the_grammar(void **state)
{
    (void)state;
    static const char *const good[] = {
        HEAD LOCAL,
        HEAD "ElementDataFile = Local\n",
        HEAD "ElementDataFile = local\n",
        "\n\nNDims: 3\nDimSize : 4 3 5\nElementType=MET_SHORT\nElementDataFile:LOCAL\n",
        "ObjectType = Image\r\nNDims = 3\r\nDimSize =  4\t3 5 \r\nElementType = MET_SHORT\r\n"
        "ElementDataFile = LOCAL\r\n",
        "Comment = anything: at = all\n" HEAD "WhatEver = 1 2 3\nModality = MET_MOD_CT\n" LOCAL,
        HEAD "BinaryData = true\nBinaryDataByteOrderMSB = f\nElementByteOrderMSB = f\n" LOCAL,
        HEAD "ElementNumberOfChannels = 1\nCompressedData = False\nCompressedDataSize = 7\n" LOCAL,
        HEAD "HeaderSize = -1\n" LOCAL,
        "NDims = 4\nDimSize = 4 3 5 1\nElementType = MET_SHORT\n" LOCAL,
        "NDims = 4\nDimSize = 4 3 5 1\nElementType = MET_SHORT\nOffset = 0 0 0 3\n"
        "ElementSpacing = 1 1 1 0\nTransformMatrix = 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n" LOCAL,
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        format_good(attached(good[i]), VOLUME_INT16);
    }
    format_warned(
        attached(HEAD "ElementToIntensityFunctionSlope = 2\n" LOCAL), VOLUME_INT16, "as stored");
    static const struct format_case bad[] = {
        { "NDims = 3\nElementType = MET_SHORT\n" LOCAL, "no DimSize" },
        { "NDims = 3\nDimSize = 4 3 5\n" LOCAL, "no ElementType" },
        { "DimSize = 4 3 5\nElementType = MET_SHORT\n" LOCAL, "no NDims" },
        { "ObjectType = Tube\nNDims = 3\nDimSize = 4 3 5\nElementType = MET_SHORT\n" LOCAL,
          "ObjectType = 'Tube'" },
        { HEAD "just words\n" LOCAL, "line 5: 'just words' is not a field" },
        { HEAD "NDims = 4\n" LOCAL, "'3' was given before" },
        { HEAD "ElementByteOrderMSB = True\nBinaryDataByteOrderMSB = False\n" LOCAL,
          "was given before" },
        { HEAD "ElementNumberOfChannels = 3\n" LOCAL, "one channel" },
        { HEAD "ElementNumberOfChannels = 0\n" LOCAL, "ElementNumberOfChannels = '0'" },
        { HEAD "ElementNumberOfChannels = -1\n" LOCAL, "ElementNumberOfChannels = '-1'" },
        { HEAD "ElementNumberOfChannels = 2147483648\n" LOCAL, "ElementNumberOfChannels" },
        { "NDims = 3\nDimSize = 4 3 5\nElementType = MET_FLOAT_ARRAY\n" LOCAL, "a scalar" },
        { "NDims = 3\nDimSize = 4 3 5\nElementType = %s%n\n" LOCAL, "'%s%n'" },
        { HEAD "BinaryData = False\nCompressedData = True\n" LOCAL, "CompressedData = 'True'" },
        { HEAD "HeaderSize = -2\n" LOCAL, "HeaderSize = '-2'" },
        { HEAD "HeaderSize = 1e3\n" LOCAL, "HeaderSize = '1e3'" },
        { HEAD "HeaderSize = 3\n" LOCAL, "no less than the header" },
        { HEAD "HeaderSize = 1000000\n" LOCAL, "should begin at byte 1000000" },
        { HEAD "HeaderSize = -1\nCompressedData = True\n" LOCAL, "HeaderSize = '-1'" },
        { HEAD "CompressedData = True\nCompressedDataSize = -5\n" LOCAL, "CompressedDataSize" },
        { HEAD "CompressedData = True\nCompressedDataSize = 5000\n" LOCAL,
          "120 bytes of encoded samples, but the header asks for 5000" },
        { HEAD "CompressedData = True\n" LOCAL, "no valid compressed samples" },
        { HEAD "ElementSpacing = 1 1\n" LOCAL, "expected 3 numbers" },
        { HEAD "ElementSpacing = 1 1 x\n" LOCAL, "expected 3 numbers" },
        { HEAD "ElementSpacing = 1 0 1\n" LOCAL, "is not a spacing" },
        { HEAD "ElementSize = 1 1 nan\n" LOCAL, "is not a spacing" },
        { HEAD "ElementSpacing = inf 1 1\n" LOCAL, "is not a spacing" },
        { HEAD "Offset = 0 0\n" LOCAL, "expected 3 numbers" },
        { HEAD "Offset = 0 0 nan\n" LOCAL, "not finite" },
        { HEAD "TransformMatrix = 1 0 0 0 1 0\n" LOCAL, "expected 9 numbers" },
        { HEAD "TransformMatrix = 1 0 0 1 0 0 0 0 1\n" LOCAL, "one plane" },
        { HEAD "TransformMatrix = 1 0 0 0 0 0 0 0 1\n" LOCAL, "is not a spacing" },
        { HEAD "TransformMatrix = 1 0 0 0 nan 0 0 0 1\n" LOCAL, "is not a spacing" },
    };
    format_cases("a.mha", "", "", FORMAT_CASES(bad));
    format_refused(detached(HEAD), PROBLEM_INPUT, "no ElementDataFile");
    // An array of 4097 numbers, a word of 5000 bytes, a NUL, a header without an end.
    char *large = malloc(2 << 20);
    char *at = large + sprintf(large, HEAD "ElementSpacing =");
    for (int i = 0; i < 2000; i++) {
        at += sprintf(at, " 1");
    }
    strcpy(at, "\n" LOCAL);
    format_refused(detached(large), PROBLEM_INPUT, "expected 3 numbers");
    memset(large, 'x', 5000);
    memcpy(large, "Comment = ", 10);
    strcpy(large + 5000, "\n" HEAD LOCAL);
    format_refused(detached(large), PROBLEM_INPUT, "longer than 4096");
    format_refused(format_write("n.mha", HEAD "El", "\0ement = 1\n", 11), PROBLEM_INPUT, "NUL");
    strcpy(large, HEAD);
    for (at = large + strlen(large); at < large + (2 << 20) - 20; at += 16) {
        memcpy(at, "SomeKey = Values\n", 16);
        at[15] = '\n';
    }
    format_refused(
        scratch_write("l.mha", large, (size_t)(at - large)), PROBLEM_LIMIT, "larger than 1 MiB");
    free(large);
}

static void sizes(void **state)
{
    (void)state;
    static const struct format_sizes bad[] = {
        { "0", "4 3 5", "NDims = '0'", PROBLEM_INPUT },
        { "-1", "4 3 5", "NDims = '-1'", PROBLEM_INPUT },
        { "2", "4 3", "NDims = '2'", PROBLEM_INPUT },
        { "11", "4 3 5 1 1 1 1 1 1 1 1", "NDims = '11'", PROBLEM_INPUT },
        { "3", "4 3", "DimSize has 2 values", PROBLEM_INPUT },
        { "3", "4 3 5 1", "DimSize has 4 values", PROBLEM_INPUT },
        { "3", "4 0 5", "DimSize", PROBLEM_INPUT },
        { "3", "4 -3 5", "DimSize", PROBLEM_INPUT },
        { "3", "4 3e1 5", "DimSize", PROBLEM_INPUT },
        { "3", "4 1 15", "two samples along each axis", PROBLEM_INPUT },
        { "3", "4 3 18446744073709551616", "limit", PROBLEM_LIMIT },
        { "3", "2147483647 2147483647 2147483647", "64 bits", PROBLEM_LIMIT },
        { "5", "4 3 5 4294967296 4294967296", "64 bits", PROBLEM_LIMIT },
        { "3", "65536 65536 2", "the header asks for 17179869184", PROBLEM_INPUT },
        { "3", "5 3 5", "the header asks for 150", PROBLEM_INPUT },
        { "3", "4 4 5", "the header asks for 160", PROBLEM_INPUT },
        { "3", "4 3 6", "the header asks for 144", PROBLEM_INPUT },
        { "4", "4 3 5 2", "the header asks for 240", PROBLEM_INPUT },
    };
    format_sizes(
        "a.mha", "NDims = %s\nDimSize = %s\nElementType = MET_SHORT\n" LOCAL, FORMAT_CASES(bad));
    // One byte more, one byte less, and none at all.
    size_t size, packed;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    unsigned char *more = calloc(2, size);
    memcpy(more, bytes, size);
    format_warned(format_write("m.mha", HEAD LOCAL, more, size + 1), VOLUME_INT16, "1 byte after");
    format_refused(
        format_write("m.mha", HEAD LOCAL, more, size - 1), PROBLEM_INPUT, "119 bytes of samples");
    format_refused(format_write("m.mha", HEAD LOCAL, "", 0), PROBLEM_INPUT, "0 bytes of samples");
    // The compressed size: if it is too small, the stream is used, with a note; if it is too large,
    // the file is cut.
    unsigned char *gz = format_deflate(bytes, size, 15, &packed);
    for (int off = -1; off <= 1; off++) {
        char header[300];
        snprintf(
            header, sizeof header, HEAD "CompressedData = True\nCompressedDataSize = %zu\n" LOCAL,
            (size_t)((long)packed + off));
        const char *path = format_write("z.mha", header, gz, packed);
        if (off == 0) {
            format_good(path, VOLUME_INT16);
        } else if (off < 0) {
            format_warned(path, VOLUME_INT16, "they are read to their end");
        } else {
            format_refused(path, PROBLEM_INPUT, "bytes of encoded samples");
        }
    }
    char header[300];
    snprintf(
        header, sizeof header, HEAD "CompressedData = True\nCompressedDataSize = 3\n%s", LOCAL);
    format_warned(
        format_write("z.mha", header, gz, packed), VOLUME_INT16,
        "bytes, more than the 3 that its header says");
    format_refused(
        format_write("z.mha", header, gz, packed - 1), PROBLEM_INPUT,
        "has no valid compressed samples: it ends too early");
    // In a separate file it is not a gzip file either, and bytes after the stream are ignored, even
    // if they look like gzip.
    snprintf(
        header, sizeof header,
        HEAD "CompressedData = True\nCompressedDataSize = %zu\nElementDataFile = z.zraw\n", packed);
    format_write("z.mhd", header, "", 0);
    scratch_write("z.zraw", gz, packed - 1);
    format_refused(scratch("z.mhd"), PROBLEM_INPUT, "bytes of encoded samples");
    unsigned char *longer = calloc(1, packed + 20);
    memcpy(longer, gz, packed);
    memcpy(longer + packed, "\x1f\x8b\x08 not gzip", 11);
    scratch_write("z.zraw", longer, packed + 20);
    format_good(scratch("z.mhd"), VOLUME_INT16);
    longer[packed / 2] ^= 0x55;
    scratch_write("z.zraw", longer, packed + 20);
    format_refused(scratch("z.mhd"), PROBLEM_INPUT, "z.zraw' has no valid compressed samples");
    free(longer);
    // Like MetaIO, 0 or no size means the rest of the file.
    format_good(
        format_write(
            "z.mha", HEAD "CompressedData = True\nCompressedDataSize = 0\n" LOCAL, gz, packed),
        VOLUME_INT16);
    // Several volumes.
    format_warned(
        format_write(
            "f.mha", "NDims = 4\nDimSize = 4 3 5 2\nElementType = MET_SHORT\n" LOCAL, more,
            2 * size),
        VOLUME_INT16, "2 volumes; the first");
    free(gz);
    free(more);
    free(bytes);
}

static void where_it_lies(void **state)
{
    (void)state;
    static const struct format_place places[] = {
        { "", { 1, 1, 1 }, { 0, 0, 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, VOLUME_FRAME_UNSAID },
        { "ElementSize = 2 3 4\n",
          { 2, 3, 4 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "ElementSize = 2 3 4\nElementSpacing = 5 6 0.00002\n",
          { 5, 6, 0.00002 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        { "Offset = 1 -2 3\nAnatomicalOrientation = RAI\n",
          { 1, 1, 1 },
          { 1, -2, 3 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        { "Position = 1 -2 3\nAnatomicalOrientation = ???\n",
          { 1, 1, 1 },
          { 1, -2, 3 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_UNSAID },
        // The anatomical orientation is ignored: LPS is assumed.
        { "Origin = 1 -2 3\nAnatomicalOrientation = LPI\nTransformMatrix = 1 0 0 0 1 0 0 0 1\n",
          { 1, 1, 1 },
          { 1, -2, 3 },
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        // The first three numbers are the x axis: it runs along +y, y along -x.
        { "TransformMatrix = 0 1 0 -1 0 0 0 0 1\nElementSpacing = 2 3 4\n",
          { 2, 3, 4 },
          { 0, 0, 0 },
          { 0, -1, 0, 1, 0, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        { "Rotation = 1 0 0 0 1 0 0 0 -1\n",
          { 1, 1, 1 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, 1, 0, 0, 0, -1 },
          VOLUME_FRAME_LPS },
        // A negative spacing mirrors the axis; rows that are not unit vectors do not scale it.
        { "Orientation = 2 0 0 0 2 0 0 0 2\nElementSpacing = 1 -3 1\n",
          { 1, 3, 1 },
          { 0, 0, 0 },
          { 1, 0, 0, 0, -1, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
        { "FileFormatVersion = 1\nElementOrigin = 4 5 6\n"
          "ElementDirection = 0.6 0.8 0 -0.8 0.6 0 0 0 1\n",
          { 1, 1, 1 },
          { 4, 5, 6 },
          { 0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1 },
          VOLUME_FRAME_LPS },
    };
    format_places("a.mha", HEAD, LOCAL, FORMAT_CASES(places));
}

static void data_in_other_files(void **state)
{
    (void)state;
    size_t size, packed;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    unsigned char *gz = format_deflate(bytes, size, 15, &packed);
    unsigned char *skipped = malloc(size + 10);
    const size_t slice = size / FORMAT_D;
    memset(skipped, 'h', 10);
    memcpy(skipped + 10, bytes, size);
    mkdir(scratch("parts"), 0700);
    scratch_write("all.raw", bytes, size);
    scratch_write("my data.raw", bytes, size);
    scratch_write("100%.raw", bytes, size);
    scratch_write("all.zraw", gz, packed);
    scratch_write("head.raw", skipped, size + 10);
    for (size_t i = 0; i < FORMAT_D; i++) {
        char name[40];
        snprintf(name, sizeof name, "parts/s%03zu.raw", i + 1);
        scratch_write(name, bytes + i * slice, slice);
        unsigned char *part = format_deflate(bytes + i * slice, slice, 15, &packed);
        snprintf(name, sizeof name, "parts/z%zu", i + 1);
        scratch_write(name, part, packed);
        free(part);
    }
    assert_int_equal(symlink("/etc/passwd", scratch("escape")), 0);
    static const struct format_case cases[] = {
        { "ElementDataFile = all.raw\n", NULL },
        { "ElementDataFile = all.raw", NULL },
        { "ElementDataFile = all.raw\n\n  \n", NULL },
        { "ElementDataFile = my data.raw\n", NULL },
        { "ElementDataFile = 100%.raw\n", NULL },
        { "CompressedData = True\nElementDataFile = all.zraw\n", NULL },
        { "HeaderSize = 10\nElementDataFile = head.raw\n", NULL },
        { "HeaderSize = -1\nElementDataFile = head.raw\n", NULL },
        { "HeaderSize = 11\nElementDataFile = head.raw\n", "119 bytes of samples" },
        { "ElementDataFile = parts/s%03d.raw 1 5 1\n", NULL },
        { "ElementDataFile = parts/s%03d.raw 1 5\n", NULL },
        { "ElementDataFile = parts/s%03d.raw 1\n", NULL },
        { "ElementDataFile = parts/s%03d.raw\n", NULL },
        { "CompressedData = True\nCompressedDataSize = 3\nElementDataFile = parts/z%d 1 5 1\n",
          NULL },
        { "ElementDataFile = LIST\nparts/s001.raw\nparts/s002.raw\nparts/s003.raw\n"
          "parts/s004.raw\r\nparts/s005.raw",
          NULL },
        { "ElementDataFile = LIST 2D\nparts/s001.raw\nparts/s002.raw\nparts/s003.raw\n"
          "parts/s004.raw\nparts/s005.raw\n",
          NULL },
        { "ElementDataFile = LIST 3\nall.raw\n", NULL },
        { "ElementDataFile = LIST 4\nall.raw\n", "the axes of a file" },
        { "ElementDataFile = LIST x\nall.raw\n", "the axes of a file" },
        { "ElementDataFile = LIST\nall.raw\n", "names 1 data files, but DimSize asks for 5" },
        { "ElementDataFile = LIST\n", "names 0 data files" },
        { "ElementDataFile = parts/s%03d.raw 1 4 1\n", "names 4 data files" },
        { "ElementDataFile = parts/s%03d.raw 1 1000000000 1\n", "names 1000000000 files" },
        { "ElementDataFile = parts/s%03d.raw 1 5 0\n", "name no files" },
        { "ElementDataFile = parts/%s 1 5 1\n", "not understood" },
        { "ElementDataFile = parts/%n%d 1 5 1\n", "not understood" },
        { "ElementDataFile = parts/s%03d.raw 2 6 1\n", "No such file" },
        { "ElementDataFile = all.raw\nElementSpacing = 2 2 2\n", "after ElementDataFile" },
        { "ElementDataFile = /etc/passwd\n", "leads out" },
        { "ElementDataFile = ../all.raw\n", "out of the header's folder" },
        { "ElementDataFile = escape\n", "out of the header's folder" },
        { "ElementDataFile = missing.raw\n", "No such file" },
        { "ElementDataFile = parts\n", "directory" },
        { "ElementDataFile =\n", "is empty" },
    };
    format_cases("d.mhd", HEAD, "", FORMAT_CASES(cases));
    scratch_write("parts/s003.raw", bytes, slice - 1);
    format_refused(
        detached(HEAD "ElementDataFile = parts/s%03d.raw\n"), PROBLEM_INPUT,
        "parts/s003.raw' has 23 bytes of samples");
    free(skipped);
    free(gz);
    free(bytes);
}

#define FULL(binary, compressed, file)                                                             \
    "ObjectType = Image\nNDims = 3\nBinaryData = " binary "\nBinaryDataByteOrderMSB = False\n"     \
    "CompressedData = " compressed "\nTransformMatrix = 1 0 0 0 1 0 0 0 1\n"                       \
    "Offset = -152.461 -148.986 3\nElementSpacing = 2.5 2.5 5\nHeaderSize = 0\n"                   \
    "DimSize = 4 3 5\nElementType = MET_SHORT\nElementDataFile = " file "\n"

static void cut_and_scrambled(void **state)
{
    (void)state;
    static const char *const headers[] = {
        FULL("True", "False", "LOCAL"),
        FULL("True", "True", "LOCAL"),
        FULL("False", "False", "LOCAL"),
        FULL("True", "False", "all.raw 1 2 3"),
    };
    format_break("mha", "mhd", 15, 0, headers);
}

static void real_files(void **state)
{
    (void)state;
    static const double lung[] = { 2.732, 2.732, 5 }, head[] = { 4, 4, 4 };
    const bool all =
        format_data(
            "3DCT_lung_baseline_small.mha", (uint32_t[]){ 57, 78, 64 }, VOLUME_INT16, lung, -300.5,
            167218) &
        format_data(
            "HeadMRVolume.mhd", (uint32_t[]){ 48, 62, 42 }, VOLUME_UINT8, head, 41.5, 31497);
    if (!all) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_in_both_orders),
        cmocka_unit_test(the_grammar),
        cmocka_unit_test(sizes),
        cmocka_unit_test(where_it_lies),
        cmocka_unit_test(data_in_other_files),
        cmocka_unit_test(cut_and_scrambled),
        cmocka_unit_test(real_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
