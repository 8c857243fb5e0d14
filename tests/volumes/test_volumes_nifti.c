// NIfTI: both versions, both byte orders, one file and two, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

#include <math.h>
#include <zlib.h>

static const struct volume_params nothing;

// What a test specifies about a file; write_nifti replaces zeros by defaults.
struct file {
    int version; // 1
    bool big, pair;
    int64_t dim[8]; // 3 4 3 2
    int datatype, bitpix;
    double pixdim[8]; // 1 everywhere
    double slope, intercept;
    int qform, sform, intent;
    double quatern[3], qoffset[3], srow[12];
    double offset; // 352 or 544; 0 for a pair
    bool has_offset;
};

static size_t header_size(const struct file *file)
{
    return file->version == 2 ? 540 : 348;
}

static void
set_reals(struct bytes *bytes, const struct file *file, size_t at, const double *values, int count)
{
    const size_t size = file->version == 2 ? 8 : 4;
    for (int i = 0; i < count; i++) {
        set_bits(bytes, at + (size_t)i * size, bits_of(values[i], size), size, file->big);
    }
}

// The header with its four bytes of extender.
static void build_header(struct bytes *bytes, struct file *file)
{
    const bool two = file->version == 2;
    const size_t size = header_size(file);
    memset(bytes, 0, sizeof *bytes);
    bytes->size = size + (file->pair ? 0 : 4);
    if (file->dim[0] == 0) {
        memcpy(file->dim, (int64_t[8]){ 3, 4, 3, 2, 1, 1, 1, 1 }, sizeof file->dim);
    }
    if (file->datatype == 0) {
        file->datatype = 4;
        file->bitpix = 16;
    }
    for (int i = 0; i < 8; i++) {
        file->pixdim[i] = file->pixdim[i] == 0 ? 1 : file->pixdim[i];
    }
    if (!file->has_offset && !file->pair) {
        file->offset = (double)bytes->size;
    }
    set_bits(bytes, 0, size, 4, file->big);
    for (int i = 0; i < 8; i++) {
        set_bits(
            bytes, two ? 16 + 8 * (size_t)i : 40 + 2 * (size_t)i, (uint64_t)file->dim[i],
            two ? 8 : 2, file->big);
    }
    set_bits(bytes, two ? 12 : 70, (uint64_t)file->datatype, 2, file->big);
    set_bits(bytes, two ? 14 : 72, (uint64_t)file->bitpix, 2, file->big);
    set_reals(bytes, file, two ? 104 : 76, file->pixdim, 8);
    if (two) {
        set_bits(bytes, 168, (uint64_t)(int64_t)file->offset, 8, file->big);
        memcpy(bytes->at + 4, file->pair ? "ni2\0\r\n\x1a\n" : "n+2\0\r\n\x1a\n", 8);
    } else {
        set_reals(bytes, file, 108, &file->offset, 1);
        memcpy(bytes->at + 344, file->pair ? "ni1" : "n+1", 4);
    }
    set_reals(bytes, file, two ? 176 : 112, &file->slope, 1);
    set_reals(bytes, file, two ? 184 : 116, &file->intercept, 1);
    set_bits(bytes, two ? 344 : 252, (uint64_t)file->qform, two ? 4 : 2, file->big);
    set_bits(bytes, two ? 348 : 254, (uint64_t)file->sform, two ? 4 : 2, file->big);
    set_bits(bytes, two ? 504 : 68, (uint64_t)file->intent, two ? 4 : 2, file->big);
    set_reals(bytes, file, two ? 352 : 256, file->quatern, 3);
    set_reals(bytes, file, two ? 376 : 268, file->qoffset, 3);
    set_reals(bytes, file, two ? 400 : 280, file->srow, 12);
}

static const struct {
    int code, bits;
    enum volume_type type;
    bool wide;
} kinds[] = {
    { 2, 8, VOLUME_UINT8, false },     { 4, 16, VOLUME_INT16, false },
    { 8, 32, VOLUME_INT32, false },    { 16, 32, VOLUME_FLOAT32, false },
    { 64, 64, VOLUME_FLOAT64, false }, { 256, 8, VOLUME_INT8, false },
    { 512, 16, VOLUME_UINT16, false }, { 768, 32, VOLUME_UINT32, false },
    { 1024, 64, VOLUME_INT32, true },  { 1280, 64, VOLUME_UINT32, true },
};

