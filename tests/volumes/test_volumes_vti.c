// ctest: heavy
// VTK ImageData: every encoding that VTK writes, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

#include <zlib.h>

static const struct volume_params nothing;

#define COUNT 24 // samples of 4 x 3 x 2

static const struct {
    const char *name;
    enum volume_type type;
    bool wide;
} kinds[] = {
    { "UInt8", VOLUME_UINT8, false },     { "Int8", VOLUME_INT8, false },
    { "UInt16", VOLUME_UINT16, false },   { "Int16", VOLUME_INT16, false },
    { "UInt32", VOLUME_UINT32, false },   { "Int32", VOLUME_INT32, false },
    { "Float32", VOLUME_FLOAT32, false }, { "Float64", VOLUME_FLOAT64, false },
    { "Int64", VOLUME_INT32, true },      { "UInt64", VOLUME_UINT32, true },
};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))
#define FLOAT 6

static double value_of(int kind, int i)
{
    const bool real = kinds[kind].type == VOLUME_FLOAT32 || kinds[kind].type == VOLUME_FLOAT64;
    const bool is_signed = real || kinds[kind].type == VOLUME_INT8 ||
                           kinds[kind].type == VOLUME_INT16 || kinds[kind].type == VOLUME_INT32;
    return (is_signed && i % 2 ? -5 : 5) * i + (real ? 0.25 : 0);
}

enum way { ASCII, INLINE, APPENDED_BASE64, APPENDED_RAW, WAYS };

// How a test's file is written.
struct form {
    int kind;
    enum way way;
    bool zlib, wide_words, big;
    bool padded;        // uncompressed base64: the header on its own, as some writers do
    int values;         // of a sample; 0: one. Two: half as many samples along x
    size_t wrapped;     // a line end behind so many characters of base64; 0: none
    uint64_t block;     // bytes of a zlib block; 0: 40
    int64_t count_off;  // added to the byte count in the header
    int64_t blocks_off; // to the number of blocks
    int64_t packed_off; // to the packed size of the first block
    const char *extent, *place;
};

static void put_base64(struct bytes *out, const unsigned char *from, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const unsigned a = from[i];
        const unsigned b = i + 1 < size ? from[i + 1] : 0, c = i + 2 < size ? from[i + 2] : 0;
        put_text(
            out, "%c%c%c%c", digits[a >> 2], digits[(a & 3) << 4 | b >> 4],
            i + 1 < size ? digits[(b & 15) << 2 | c >> 6] : '=',
            i + 2 < size ? digits[c & 63] : '=');
    }
}

static struct bytes samples_of(const struct form *form)
{
    struct bytes samples = { .size = 0 };
    for (int i = 0; i < COUNT; i++) {
        if (kinds[form->kind].wide) {
            put_bits(&samples, (uint64_t)(int64_t)value_of(form->kind, i), 8, form->big);
        } else {
            put_sample(&samples, value_of(form->kind, i), kinds[form->kind].type, form->big);
        }
    }
    return samples;
}

static struct bytes straight_contents_of(const struct form *form)
{
    struct bytes out = { .size = 0 };
    if (form->way == ASCII) {
        for (int i = 0; i < COUNT; i++) {
            put_text(&out, "%s%g", i % 7 == 0 ? "\n  " : " ", value_of(form->kind, i));
        }
        return out;
    }
    const struct bytes samples = samples_of(form);
    const size_t word = form->wide_words ? 8 : 4;
    struct bytes head = { .size = 0 }, body = { .size = 0 };
    if (form->zlib) {
        const size_t block = form->block ? form->block : 40;
        const size_t last = samples.size % block;
        const size_t blocks = samples.size / block + (last != 0);
        put_bits(&head, blocks + (uint64_t)form->blocks_off, word, form->big);
        put_bits(&head, block, word, form->big);
        put_bits(&head, last, word, form->big);
        for (size_t i = 0; i < blocks; i++) {
            unsigned char packed[400];
            uLongf size = sizeof packed;
            const size_t begin = i * block;
            const size_t n = samples.size - begin < block ? samples.size - begin : block;
            assert_int_equal(compress(packed, &size, samples.at + begin, n), Z_OK);
            put_bits(&head, size + (i == 0 ? (uint64_t)form->packed_off : 0), word, form->big);
            put_bytes(&body, packed, size);
        }
    } else {
        put_bits(&head, samples.size + (uint64_t)form->count_off, word, form->big);
        put_bytes(&body, samples.at, samples.size);
    }
    if (form->way == APPENDED_RAW) {
        put_bytes(&out, head.at, head.size);
        put_bytes(&out, body.at, body.size);
    } else if (form->zlib || form->padded) {
        put_base64(&out, head.at, head.size);
        put_base64(&out, body.at, body.size);
    } else {
        put_bytes(&head, body.at, body.size);
        put_base64(&out, head.at, head.size);
    }
    return out;
}