static double value_of(int kind, int i)
{
    const bool is_signed = kinds[kind].type != VOLUME_UINT8 && kinds[kind].type != VOLUME_UINT16 &&
                           kinds[kind].type != VOLUME_UINT32;
    return i == 0 && is_signed ? -100 : 3 * i;
}

static void put_samples(struct bytes *bytes, int kind, int count, bool big)
{
    for (int i = 0; i < count; i++) {
        if (kinds[kind].wide) {
            put_bits(bytes, (uint64_t)(int64_t)value_of(kind, i), 8, big);
        } else {
            put_sample(bytes, value_of(kind, i), kinds[kind].type, big);
        }
    }
}

// A whole file of 24 int16 samples.
static struct bytes whole(struct file file)
{
    struct bytes bytes;
    build_header(&bytes, &file);
    put_samples(&bytes, 1, 24, file.big);
    return bytes;
}

static const char *write_nifti(struct file file)
{
    const struct bytes bytes = whole(file);
    return write_bytes("a.nii", &bytes);
}

static const char *packed(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch(name);
    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzwrite(file, bytes, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

static void check_samples(const struct volume *volume, int kind)
{
    assert_int_equal(volume->file_type, kinds[kind].type);
    assert_true(volume->dim[0] == 4 && volume->dim[1] == 3 && volume->dim[2] == 2);
    for (int i = 0; i < 24; i++) {
        const uint32_t x = (uint32_t)i % 4, y = (uint32_t)i / 4 % 3, z = (uint32_t)i / 12;
        assert_true(volume_sample(volume, x, y, z) == value_of(kind, i));
    }
}

static void reads_every_type_in_every_form(void **state)
{
    (void)state;
    for (int form = 0; form < 8 * 10; form++) {
        const int kind = form / 8;
        struct file file = {
            .version = 1 + form % 2,
            .big = form & 2,
            .pair = form & 4,
            .datatype = kinds[kind].code,
            .bitpix = kinds[kind].bits,
            .intent = form % 3 == 0 ? 1002 : form % 3, // 1002: labels
        };
        struct bytes header;
        build_header(&header, &file);
        struct bytes samples = file.pair ? (struct bytes){ .size = 0 } : header;
        put_samples(&samples, kind, 24, file.big);
        struct volume volume;
        if (file.pair) {
            write_bytes("p.hdr", &header);
            write_bytes("p.img", &samples);
            volume = accepted_saying(scratch("p.img"), &nothing, NULL);
            check_samples(&volume, kind);
            volume_destroy(&volume);
            volume = accepted_saying(scratch("p.hdr"), &nothing, NULL);
        } else {
            volume = accepted_saying(packed("a.nii.gz", samples.at, samples.size), &nothing, NULL);
            check_samples(&volume, kind);
            volume_destroy(&volume);
            volume = accepted_saying(write_bytes("a.nii", &samples), &nothing, NULL);
        }
        check_samples(&volume, kind);
        assert_int_equal(volume.frame, VOLUME_FRAME_UNSAID);
        assert_int_equal(volume.labels, form % 3 == 0);
        volume_destroy(&volume);
    }
}

static void pairs_are_found(void **state)
{
    (void)state;
    struct file file = { .version = 1, .pair = true };
    struct bytes header, samples = { .size = 0 };
    build_header(&header, &file);
    put_samples(&samples, 1, 24, false);
    refused(write_bytes("lone.hdr", &header), &nothing, PROBLEM_INPUT, "lone.img");
    refused(write_bytes("sole.img", &samples), &nothing, PROBLEM_INPUT, "sole.hdr");
    // Upper case, and compressed.
    write_bytes("UP.HDR", &header);
    write_bytes("UP.IMG", &samples);
    struct volume volume = accepted(scratch("UP.IMG"), &nothing);
    check_samples(&volume, 1);
    volume_destroy(&volume);
    packed("z.hdr.gz", header.at, header.size);
    packed("z.img.gz", samples.at, samples.size);
    volume = accepted(scratch("z.hdr.gz"), &nothing);
    check_samples(&volume, 1);
    volume_destroy(&volume);
    volume = accepted(scratch("z.img.gz"), &nothing);
    check_samples(&volume, 1);
    volume_destroy(&volume);
    // The image starts at vox_offset.
    file = (struct file){ .version = 1, .pair = true, .offset = 16, .has_offset = true };
    build_header(&header, &file);
    struct bytes shifted = { .size = 16 };
    put_samples(&shifted, 1, 24, false);
    write_bytes("s.hdr", &header);
    write_bytes("s.img", &shifted);
    volume = accepted(scratch("s.hdr"), &nothing);
    check_samples(&volume, 1);
    volume_destroy(&volume);
    // Swapped names, and a single file that has taken the header's name.
    write_bytes("t.img", &header);
    write_bytes("t.hdr", &samples);
    refused(scratch("t.hdr"), &nothing, PROBLEM_INPUT, "t.hdr");
    const struct bytes single = whole((struct file){ .version = 1 });
    write_bytes("u.hdr", &single);
    write_bytes("u.img", &samples);
    refused(scratch("u.img"), &nothing, PROBLEM_INPUT, "rename it to .nii");
    volume = accepted_saying(scratch("u.hdr"), &nothing, NULL);
    volume_destroy(&volume);
    // One sample less.
    samples.size -= 1;
    write_bytes("p.hdr", &header);
    write_bytes("p.img", &samples);
    refused(scratch("p.hdr"), &nothing, PROBLEM_INPUT, "p.img");
    // A link to a file outside the folder.
    file = (struct file){ .version = 1, .pair = true };
    build_header(&header, &file);
    write_bytes("out.hdr", &header);
    assert_int_equal(symlink("/etc/passwd", scratch("out.img")), 0);
    refused(scratch("out.hdr"), &nothing, PROBLEM_INPUT, "out.img");
}

static void the_affine_is_turned_into_lps(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        // Sheared: the second step has an x component. sform takes precedence over qform.
        struct file file = {
            .version = 1 + form % 2,
            .big = form & 2,
            .sform = 1,
            .qform = 1,
            .srow = { 2, 1, 0, -10, 0, 1, 0, 20, 0, 0, -4, 30 },
        };
        struct volume volume = accepted_saying(write_nifti(file), &nothing, NULL);
        const double half = sqrt(0.5);
        reals_are(volume.spacing, (double[]){ 2, sqrt(2), 4 }, 3);
        reals_are(volume.origin, (double[]){ 10, -20, 30 }, 3);
        reals_are(volume.direction, (double[]){ -1, -half, 0, 0, -half, 0, 0, 0, -1 }, 9);
        assert_int_equal(volume.frame, VOLUME_FRAME_LPS);
        volume_destroy(&volume);
        // A quarter turn about z, (a, d) = (cos 45, sin 45), and the third axis inverted.
        file = (struct file){
            .version = 1 + form % 2,
            .big = form & 2,
            .qform = 2,
            .pixdim = { -1, 2, 3, 4 },
            .quatern = { 0, 0, half },
            .qoffset = { 1, 2, 3 },
            .srow = { 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0 },
        };
        volume = accepted_saying(write_nifti(file), &nothing, NULL);
        reals_are(volume.spacing, (double[]){ 2, 3, 4 }, 3);
        reals_are(volume.origin, (double[]){ -1, -2, 3 }, 3);
        reals_are(volume.direction, (double[]){ 0, 1, 0, -1, 0, 0, 0, 0, -1 }, 9);
        assert_int_equal(volume.frame, VOLUME_FRAME_LPS);
        volume_destroy(&volume);
    }
    // Half a turn, where a is 0 except for rounding, and a quaternion that is too long.
    struct file file = { .version = 1, .qform = 1, .quatern = { 0, 1, 0 } };
    struct volume volume = accepted(write_nifti(file), &nothing);
    reals_are(volume.direction, (double[]){ 1, 0, 0, 0, -1, 0, 0, 0, -1 }, 9);
    volume_destroy(&volume);
    file.quatern[1] = 1.25;
    volume = accepted(write_nifti(file), &nothing);
    reals_are(volume.direction, (double[]){ 1, 0, 0, 0, -1, 0, 0, 0, -1 }, 9);
    volume_destroy(&volume);
    // Neither form: no frame.
    file = (struct file){ .version = 1, .pixdim = { 1, 2, 3, 4 }, .qoffset = { 1, 2, 3 } };
    volume = accepted_saying(write_nifti(file), &nothing, NULL);
    reals_are(volume.spacing, (double[]){ 2, 3, 4 }, 3);
    reals_are(volume.origin, (double[]){ 0, 0, 0 }, 3);
    reals_are(volume.direction, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 9);
    assert_int_equal(volume.frame, VOLUME_FRAME_UNSAID);
    volume_destroy(&volume);
    // --spacing takes precedence, the directions stay.
    const struct volume_params given = { .spacing = { 5, 6, 7 } };
    file = (struct file){ .version = 1, .sform = 1, .srow = { 2, [5] = 2, [10] = 2 } };
    volume = accepted(write_nifti(file), &given);
    reals_are(volume.spacing, (double[]){ 5, 6, 7 }, 3);
    reals_are(volume.direction, (double[]){ -1, 0, 0, 0, -1, 0, 0, 0, 1 }, 9);
    volume_destroy(&volume);
}

static void forms_that_are_no_use_are_passed_over(void **state)
{
    (void)state;
    // A flat sform, then the qform.
    struct file file = {
        .version = 1,
        .sform = 1,
        .qform = 1,
        .srow = { 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0 },
        .pixdim = { 1, 2, 2, 2 },
    };
    struct volume volume = accepted_saying(write_nifti(file), &nothing, "sform");
    reals_are(volume.spacing, (double[]){ 2, 2, 2 }, 3);
    assert_int_equal(volume.frame, VOLUME_FRAME_LPS);
    volume_destroy(&volume);
    // A NaN in each: pixdim.
    file.srow[3] = (double)NAN;
    file.quatern[0] = (double)NAN;
    volume = accepted_saying(write_nifti(file), &nothing, "qform");
    reals_are(volume.spacing, (double[]){ 2, 2, 2 }, 3);
    assert_int_equal(volume.frame, VOLUME_FRAME_UNSAID);
    volume_destroy(&volume);
    // An invalid distance is replaced by 1; of a negative one the magnitude is used.
    struct bytes bytes = whole((struct file){ .version = 1, .pixdim = { 1, -2, 3, (double)NAN } });
    set_bits(&bytes, 84, 0, 4, false);
    volume = accepted_saying(write_bytes("a.nii", &bytes), &nothing, "pixdim[2]");
    reals_are(volume.spacing, (double[]){ 2, 1, 1 }, 3);
    volume_destroy(&volume);
}

static void scaling_makes_floats(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        struct file file = {
            .version = 1 + form % 2, .big = form & 2, .slope = 0.5, .intercept = -1
        };
        struct volume volume = accepted_saying(write_nifti(file), &nothing, "0.5 * stored + -1");
        assert_int_equal(volume.type, VOLUME_FLOAT32);
        assert_true(volume_sample(&volume, 0, 0, 0) == -51);
        assert_true(volume_sample(&volume, 1, 0, 0) == 0.5);
        assert_true(volume_sample(&volume, 3, 2, 1) == 33.5);
        volume_destroy(&volume);
    }
    static const struct {
        double slope, intercept;
        const char *word;
    } plain[] = {
        { 1, 0, NULL },
        { 0, 7, NULL },
        { 0, (double)NAN, NULL },
        { (double)NAN, 0, "not a scaling" },
        { (double)NAN, (double)NAN, "not a scaling" },
        { 1, (double)NAN, "not a scaling" },
        { (double)INFINITY, 0, "not a scaling" },
        { 2, -(double)INFINITY, "not a scaling" },
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        const struct file file = { .version = 1,
                                   .slope = plain[i].slope,
                                   .intercept = plain[i].intercept };
        struct volume volume = accepted_saying(write_nifti(file), &nothing, plain[i].word);
        assert_int_equal(volume.type, VOLUME_INT16);
        check_samples(&volume, 1);
        volume_destroy(&volume);
    }
}