// The array's contents as in the file.
static struct bytes contents_of(const struct form *form)
{
    const struct bytes straight = straight_contents_of(form);
    struct bytes out = { .size = 0 };
    if (form->wrapped == 0) {
        return straight;
    }
    for (size_t i = 0; i < straight.size; i += form->wrapped) {
        const size_t left = straight.size - i;
        put_bytes(&out, straight.at + i, left < form->wrapped ? left : form->wrapped);
        put_text(&out, "%s", i / form->wrapped % 2 ? "\r\n" : " ");
    }
    return out;
}

static struct bytes whole(const struct form *form)
{
    static const char *const formats[] = { "ascii", "binary", "appended", "appended" };
    struct bytes out = { .size = 0 };
    const struct bytes contents = contents_of(form);
    const bool appended = form->way == APPENDED_BASE64 || form->way == APPENDED_RAW;
    const char *extent = form->extent        ? form->extent
                         : form->values == 2 ? "0 1 0 2 0 1"
                                             : "0 3 0 2 0 1";
    put_text(
        &out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"0.1\" "
        "byte_order=\"%s\"%s%s>\n"
        "<ImageData WholeExtent=\"%s\" %s>\n<Piece Extent=\"%s\">\n<PointData Scalars=\"a\">\n",
        form->big ? "BigEndian" : "LittleEndian", form->wide_words ? " header_type=\"UInt64\"" : "",
        form->zlib ? " compressor=\"vtkZLibDataCompressor\"" : "", extent,
        form->place ? form->place : "", extent);
    // Data of another array are before it in the appended data.
    put_text(
        &out, "<DataArray type=\"%s\" Name=\"a\" format=\"%s\"%s%s>", kinds[form->kind].name,
        formats[form->way], appended ? " offset=\"8\"" : "",
        form->values == 2 ? " NumberOfComponents=\"2\"" : "");
    if (!appended) {
        put_text(&out, "<InformationKey name=\"x\">9 9 9</InformationKey>\n  ");
        put_bytes(&out, contents.at, contents.size);
    }
    put_text(&out, "\n</DataArray>\n</PointData>\n<CellData/>\n</Piece>\n</ImageData>\n");
    if (appended) {
        put_text(
            &out, "<AppendedData encoding=\"%s\">\n  _%s",
            form->way == APPENDED_RAW ? "raw" : "base64",
            form->way == APPENDED_RAW ? "<<<<&&&&" : "AAAABBBB");
        put_bytes(&out, contents.at, contents.size);
        put_text(&out, "\n</AppendedData>\n");
    }
    put_text(&out, "</VTKFile>\n");
    return out;
}

static const char *write_form(const struct form *form)
{
    const struct bytes bytes = whole(form);
    return write_bytes("a.vti", &bytes);
}

static void check_samples(const struct volume *volume, int kind)
{
    assert_int_equal(volume->file_type, kinds[kind].type);
    assert_true(volume->dim[0] == 4 && volume->dim[1] == 3 && volume->dim[2] == 2);
    for (int i = 0; i < COUNT; i++) {
        const uint32_t x = (uint32_t)i % 4, y = (uint32_t)i / 4 % 3, z = (uint32_t)i / 12;
        assert_true(volume_sample(volume, x, y, z) == value_of(kind, i));
    }
}

static void reads_every_type_in_every_way(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < WAYS * 16; i++) {
            const struct form form = {
                .kind = kind,
                .way = (enum way)(i % WAYS),
                .zlib = i / WAYS & 1,
                .wide_words = i / WAYS & 2,
                .big = i / WAYS & 4,
                .padded = i / WAYS & 8,
            };
            struct volume volume = accepted_saying(write_form(&form), &nothing, NULL);
            check_samples(&volume, kind);
            assert_int_equal(volume.frame, VOLUME_FRAME_UNSAID);
            volume_destroy(&volume);
        }
    }
    // Base64 in lines, also with a single line end far behind.
    for (int i = 0; i < 8; i++) {
        for (size_t wrapped = 1; wrapped < 120; wrapped += wrapped < 40 ? 1 : 19) {
            const struct form form = { .kind = FLOAT,
                                       .way = i % 2 ? INLINE : APPENDED_BASE64,
                                       .zlib = i & 2,
                                       .padded = i & 4,
                                       .wrapped = wrapped };
            struct volume volume = accepted_saying(write_form(&form), &nothing, NULL);
            check_samples(&volume, FLOAT);
            volume_destroy(&volume);
        }
    }
    // Blocks of every size; the last one complete or not.
    for (uint64_t block = 1; block <= 96; block++) {
        const struct form form = { .kind = FLOAT, .way = INLINE, .zlib = true, .block = block };
        struct volume volume = accepted_saying(write_form(&form), &nothing, NULL);
        check_samples(&volume, FLOAT);
        volume_destroy(&volume);
    }
}

static void the_extent_and_the_direction_place_it(void **state)
{
    (void)state;
    struct form form = {
        .kind = 2,
        .way = ASCII,
        .extent = "10 13 -5 -3 7 8",
        .place = "Origin=\"1 2 3\" Spacing=\"0.5 2 1.8e-05\" Direction=\"0 -1 0 1 0 0 0 0 1\"",
    };
    struct volume volume = accepted_saying(write_form(&form), &nothing, NULL);
    check_samples(&volume, 2);
    reals_are(volume.spacing, (double[]){ 0.5, 2, 1.8e-05 }, 3);
    // Origin is where index (0, 0, 0) would be: 10 steps of 0.5 along y, -5 of 2 along -x.
    reals_are(volume.origin, (double[]){ 1 + 10, 2 + 5, 3 + 7 * 1.8e-05 }, 3);
    reals_are(volume.direction, (double[]){ 0, -1, 0, 1, 0, 0, 0, 0, 1 }, 9);
    assert_true(volume.spacing[2] == 1.8e-05);
    volume_destroy(&volume);
    // A negative spacing is a mirrored axis.
    form = (struct form){ .kind = 2, .way = ASCII, .place = "Spacing=\"1 1 -2\"" };
    volume = accepted_saying(write_form(&form), &nothing, NULL);
    reals_are(volume.spacing, (double[]){ 1, 1, 2 }, 3);
    reals_are(volume.direction, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, -1 }, 9);
    volume_destroy(&volume);
    static const struct {
        const char *extent, *place, *word;
    } wrong[] = {
        { "0 3 0 2", NULL, "six numbers" },
        { "0 3 0 2 0 1 0 1", NULL, "six numbers" },
        { "0 3 0 2 1 0", NULL, "six numbers" },
        { "0 3 0 2 0 1e1", NULL, "six numbers" },
        { "0 3 0 2 0 99999999999", NULL, "six numbers" },
        { "0 23 0 0 0 0", NULL, "two samples" },
        { "0 3 0 2 0 2", NULL, "" },
        { "0 3 0 2 0 1", "Spacing=\"1 1 0\"", "not a spacing" },
        { "0 3 0 2 0 1", "Spacing=\"1 1 nan\"", "not finite" },
        { "0 3 0 2 0 1", "Spacing=\"1 1\"", "3 numbers" },
        { "0 3 0 2 0 1", "Origin=\"1 1 x\"", "3 numbers" },
        { "0 3 0 2 0 1", "Origin=\"inf 1 1\"", "not finite" },
        { "0 3 0 2 0 1", "Direction=\"1 0 1 0 1 0 0 0 0\"", "one plane" },
        { "0 3 0 2 0 1", "Direction=\"1 0 0\"", "9 numbers" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        form = (struct form){
            .kind = 2, .way = ASCII, .extent = wrong[i].extent, .place = wrong[i].place
        };
        refused(write_form(&form), &nothing, PROBLEM_INPUT, wrong[i].word);
    }
    // Far more samples than the file can hold, and more than any machine's memory.
    form = (struct form){ .kind = 2, .way = INLINE, .extent = "0 999 0 999 0 999" };
    const struct volume_params roomy = { .max_bytes = UINT64_C(1) << 40 };
    refused(write_form(&form), &roomy, PROBLEM_INPUT, "too few");
    form.extent = "0 2147483646 0 2147483646 0 2147483646";
    refused(write_form(&form), &nothing, PROBLEM_LIMIT, "");
    form = (struct form){ .kind = 2, .way = INLINE, .zlib = true, .extent = "0 999 0 999 0 99" };
    refused(write_form(&form), &roomy, PROBLEM_INPUT, "too few");
}