static void the_first_of_several_is_read(void **state)
{
    (void)state;
    struct file file = { .version = 1, .dim = { 5, 4, 3, 2, 3, 2, 1, 1 } };
    struct bytes bytes;
    build_header(&bytes, &file);
    put_samples(&bytes, 1, 24 * 6, false);
    struct volume volume = accepted_saying(write_bytes("a.nii", &bytes), &nothing, "6 volumes");
    check_samples(&volume, 1);
    volume_destroy(&volume);
    volume = accepted_saying(packed("a.nii.gz", bytes.at, bytes.size), &nothing, "6 volumes");
    check_samples(&volume, 1);
    volume_destroy(&volume);
    // Any of the three time steps of two components, plain and compressed.
    for (uint32_t frame = 0; frame < 6; frame++) {
        struct contents contents;
        const struct volume_params params = {
            .pick = { .time = 1 + frame % 3, .channel = 1 + frame / 3 }, .contents = &contents
        };
        for (int gzip = 0; gzip < 2; gzip++) {
            const char *path = gzip ? packed("a.nii.gz", bytes.at, bytes.size) : scratch("a.nii");
            volume = accepted_saying(path, &params, NULL);
            assert_true(volume_sample(&volume, 3, 2, 1) == 3 * (24 * frame + 23));
            assert_true(contents.choice[CONTENTS_TIME].count == 3);
            assert_true(contents.choice[CONTENTS_CHANNEL].at == frame / 3);
            assert_true(contents.count == 1 && contents.arrays[0].axes == 5);
            contents_free(&contents);
            volume_destroy(&volume);
        }
    }
    const struct volume_params beyond = { .pick.time = 4 }, level = { .pick.level = 1 };
    refused(scratch("a.nii"), &beyond, PROBLEM_USAGE, "--time 3 is not one of 0 to 2");
    volume = accepted_saying(scratch("a.nii"), &level, "has no levels: --level 0 is ignored");
    volume_destroy(&volume);
    bytes.size--;
    refused(write_bytes("a.nii", &bytes), &nothing, PROBLEM_INPUT, "a.nii");
    // Dimensions beyond dim[0] are ignored.
    file = (struct file){ .version = 2, .dim = { 3, 4, 3, 2, 0, -5, 0, 0 } };
    volume = accepted_saying(write_nifti(file), &nothing, NULL);
    check_samples(&volume, 1);
    volume_destroy(&volume);
}