static void sizes_must_match(void **state)
{
    (void)state;
    for (int way = INLINE; way < WAYS; way++) {
        for (int off = -1; off <= 1; off += 2) {
            struct form form = { .kind = FLOAT, .way = (enum way)way, .count_off = off };
            refused(write_form(&form), &nothing, PROBLEM_INPUT, "bytes");
            form = (struct form){ .kind = FLOAT, .way = (enum way)way, .zlib = true };
            form.blocks_off = off;
            refused(write_form(&form), &nothing, PROBLEM_INPUT, "blocks");
            form.blocks_off = 0;
            form.packed_off = off;
            refused(write_form(&form), &nothing, PROBLEM_INPUT, "header says");
        }
    }
    struct form form = { .kind = FLOAT, .way = INLINE, .zlib = true, .blocks_off = -100 };
    refused(write_form(&form), &nothing, PROBLEM_INPUT, "blocks");
    form.wide_words = true;
    refused(write_form(&form), &nothing, PROBLEM_INPUT, "blocks");
}

// A file of the given tags around 24 UInt8 samples in text.
static const char *
write_tags(const char *file, const char *image, const char *inside, const char *after)
{
    struct bytes bytes = { .size = 0 };
    put_text(
        &bytes, "<VTKFile %s><ImageData %s>%s</ImageData>%s</VTKFile>", file, image, inside, after);
    return write_bytes("b.vti", &bytes);
}

#define EXTENT  "0 3 0 2 0 1"
#define IMAGE   "WholeExtent=\"" EXTENT "\""
#define FILE_AS "type=\"ImageData\" byte_order=\"LittleEndian\""
#define NUMBERS "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"
#define ARRAY(more, numbers)                                                                       \
    "<DataArray type=\"UInt8\" format=\"ascii\" " more ">" numbers "</DataArray>"
#define PIECE(inside)        "<Piece Extent=\"" EXTENT "\">" inside "</Piece>"
#define POINTS(more, inside) PIECE("<PointData " more ">" inside "</PointData>")

// Samples of cells lie in the middle of each cell: one less along each axis.
static void cell_data_are_read(void **state)
{
    (void)state;
    static const char image[] = "WholeExtent=\"0 3 0 2 1 3\" Spacing=\"1 2 4\"";
    static const char only[] = "<Piece Extent=\"0 3 0 2 1 3\"><PointData/><CellData>" ARRAY(
        "Name=\"c\"", "0 1 2 3 4 5 6 7 8 9 10 11") "</CellData></Piece>";
    const struct volume_params cell = { .pick.array = "c" };
    struct volume volume =
        accepted_saying(write_tags(FILE_AS, image, only, ""), &nothing, "cell data 'c' are read");
    assert_true(volume.dim[0] == 3 && volume.dim[1] == 2 && volume.dim[2] == 2);
    assert_true(volume_sample(&volume, 2, 1, 1) == 11 && volume_sample(&volume, 0, 1, 0) == 3);
    reals_are(volume.origin, (double[]){ 0.5, 1, 6 }, 3);
    volume_destroy(&volume);
    volume = accepted_saying(scratch("b.vti"), &cell, NULL);
    assert_int_equal(volume.dim[0], 3);
    volume_destroy(&volume);
    // Point data of the same name come first.
    static const char both[] =
        PIECE("<CellData>" ARRAY("Name=\"c\"", "1 2 3 4 5 6") "</CellData><PointData>" ARRAY(
            "Name=\"c\"", NUMBERS) ARRAY("Name=\"d\"", NUMBERS) "</PointData>");
    volume = accepted_saying(write_tags(FILE_AS, IMAGE, both, ""), &cell, NULL);
    assert_int_equal(volume.dim[0], 4);
    volume_destroy(&volume);
    const struct volume_params other = { .pick.array = "e" };
    refused(scratch("b.vti"), &other, PROBLEM_USAGE, "its arrays are c, d, c");
}

// One value of several, or the length of all, from every encoding.
static void one_component_is_read(void **state)
{
    (void)state;
    struct contents contents = { 0 };
    static const char *const picks[] = { "a:0", "a:1", "a:length" };
    for (int i = 0; i < WAYS * 2; i++) {
        const struct form form = {
            .kind = FLOAT, .way = (enum way)(i % WAYS), .zlib = i / WAYS, .values = 2
        };
        const char *path = write_form(&form);
        for (size_t k = 0; k < sizeof picks / sizeof *picks; k++) {
            const struct volume_params params = { .pick.array = picks[k], .contents = &contents };
            struct volume volume = accepted_saying(path, &params, NULL);
            for (int at = 0; at < COUNT / 2; at++) {
                const double both[] = { value_of(FLOAT, 2 * at), value_of(FLOAT, 2 * at + 1) };
                const uint32_t x = (uint32_t)at;
                reals_are(
                    &(double){ volume_sample(&volume, x % 2, x / 2 % 3, x / 6) },
                    &(double){ k == 2 ? (double)(float)hypot(both[0], both[1]) : both[k] }, 1);
            }
            assert_int_equal(contents.count, 1);
            assert_string_equal(contents.arrays[0].axis[0].name, "component");
            assert_int_equal(contents.arrays[0].axis[0].size, 2);
            contents_free(&contents);
            volume_destroy(&volume);
        }
        const struct volume_params none = { .pick.array = "a:2" }, bare = { .pick.array = "a" };
        refused(path, &none, PROBLEM_USAGE, "no array 'a:2'");
        refused(path, &bare, PROBLEM_INPUT, "--array a:0, or a:length");
    }
}