static void wrong_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct file file;
        enum problem_kind code;
        const char *word;
    } wrong[] = {
        { { .dim = { -1, 4, 3, 2 } }, PROBLEM_INPUT, "dim[0] is -1" },
        { { .dim = { 8, 4, 3, 2 } }, PROBLEM_INPUT, "dim[0] is 8" },
        { { .dim = { 200, 4, 3, 2 } }, PROBLEM_INPUT, "dim[0] is 200" },
        { { .dim = { 3, 0, 3, 2 } }, PROBLEM_INPUT, "dim[1] is 0" },
        { { .dim = { 3, 4, -3, 2 } }, PROBLEM_INPUT, "dim[2] is -3" },
        { { .dim = { 4, 4, 3, 2, 0 } }, PROBLEM_INPUT, "dim[4] is 0" },
        { { .dim = { 2, 4, 6, 1 } }, PROBLEM_INPUT, "two samples" },
        { { .dim = { 3, 24, 1, 1 } }, PROBLEM_INPUT, "two samples" },
        { { .dim = { 3, 4, 3, 3 } }, PROBLEM_INPUT, "72" },
        { { .dim = { 3, 32767, 32767, 32767 } }, PROBLEM_LIMIT, "" },
        { { .datatype = 4, .bitpix = 8 }, PROBLEM_INPUT, "bitpix is 8" },
        { { .datatype = 77, .bitpix = 16 }, PROBLEM_INPUT, "datatype 77" },
        { { .datatype = 1, .bitpix = 1 }, PROBLEM_INPUT, "one bit" },
        { { .datatype = 32, .bitpix = 64 }, PROBLEM_INPUT, "complex64" },
        { { .datatype = 128, .bitpix = 24 }, PROBLEM_INPUT, "RGB" },
        { { .datatype = 1536, .bitpix = 128 }, PROBLEM_INPUT, "float128" },
        { { .datatype = 2304, .bitpix = 32 }, PROBLEM_INPUT, "RGBA" },
        { { .has_offset = true, .offset = 1 }, PROBLEM_INPUT, "vox_offset is 1" },
        { { .has_offset = true, .offset = 348 }, PROBLEM_INPUT, "vox_offset is 348" },
        { { .has_offset = true, .offset = -352 }, PROBLEM_INPUT, "vox_offset is -352" },
        { { .has_offset = true, .offset = 353 }, PROBLEM_INPUT, "" },
        { { .has_offset = true, .offset = 1e6 }, PROBLEM_INPUT, "beyond the end" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (int form = 0; form < 4; form++) {
            struct file file = wrong[i].file;
            file.version = 1 + form % 2;
            file.big = form & 2;
            if (file.version == 2 && file.offset == 353) {
                file.offset = 545;
            }
            refused(write_nifti(file), &nothing, wrong[i].code, wrong[i].word);
        }
    }
    static const double offsets[] = { (double)NAN, (double)INFINITY, 1e30, 352.5 };
    for (size_t i = 0; i < 4; i++) {
        const struct file file = { .version = 1, .has_offset = true, .offset = offsets[i] };
        refused(write_nifti(file), &nothing, PROBLEM_INPUT, "vox_offset");
    }
    // Neither size, and no magic.
    struct bytes bytes = whole((struct file){ .version = 1 });
    set_bits(&bytes, 0, 349, 4, false);
    refused(write_bytes("a.nii", &bytes), &nothing, PROBLEM_INPUT, "not a NIfTI file");
    bytes = whole((struct file){ .version = 1 });
    memset(bytes.at + 344, 0, 4);
    refused(write_bytes("a.nii", &bytes), &nothing, PROBLEM_INPUT, "Analyze");
    bytes = whole((struct file){ .version = 2 });
    bytes.at[8] = '\n'; // as if sent as text
    refused(write_bytes("a.nii", &bytes), &nothing, PROBLEM_INPUT, "sent as text");
    // The volumes of all frames overflow 64 bits.
    const struct file endless = { .version = 2, .dim = { 7, 4, 3, 2, INT64_MAX, INT64_MAX, 2, 2 } };
    refused(write_nifti(endless), &nothing, PROBLEM_LIMIT, "64 bits");
}

// Analyze 7.5: no magic, and other things where NIfTI has its forms.
static void analyze_has_only_pixdim(void **state)
{
    (void)state;
    for (int form = 0; form < 2 * 5; form++) {
        struct file file = {
            .version = 1,
            .pair = true,
            .big = form % 2,
            .datatype = kinds[form / 2].code,
            .bitpix = kinds[form / 2].bits,
            .qform = 3,
            .sform = 1,
            .intent = 1002,
            .pixdim = { 0, 0.5, 1.25, 2.75 },
            .srow = { 2, 1, 0, -10, 0, 1, 0, 20, 0, 0, -4, 30 },
        };
        struct bytes header, samples = { .size = 0 };
        build_header(&header, &file);
        memset(header.at + 344, 0, 4);
        put_samples(&samples, form / 2, 24, file.big);
        write_bytes("n.img", &samples);
        struct volume volume =
            accepted_saying(write_bytes("n.hdr", &header), &nothing, "left and right");
        check_samples(&volume, form / 2);
        reals_are(volume.spacing, (double[]){ 0.5, 1.25, 2.75 }, 3);
        reals_are(volume.direction, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 9);
        assert_int_equal(volume.frame, VOLUME_FRAME_UNSAID);
        assert_false(volume.labels);
        volume_destroy(&volume);
        // SPM's scale factor.
        const double slope = 0.5;
        set_reals(&header, &file, 112, &slope, 1);
        write_bytes("n.hdr", &header);
        volume = accepted_saying(scratch("n.img"), &nothing, "0.5 * stored");
        assert_true(volume_sample(&volume, 1, 0, 0) == 0.5 * value_of(form / 2, 1));
        volume_destroy(&volume);
    }
}