static void arrays_are_chosen(void **state)
{
    (void)state;
    static const char two[] = POINTS(
        "Scalars=\"b\"",
        ARRAY("Name=\"v\" NumberOfComponents=\"3\"", NUMBERS) ARRAY("Name=\"a\"", "9 " NUMBERS)
            ARRAY("Name=\"b\"", NUMBERS) ARRAY("Name=\"c d\"", "7 " NUMBERS));
    const struct volume_params a = { .pick.array = "a" }, c = { .pick.array = "c d" },
                               v = { .pick.array = "v" }, none = { .pick.array = "e" };
    struct volume volume =
        accepted_saying(write_tags(FILE_AS, IMAGE, two, ""), &nothing, "'b' is read");
    assert_true(volume_sample(&volume, 0, 0, 0) == 0);
    volume_destroy(&volume);
    volume = accepted_saying(scratch("b.vti"), &a, NULL);
    assert_true(volume_sample(&volume, 0, 0, 0) == 9);
    volume_destroy(&volume);
    volume = accepted_saying(scratch("b.vti"), &c, NULL);
    assert_true(volume_sample(&volume, 0, 0, 0) == 7);
    volume_destroy(&volume);
    refused(scratch("b.vti"), &v, PROBLEM_INPUT, "3 components");
    refused(scratch("b.vti"), &none, PROBLEM_USAGE, "its arrays are v, a, b, c d");
    // The active scalars have three components: the first array with one component is read.
    static const char vector[] = POINTS(
        "Scalars=\"v\"",
        ARRAY("Name=\"v\" NumberOfComponents=\"3\"", NUMBERS) ARRAY("Name=\"a\"", "9 " NUMBERS));
    volume = accepted_saying(write_tags(FILE_AS, IMAGE, vector, ""), &nothing, "'a' is read");
    volume_destroy(&volume);
    refused(
        write_tags(
            FILE_AS, IMAGE, POINTS("", ARRAY("Name=\"v\" NumberOfComponents=\"3\"", NUMBERS)), ""),
        &nothing, PROBLEM_INPUT, "3 components");
    refused(
        write_tags(FILE_AS, IMAGE, PIECE("<PointData/>"), ""), &nothing, PROBLEM_INPUT,
        "no point data");
    // Field data are not point data.
    static const char field[] = "<FieldData>" ARRAY("Name=\"TIME\"", "1") "</FieldData>" POINTS(
        "", ARRAY("Name=\"a\"", NUMBERS));
    volume = accepted_saying(write_tags(FILE_AS, IMAGE, field, ""), &nothing, NULL);
    volume_destroy(&volume);
    // Other formats have no arrays.
    const char *raw = scratch_write("x_2x2x2_uint8.raw", "12345678", 8);
    volume = accepted_saying(raw, &a, "no named arrays");
    volume_destroy(&volume);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *file, *image, *inside, *after, *word;
    } wrong[] = {
        { "type=\"UnstructuredGrid\"", IMAGE, "", "", "UnstructuredGrid" },
        { "type=\"PImageData\"", IMAGE, "", "", "PImageData" },
        { "", IMAGE, "", "", "holds no volume" },
        { "type=\"ImageData\" byte_order=\"Middle\"", IMAGE, "", "", "byte_order" },
        { "type=\"ImageData\" header_type=\"UInt16\"", IMAGE, "", "", "header_type" },
        { FILE_AS, "", POINTS("", ARRAY("", NUMBERS)), "", "WholeExtent" },
        { FILE_AS, IMAGE, "", "", "no Piece" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("", NUMBERS)) PIECE(""), "", "second Piece" },
        { FILE_AS, IMAGE, "<Piece Extent=\"0 1 0 2 0 1\"/>", "", "not the whole" },
        { FILE_AS, IMAGE, "<Piece/>", "", "Extent" },
        { FILE_AS, IMAGE, POINTS("", "<DataArray format=\"ascii\" type=\"Bit\"/>"), "", "type" },
        { FILE_AS, IMAGE, POINTS("", "<DataArray type=\"UInt8\"/>"), "", "format" },
        { FILE_AS, IMAGE, POINTS("", "<DataArray type=\"UInt8\" format=\"appended\"/>"), "",
          "offset" },
        { FILE_AS, IMAGE,
          POINTS("", "<DataArray type=\"UInt8\" format=\"appended\" offset=\"0\"/>"), "",
          "no AppendedData" },
        { FILE_AS, IMAGE,
          POINTS("", "<DataArray type=\"UInt8\" format=\"appended\" offset=\"0\"/>"),
          "<AppendedData encoding=\"hex\"/>", "encoding" },
        { FILE_AS, IMAGE,
          POINTS("", "<DataArray type=\"UInt8\" format=\"appended\" offset=\"0\"/>"),
          "<AppendedData encoding=\"raw\">x_</AppendedData>", "'_'" },
        { FILE_AS, IMAGE,
          POINTS("", "<DataArray type=\"UInt8\" format=\"appended\" offset=\"999\"/>"),
          "<AppendedData encoding=\"raw\">_</AppendedData>", "beyond" },
        { FILE_AS, IMAGE,
          POINTS("", "<DataArray type=\"UInt8\" format=\"appended\" offset=\"-1\"/>"), "",
          "offset" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("NumberOfComponents=\"x\"", NUMBERS)), "",
          "NumberOfComponents" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("", "1 2 3")), "", "too few" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("", "1 2 x " NUMBERS)), "",
          "'x' among its samples is not a number" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("", "1 256 " NUMBERS)), "", "'256'" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("", "1 -1 " NUMBERS)), "", "'-1'" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("", "1 1.5 " NUMBERS)), "", "'1.5'" },
        { FILE_AS " compressor=\"vtkLZ4DataCompressor\"", IMAGE,
          POINTS(
              "", "<DataArray type=\"UInt8\" format=\"binary\">AAAAAAAAAAAAAAAAAAAA</DataArray>"),
          "", "vtkLZ4DataCompressor" },
        { FILE_AS, IMAGE,
          POINTS("", "<DataArray type=\"UInt8\" format=\"binary\">GAAAAA*AAAAAAAAAAAA</DataArray>"),
          "", "not base64" },
        { FILE_AS, IMAGE, POINTS("", ARRAY("", NUMBERS)) "<a><b></a>", "", "" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refused(
            write_tags(wrong[i].file, wrong[i].image, wrong[i].inside, wrong[i].after), &nothing,
            PROBLEM_INPUT, wrong[i].word);
    }
    struct bytes bytes = { .size = 0 };
    put_text(&bytes, "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><VTKFile/>");
    refused(write_bytes("c.vti", &bytes), &nothing, PROBLEM_INPUT, "document type");
    bytes.size = 0;
    put_text(&bytes, "<VTKFile type=\"ImageData\">");
    for (int i = 0; i < 100; i++) {
        put_text(&bytes, "<a>");
    }
    refused(write_bytes("c.vti", &bytes), &nothing, PROBLEM_INPUT, "inside each other");
    refused(scratch_write("d.vti", "hello", 5), &nothing, PROBLEM_INPUT, "XML");
    refused(scratch_write("d.vti", "<svg/>", 6), &nothing, PROBLEM_INPUT, "<svg>");
    // A tag without end.
    const size_t size = 3 << 20;
    char *tag = malloc(size);
    memset(tag, 'a', size);
    memcpy(tag, "<VTKFile type=\"", 15);
    refused(scratch_write("e.vti", tag, size), &nothing, PROBLEM_INPUT, "1 MiB");
    free(tag);
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS * 2; i++) {
        const struct form form = { .kind = i % 2 ? FLOAT : 2,
                                   .way = (enum way)(i % WAYS),
                                   .zlib = i / WAYS };
        const struct bytes bytes = whole(&form);
        const size_t data = contents_of(&form).size;
        // Bytes after the appended samples may be missing, even the last line end.
        const bool appended = form.way >= APPENDED_BASE64;
        const size_t behind = appended ? strlen("\n</AppendedData>\n</VTKFile>\n") : 1;
        assert_true(bytes.size > data + behind);
        cut_everywhere("a.vti", &bytes, bytes.size, 1, behind);
        scramble("a.vti", &bytes, bytes.size, 400);
    }
}

static void reads_the_shared_volume(void **state)
{
    (void)state;
    struct volume volume = accepted_saying(shared_file("hydrogen.vti"), &nothing, NULL);
    assert_true(volume.dim[0] == 64 && volume.dim[1] == 64 && volume.dim[2] == 64);
    assert_int_equal(count_inside(&volume, 0.1), 13128);
    struct volume raw = accepted(shared_file("hydrogen_orbital_64x64x64_float32.raw"), &nothing);
    assert_memory_equal(raw.samples, volume.samples, volume_bytes(&volume));
    volume_destroy(&raw);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type_in_every_way),
        cmocka_unit_test(the_extent_and_the_direction_place_it),
        cmocka_unit_test(sizes_must_match),
        cmocka_unit_test(cell_data_are_read),
        cmocka_unit_test(one_component_is_read),
        cmocka_unit_test(arrays_are_chosen),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
        cmocka_unit_test(reads_the_shared_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