static void sizes_must_match(void **state)
{
    (void)state;
    struct bytes bytes = whole((struct file){ .version = 1 });
    bytes.size--;
    refused(write_bytes("a.nii", &bytes), &nothing, PROBLEM_INPUT, "47");
    refused(packed("a.nii.gz", bytes.at, bytes.size), &nothing, PROBLEM_INPUT, "a.nii.gz");
    bytes.size += 2;
    struct volume volume = accepted_saying(write_bytes("a.nii", &bytes), &nothing, "1 byte");
    check_samples(&volume, 1);
    volume_destroy(&volume);
    volume = accepted_saying(packed("a.nii.gz", bytes.at, bytes.size), &nothing, "more bytes");
    volume_destroy(&volume);
}

static void extensions_are_stepped_over(void **state)
{
    (void)state;
    static const struct {
        uint32_t size;
        const char *word; // NULL: accepted
    } extensions[] = { { 16, NULL }, { 32, NULL }, { 0, "16" },          { 8, "16" },
                       { 20, "16" }, { 48, "16" }, { 0x7ffffff0, "16" }, { 0xfffffff0, "16" } };
    for (int form = 0; form < 4; form++) {
        for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
            struct file file = { .version = 1 + form % 2, .big = form & 2, .has_offset = true };
            file.offset = (double)(header_size(&file) + 4 + 32);
            struct bytes bytes;
            build_header(&bytes, &file);
            bytes.at[header_size(&file)] = 1;
            put_bits(&bytes, extensions[i].size, 4, file.big);
            put_bits(&bytes, 6, 4, file.big);
            bytes.size += 8;
            put_bits(&bytes, 16, 4, file.big); // seen where the first has 16 bytes
            put_bits(&bytes, 6, 4, file.big);
            bytes.size += 8;
            put_samples(&bytes, 1, 24, file.big);
            for (int gzip = 0; gzip < 2; gzip++) {
                const char *path =
                    gzip ? packed("a.nii.gz", bytes.at, bytes.size) : write_bytes("a.nii", &bytes);
                if (extensions[i].word) {
                    refused(path, &nothing, PROBLEM_INPUT, extensions[i].word);
                    continue;
                }
                struct volume volume = accepted_saying(path, &nothing, NULL);
                check_samples(&volume, 1);
                volume_destroy(&volume);
            }
        }
    }
}

static void sixty_four_bits_must_fit(void **state)
{
    (void)state;
    struct file file = { .version = 1, .datatype = 1024, .bitpix = 64 };
    struct bytes bytes;
    build_header(&bytes, &file);
    put_samples(&bytes, 8, 24, false);
    set_bits(&bytes, bytes.size - 8, UINT64_C(1) << 31, 8, false);
    refused(write_bytes("a.nii", &bytes), &nothing, PROBLEM_INPUT, "2147483648");
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        const struct file file = {
            .version = 1 + form % 2,
            .big = form & 2,
            .sform = 1,
            .qform = 1,
            .srow = { 1, [5] = 1, [10] = 1 },
        };
        const struct bytes bytes = whole(file);
        cut_everywhere("a.nii", &bytes, header_size(&file) + 4, 1, 0);
        scramble("a.nii", &bytes, bytes.size, 300);
        const char *path = packed("b.nii.gz", bytes.at, bytes.size);
        size_t size = 0;
        unsigned char *gzip = scratch_read(path, &size);
        struct bytes small = { .size = 0 };
        put_bytes(&small, gzip, size);
        free(gzip);
        cut_everywhere("a.nii.gz", &small, small.size, 1, 0);
        scramble("a.nii.gz", &small, small.size, 300);
    }
}

static void picked_by_content(void **state)
{
    (void)state;
    const struct bytes bytes = whole((struct file){ .version = 1 });
    struct volume volume = accepted_saying(write_bytes("b.nrrd", &bytes), &nothing, "NIfTI");
    check_samples(&volume, 1);
    volume_destroy(&volume);
    volume = accepted_saying(packed("noname", bytes.at, bytes.size), &nothing, NULL);
    check_samples(&volume, 1);
    volume_destroy(&volume);
    refused(
        scratch_write("text.nii", "hello, world", 12), &nothing, PROBLEM_INPUT, "not a NIfTI file");
}

static void reads_the_shared_volumes(void **state)
{
    (void)state;
    // Large, so it is read in few rounds.
    const char *path = shared_file("MNI152_2009_template.nii.gz");
    struct volume volume;
    struct problem problem = { 0 };
    if (!volume_read(path, &nothing, &volume, &problem)) {
        fail_msg("%s", problem.text);
    }
    by_slices(path, &nothing, &volume, 96);
    assert_true(volume.dim[0] == 193 && volume.dim[1] == 229 && volume.dim[2] == 193);
    assert_int_equal(count_inside(&volume, 426.5), 1623008);
    reals_are(volume.origin, (double[]){ 96, 132, -78 }, 3);
    reals_are(volume.direction, (double[]){ -1, 0, 0, 0, -1, 0, 0, 0, 1 }, 9);
    volume_destroy(&volume);
    volume = accepted(shared_file("anatomical_be.nii"), &nothing);
    assert_true(volume.dim[0] == 33 && volume.dim[1] == 41 && volume.dim[2] == 25);
    assert_int_equal(count_inside(&volume, 12000.5), 1253);
    reals_are(volume.spacing, (double[]){ 2, 2, 2 }, 3);
    reals_are(volume.origin, (double[]){ -32, 40, -16 }, 3);
    reals_are(volume.direction, (double[]){ 1, 0, 0, 0, -1, 0, 0, 0, 1 }, 9);
    volume_destroy(&volume);
}

static void an_extension_that_is_cut(void **state)
{
    (void)state;
    struct bytes bytes = whole((struct file){ .version = 1, .has_offset = true, .offset = 1000 });
    bytes.at[348] = 1;
    set_bits(&bytes, 352, 640, 4, false);
    refused(
        packed("x.nii.gz", bytes.at, bytes.size), &nothing, PROBLEM_INPUT,
        "a header extension: 48 of its 640 bytes");
}

// vox_offset 0 means directly after the header, including its extension flag.
static void no_offset_in_a_single_file(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        struct bytes bytes =
            whole((struct file){ .version = 1 + form % 2, .big = form & 2, .has_offset = true });
        const char *path = write_bytes("o.nii", &bytes);
        for (int zipped = 0; zipped < 2; zipped++) {
            struct volume volume = accepted_saying(path, &nothing, NULL);
            check_samples(&volume, 1);
            volume_destroy(&volume);
            path = packed("o.nii.gz", bytes.at, bytes.size);
        }
        // With extensions, the start of the samples is unknown.
        bytes.at[form % 2 ? 540 : 348] = 1;
        refused(write_bytes("o.nii", &bytes), &nothing, PROBLEM_INPUT, "vox_offset is 0");
        bytes.size = form % 2 ? 540 : 348;
        refused(write_bytes("o.nii", &bytes), &nothing, PROBLEM_INPUT, "its NIfTI header");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type_in_every_form),
        cmocka_unit_test(pairs_are_found),
        cmocka_unit_test(the_affine_is_turned_into_lps),
        cmocka_unit_test(forms_that_are_no_use_are_passed_over),
        cmocka_unit_test(scaling_makes_floats),
        cmocka_unit_test(the_first_of_several_is_read),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(no_offset_in_a_single_file),
        cmocka_unit_test(an_extension_that_is_cut),
        cmocka_unit_test(analyze_has_only_pixdim),
        cmocka_unit_test(sizes_must_match),
        cmocka_unit_test(extensions_are_stepped_over),
        cmocka_unit_test(sixty_four_bits_must_fit),
        cmocka_unit_test(cut_and_scrambled),
        cmocka_unit_test(picked_by_content),
        cmocka_unit_test(reads_the_shared_volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
