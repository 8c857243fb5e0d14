// Slices: a folder of PNG images, one image with tiles, and every kind of image that cannot be a
// slice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/by_slices.h"
#include "tests/png.h"
#include "tests/scratch.h"
#include "volumes/base/interrupt.h"
#include "volumes/volume.h"

#include <math.h>
#include <sys/resource.h>

static const struct volume_params nothing;

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

static const char *store(const char *name, struct png png)
{
    const char *path = scratch_write(name, png.bytes, png.size);
    free(png.bytes);
    return path;
}

static const char *folder(const char *name)
{
    const char *path = scratch(name);
    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

// A 3x2 slice whose samples identify it; `colour` is PNG's colour type.
static struct png slice(int number, int depth, int colour)
{
    uint8_t narrow[24];
    uint16_t wide[24];
    const int n = png_channels[colour];
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < n; c++) {
            const bool alpha = (n == 2 && c == 1) || c == 3;
            narrow[i * n + c] = (uint8_t)(alpha ? 7 * i : 10 * number + i);
            wide[i * n + c] = (uint16_t)(alpha ? 999 * i : 1000 * number + i);
        }
    }
    return png_make(3, 2, depth, colour, depth == 16 ? (void *)wide : (void *)narrow);
}

static void folders_in_natural_order(void **state)
{
    (void)state;
    static const char *const names[] = { "s1.png",  "s02.png", "s3.PNG",
                                         "s10.png", "s11.png", "s100.png" };
    folder("natural");
    for (int i = 5; i >= 0; i--) {
        char name[64];
        snprintf(name, sizeof name, "natural/%s", names[i]);
        store(name, slice(i, 8, 0));
    }
    store("natural/._s1.png", slice(9, 16, 0)); // hidden files that some systems leave behind
    scratch_write("natural/notes.txt", "x", 1);
    scratch_listen();
    struct volume volume =
        accepted(scratch("natural"), &(struct volume_params){ .spacing = { 1, 1, 2.5 } });
    assert_string_equal(scratch_heard(), "");
    assert_int_equal(volume.type, VOLUME_UINT8);
    assert_int_equal(volume.file_type, VOLUME_UINT8);
    assert_int_equal(volume.dim[0], 3);
    assert_int_equal(volume.dim[1], 2);
    assert_int_equal(volume.dim[2], 6);
    assert_true(volume.spacing[2] == 2.5);
    for (uint32_t z = 0; z < 6; z++) {
        for (uint32_t i = 0; i < 6; i++) {
            assert_true(volume_sample(&volume, i % 3, i / 3, z) == 10 * z + i);
        }
    }
    volume_destroy(&volume);
    // Other files that look like images are skipped, with a note.
    scratch_write("natural/preview.jpg", "x", 1);
    scratch_listen();
    volume = accepted(scratch("natural"), &nothing);
    assert_non_null(strstr(scratch_heard(), "preview.jpg"));
    volume_destroy(&volume);
}

static void grey_in_every_form(void **state)
{
    (void)state;
    static const int colours[] = { 0, 2, 4, 6 };
    folder("forms");
    for (int depth = 8; depth <= 16; depth += 8) {
        for (int c = 0; c < 4; c++) {
            // Channels may differ from slice to slice, size and depth may not.
            store("forms/a.png", slice(1, depth, colours[c]));
            store("forms/b.png", slice(2, depth, 0));
            struct volume volume = accepted(scratch("forms"), &nothing);
            assert_int_equal(volume.type, depth == 16 ? VOLUME_UINT16 : VOLUME_UINT8);
            for (uint32_t i = 0; i < 6; i++) {
                const double base = depth == 16 ? 1000 : 10;
                assert_true(volume_sample(&volume, i % 3, i / 3, 0) == base + i);
                assert_true(volume_sample(&volume, i % 3, i / 3, 1) == 2 * base + i);
            }
            volume_destroy(&volume);
        }
    }
    // One bit: black and white become 0 and 255. A palette of greys is grey.
    struct png png;
    png_begin(&png, 3, 2, 1, 0, 0);
    png_data(&png, "\xa0\x40", 1, 2);
    png_chunk(&png, "IEND", NULL, 0);
    store("forms/a.png", png);
    png_begin(&png, 3, 2, 8, 3, 0);
    png_chunk(&png, "PLTE", "\x05\x05\x05\x09\x09\x09", 6);
    png_data(&png, "\0\1\0\1\0\1", 3, 2);
    png_chunk(&png, "IEND", NULL, 0);
    store("forms/b.png", png);
    struct volume volume = accepted(scratch("forms"), &nothing);
    assert_true(volume_sample(&volume, 0, 0, 0) == 255 && volume_sample(&volume, 1, 0, 0) == 0);
    assert_true(volume_sample(&volume, 1, 1, 0) == 255 && volume_sample(&volume, 2, 1, 0) == 0);
    assert_true(volume_sample(&volume, 0, 0, 1) == 5 && volume_sample(&volume, 1, 0, 1) == 9);
    volume_destroy(&volume);
}

static void colour_is_refused(void **state)
{
    (void)state;
    folder("colour");
    store("colour/a.png", slice(1, 8, 0));
    uint8_t samples[24] = { 0 };
    for (int colour = 2; colour <= 6; colour += 4) {
        const int n = png_channels[colour];
        for (int channel = 0; channel < 3; channel++) {
            memset(samples, 50, sizeof samples);
            samples[5 * n + channel] = 51; // only the last pixel
            store("colour/b.png", png_make(3, 2, 8, colour, samples));
            refused(scratch("colour"), &nothing, PROBLEM_INPUT, "b.png' is a colour image");
        }
    }
}

static void the_odd_one_is_named(void **state)
{
    (void)state;
    uint8_t samples[64] = { 0 };
    folder("odd");
    for (int i = 1; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "odd/%d.png", i);
        store(name, slice(i, 8, 0));
    }
    store("odd/3.png", png_make(4, 2, 8, 0, samples));
    refused(scratch("odd"), &nothing, PROBLEM_INPUT, "3.png' is 4x2");
    store("odd/3.png", slice(3, 16, 0));
    refused(scratch("odd"), &nothing, PROBLEM_INPUT, "3.png' is 3x2 uint16");
    store("odd/3.png", slice(3, 8, 0));
    store("odd/1.png", png_make(3, 4, 8, 0, samples));
    refused(scratch("odd"), &nothing, PROBLEM_INPUT, "1.png' is 3x4");
    scratch_write("odd/1.png", "\xff\xd8\xff\xe0JFIF", 8);
    refused(scratch("odd"), &nothing, PROBLEM_INPUT, "1.png' is not a valid PNG");
    scratch_write("odd/1.png", "", 0);
    refused(scratch("odd"), &nothing, PROBLEM_INPUT, "1.png' is not a valid PNG");
    unlink(scratch("odd/1.png"));
    assert_int_equal(mkfifo(scratch("odd/1.png"), 0600), 0);
    refused(scratch("odd"), &nothing, PROBLEM_INPUT, "1.png': it is a pipe");
}

static void folders_that_are_no_volume(void **state)
{
    (void)state;
    folder("none");
    refused(scratch("none"), &nothing, PROBLEM_INPUT, "no PNG");
    scratch_write("none/a.tif", "x", 1);
    refused(scratch("none"), &nothing, PROBLEM_INPUT, "a.tif");
    unlink(scratch("none/a.tif"));
    store("none/a.png", slice(1, 8, 0));
    refused(scratch("none"), &nothing, PROBLEM_INPUT, "two samples");
    store("none/b.png", slice(1, 8, 0));
    refused(scratch("none"), &(struct volume_params){ .atlas = { 1, 1 } }, PROBLEM_USAGE, "folder");
    refused(scratch("none"), &(struct volume_params){ .dim = { 3, 2, 3 } }, PROBLEM_INPUT, "3x2x2");
    refused(scratch("none"), &(struct volume_params){ .max_bytes = 11 }, PROBLEM_LIMIT, "11");
    refused(
        scratch("none"), &(struct volume_params){ .spacing = { 1, 1, 0 } }, PROBLEM_USAGE, "spac");
    scratch_listen();
    struct volume volume = accepted(
        scratch("none"),
        &(struct volume_params){
            .dim = { 3, 2, 2 }, .has_type = true, .type = VOLUME_INT16, .offset = 1 });
    const char *heard = scratch_heard();
    assert_non_null(strstr(heard, "int16 was given and is ignored"));
    assert_non_null(strstr(heard, "offset"));
    volume_destroy(&volume);
}

// 2x3 tiles of 4x2 pixels; tile t, pixel (x, y) has the value 8 t + 4 y + x.
static struct png atlas_of(int depth, int colour)
{
    uint8_t narrow[48 * 4];
    uint16_t wide[48 * 4];
    const int n = png_channels[colour];
    for (int y = 0; y < 6; y++) {
        for (int x = 0; x < 8; x++) {
            const int value = 8 * (y / 2 * 2 + x / 4) + 4 * (y % 2) + x % 4;
            for (int c = 0; c < n; c++) {
                narrow[(y * 8 + x) * n + c] = (uint8_t)value;
                wide[(y * 8 + x) * n + c] = (uint16_t)(300 * value);
            }
        }
    }
    return png_make(8, 6, depth, colour, depth == 16 ? (void *)wide : (void *)narrow);
}

static void atlas_tiles_row_by_row(void **state)
{
    (void)state;
    for (int depth = 8; depth <= 16; depth += 8) {
        const char *path = store("atlas.png", atlas_of(depth, 6));
        struct volume volume = accepted(path, &(struct volume_params){ .atlas = { 2, 3 } });
        assert_int_equal(volume.dim[0], 4);
        assert_int_equal(volume.dim[1], 2);
        assert_int_equal(volume.dim[2], 6);
        for (uint32_t i = 0; i < 48; i++) {
            assert_true(
                volume_sample(&volume, i % 4, i / 4 % 2, i / 8) == (depth == 16 ? 300 : 1) * i);
        }
        volume_destroy(&volume);
        volume = accepted(path, &(struct volume_params){ .atlas = { 2, 3 }, .slices = 5 });
        assert_int_equal(volume.dim[2], 5);
        assert_true(volume_sample(&volume, 3, 1, 4) == (depth == 16 ? 300 : 1) * 39);
        volume_destroy(&volume);
    }
    const char *path = scratch("atlas.png");
    refused(path, &nothing, PROBLEM_INPUT, "is one PNG image");
    refused(path, &(struct volume_params){ .atlas = { 3, 3 } }, PROBLEM_INPUT, "do not divide");
    refused(path, &(struct volume_params){ .atlas = { 2, 4 } }, PROBLEM_INPUT, "do not divide");
    refused(path, &(struct volume_params){ .atlas = { 2, 0 } }, PROBLEM_INPUT, "do not divide");
    refused(path, &(struct volume_params){ .atlas = { 9, 9 } }, PROBLEM_INPUT, "do not divide");
    refused(
        path, &(struct volume_params){ .atlas = { UINT32_MAX, UINT32_MAX } }, PROBLEM_INPUT,
        "do not divide");
    refused(
        path, &(struct volume_params){ .atlas = { 2, 3 }, .slices = 7 }, PROBLEM_INPUT, "too few");
    refused(
        path, &(struct volume_params){ .atlas = { 2, 3 }, .slices = 1 }, PROBLEM_INPUT, "two samp");
    refused(path, &(struct volume_params){ .atlas = { 8, 6 } }, PROBLEM_INPUT, "two samples");
    refused(
        path, &(struct volume_params){ .atlas = { 2, 3 }, .max_bytes = 100 }, PROBLEM_LIMIT,
        "limit is 100");
}

static void png_that_is_none(void **state)
{
    (void)state;
    const struct volume_params tiles = { .atlas = { 2, 3 } };
    struct png png = atlas_of(8, 0);
    // Cut at any byte: refused. With any bit flipped: refused, or the bit does not matter.
    for (size_t cut = 0; cut < png.size; cut++) {
        refused(scratch_write("cut.png", png.bytes, cut), &tiles, PROBLEM_INPUT, "'");
    }
    for (size_t bit = 0; bit < 8 * png.size; bit++) {
        png.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        struct volume volume;
        struct problem problem = { 0 };
        const char *path = scratch_write("flip.png", png.bytes, png.size);
        assert_false(volume_read(path, &tiles, &volume, &problem));
        assert_true(problem.kind == PROBLEM_INPUT);
        png.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    free(png.bytes);

    // Valid checksums, invalid content.
    static const struct {
        uint32_t width, height;
        int depth, colour, interlace;
        enum problem_kind code;
        const char *word;
    } headers[] = {
        { 0, 6, 8, 0, 0, PROBLEM_INPUT, "0" },
        { 8, 0, 8, 0, 0, PROBLEM_INPUT, "0" },
        { 16385, 6, 8, 0, 0, PROBLEM_LIMIT, "16384" },
        { 32768, 16384, 16, 0, 0, PROBLEM_LIMIT, "16384" },
        { 0xffffffff, 6, 8, 0, 0, PROBLEM_LIMIT, "16384" },
        { 8, 6, 3, 0, 0, PROBLEM_INPUT, "3 bits" },
        { 8, 6, 16, 3, 0, PROBLEM_INPUT, "16 bits" },
        { 8, 6, 4, 2, 0, PROBLEM_INPUT, "4 bits" },
        { 8, 6, 8, 5, 0, PROBLEM_INPUT, "colour type 5" },
        { 8, 6, 8, 0, 2, PROBLEM_INPUT, "interlace" },
        { 8, 6, 8, 3, 0, PROBLEM_INPUT, "decode" }, // a palette image without its palette
    };
    uint8_t rows[64] = { 0 };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        png_begin(
            &png, headers[i].width, headers[i].height, headers[i].depth, headers[i].colour,
            headers[i].interlace);
        png_data(&png, rows, 8, 6);
        png_chunk(&png, "IEND", NULL, 0);
        refused(store("bad.png", png), &tiles, headers[i].code, headers[i].word);
    }
    // Two headers.
    png_begin(&png, 8, 6, 8, 0, 0);
    png_chunk(&png, "IHDR", "\0\0\0\x08\0\0\0\x06\x08\0\0\0\0", 13);
    png_data(&png, rows, 8, 6);
    png_chunk(&png, "IEND", NULL, 0);
    refused(store("bad.png", png), &tiles, PROBLEM_INPUT, "two headers");
    // No data at all.
    png_begin(&png, 8, 6, 8, 0, 0);
    png_chunk(&png, "IEND", NULL, 0);
    refused(store("bad.png", png), &tiles, PROBLEM_INPUT, "no image data");
    // Too few rows; data that are not a zlib stream.
    png_begin(&png, 8, 6, 8, 0, 0);
    png_data(&png, rows, 8, 5);
    png_chunk(&png, "IEND", NULL, 0);
    refused(store("bad.png", png), &tiles, PROBLEM_INPUT, "decode");
    png_begin(&png, 8, 6, 8, 0, 0);
    png_chunk(&png, "IDAT", "nonsense", 8);
    png_chunk(&png, "IEND", NULL, 0);
    refused(store("bad.png", png), &tiles, PROBLEM_INPUT, "decode");
    // Apple's variant.
    png = (struct png){ malloc(8), 8 };
    memcpy(png.bytes, "\x89PNG\r\n\x1a\n", 8);
    png_chunk(&png, "CgBI", "\0\0\0\0", 4);
    refused(store("bad.png", png), &tiles, PROBLEM_INPUT, "PNG");
    // Other formats with a PNG's name.
    static const char *const others[] = { "\xff\xd8\xff\xe0", "GIF89a", "8BPS", "BM",
                                          "P5 8 6 255\n" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char file[100] = { 0 };
        strcpy(file, others[i]);
        const char *path = scratch_write("bad.png", file, sizeof file);
        refused(path, &tiles, PROBLEM_INPUT, "only PNG");
    }
}

static void bombs_stay_small(void **state)
{
    (void)state;
    // 8x6 by its header, 64 MiB by its data: the decoder must not follow the data.
    const size_t stride = (size_t)64 << 20;
    uint8_t *rows = calloc(stride, 1);
    struct png png;
    png_begin(&png, 8, 6, 8, 0, 0);
    png_data(&png, rows, stride, 1);
    png_chunk(&png, "IEND", NULL, 0);
    free(rows);
    refused(
        store("bomb.png", png), &(struct volume_params){ .atlas = { 2, 3 } }, PROBLEM_HOST_MEMORY,
        "far more");
    // 16384x16384 by its header in a hundred bytes: refused before memory is asked for, also where
    // the slices are read one by one and their size has no limit.
    uint8_t row[8] = { 0 };
    folder("bombs");
    for (int i = 0; i < 2; i++) {
        png_begin(&png, 16384, 16384, 16, 6, 0);
        png_data(&png, row, 8, 1);
        png_chunk(&png, "IEND", NULL, 0);
        store(i ? "bombs/b.png" : "bombs/a.png", png);
    }
    refused(
        scratch("bombs/a.png"), &(struct volume_params){ .atlas = { 16, 16 } }, PROBLEM_INPUT,
        "cannot hold so many");
    struct problem problem = { 0 };
    struct volume_file file;
    refused(scratch("bombs"), &nothing, PROBLEM_INPUT, "a.png' should have 16384x16384 pixels");
    assert_false(volume_file_open(scratch("bombs"), &nothing, &file, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    // The limit counts the memory that decoding takes: a blank image of 1 MiB in 1 KiB.
    rows = calloc(1 << 20, 1);
    png_begin(&png, 1024, 1024, 8, 0, 0);
    png_data(&png, rows, 1024, 1024);
    png_chunk(&png, "IEND", NULL, 0);
    free(rows);
    refused(
        store("bomb.png", png),
        &(struct volume_params){ .atlas = { 16, 16 }, .max_bytes = UINT64_C(2) << 20 },
        PROBLEM_LIMIT, "limit");
}

static void interlaced_images_are_read(void **state)
{
    (void)state;
    // Adam7 of 2x2: pass 1 has (0,0), pass 6 (1,0), pass 7 the second row.
    struct png png;
    uint8_t plain[] = { 0, 10, 0, 20, 0, 30, 40 };
    uint8_t packed[64];
    uLongf size = sizeof packed;
    compress(packed, &size, plain, sizeof plain);
    folder("interlaced");
    for (int i = 0; i < 2; i++) {
        png_begin(&png, 2, 2, 8, 0, 1);
        png_chunk(&png, "IDAT", packed, size);
        png_chunk(&png, "IEND", NULL, 0);
        store(i ? "interlaced/b.png" : "interlaced/a.png", png);
    }
    struct volume volume = accepted(scratch("interlaced"), &nothing);
    assert_true(volume_sample(&volume, 0, 0, 0) == 10 && volume_sample(&volume, 1, 0, 0) == 20);
    assert_true(volume_sample(&volume, 0, 1, 1) == 30 && volume_sample(&volume, 1, 1, 1) == 40);
    volume_destroy(&volume);
}

static bool stop_at(void *user, double share)
{
    int *left = user;
    assert_true(share >= 0 && share <= 1);
    return (*left)-- > 0;
}

// Also between the headers: the second image is never read.
static void probing_can_be_cancelled(void **state)
{
    (void)state;
    folder("probing");
    store("probing/a.png", slice(1, 8, 0));
    scratch_write("probing/b.png", "no image", 8);
    int left = 1;
    const struct progress with = { stop_at, &left };
    const struct volume_params params = { .progress = &with };
    refused(scratch("probing"), &nothing, PROBLEM_INPUT, "b.png");
    refused(scratch("probing"), &params, PROBLEM_INTERRUPTED, "cancelled");
    // The times of the files are read after all headers, and again at the end.
    struct volume_file file;
    struct problem problem = { 0 };
    store("probing/b.png", slice(2, 8, 0));
    for (int n = 0; n < 4; n++) {
        left = n;
        problem.kind = 0;
        assert_false(volume_file_open(scratch("probing"), &params, &file, &problem));
        assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    }
    left = 4;
    assert_true(volume_file_open(scratch("probing"), &params, &file, &problem));
    interrupted = 1;
    const bool unchanged = volume_file_unchanged(&file, &problem);
    interrupted = 0;
    assert_false(unchanged);
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    volume_file_close(&file);
}

static void loading_can_be_cancelled(void **state)
{
    (void)state;
    folder("cancel");
    store("cancel/a.png", slice(1, 8, 0));
    store("cancel/b.png", slice(2, 8, 0));
    store("cancel.png", atlas_of(8, 0));
    for (int kind = 0; kind < 2; kind++) {
        struct volume_params params = { .atlas = { kind ? 2 : 0, kind ? 3 : 0 } };
        const char *path = scratch(kind ? "cancel.png" : "cancel");
        int left = 1000;
        const struct progress with = { stop_at, &left };
        params.progress = &with;
        struct volume volume;
        struct problem problem = { 0 };
        assert_true(volume_read(path, &params, &volume, &problem));
        volume_destroy(&volume);
        const int calls = 1000 - left;
        assert_true(calls >= 3);
        for (int n = 0; n < calls; n++) {
            left = n;
            refused(path, &params, PROBLEM_INTERRUPTED, "cancelled");
        }
    }
}

struct swap {
    const char *path;
    struct png png;
    int after; // calls of progress: one for each header
};

static bool swap_it(void *user, double share)
{
    struct swap *swap = user;
    (void)share;
    if (swap->after-- > 0) {
        return true;
    }
    FILE *out = fopen(swap->path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(swap->png.bytes, 1, swap->png.size, out), swap->png.size);
    fclose(out);
    return true;
}

// Between reading the headers and the images, an image is replaced.
static void images_that_change(void **state)
{
    (void)state;
    uint8_t samples[64] = { 0 };
    folder("change");
    for (int kind = 0; kind < 2; kind++) {
        store("change/a.png", slice(1, 8, 0));
        store("change/b.png", slice(2, 8, 0));
        char *path = strdup(store("change.png", atlas_of(8, 0)));
        char *second = strdup(scratch("change/b.png"));
        struct swap swap = { kind ? path : second, png_make(4, 2, 8, 0, samples), kind ? 0 : 2 };
        swap.png.bytes = realloc(swap.png.bytes, 1000); // not shorter than what was there
        swap.png.size = 1000;
        const struct progress progress = { swap_it, &swap };
        refused(
            kind ? path : scratch("change"),
            &(struct volume_params){ .atlas = { kind ? 2 : 0, kind ? 3 : 0 },
                                     .progress = &progress },
            PROBLEM_INPUT, "changed while it was read");
        free(swap.png.bytes);
        free(path);
        free(second);
    }
    // By ranges.
    struct volume_file file;
    struct problem problem = { 0 };
    store("change/b.png", slice(2, 8, 0));
    assert_true(volume_file_open(scratch("change"), &nothing, &file, &problem));
    assert_true(volume_file_unchanged(&file, &problem));
    store("change/b.png", png_make(4, 2, 8, 0, samples));
    assert_false(volume_file_read(&file, 0, 2, samples, NULL, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    unlink(scratch("change/b.png"));
    assert_false(volume_file_unchanged(&file, &problem));
    volume_file_close(&file);
}

// Numbers that differ only in leading zeros have an order that does not depend on the folder.
static void equal_numbers(void **state)
{
    (void)state;
    static const char *const names[] = { "0002.png", "002.png", "02.png", "2.png" };
    folder("equal");
    for (int i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "equal/%s", names[3 - i]);
        store(name, slice(3 - i, 8, 0));
    }
    scratch_listen();
    struct volume volume = accepted(scratch("equal"), &nothing);
    assert_non_null(strstr(scratch_heard(), "two slices have the same number"));
    for (uint32_t z = 0; z < 4; z++) {
        assert_true(volume_sample(&volume, 0, 0, z) == 10 * z);
    }
    volume_destroy(&volume);
}

// No file descriptors are left: for the folder, or for a slice.
static void out_of_descriptors(void **state)
{
    (void)state;
    struct rlimit old, none;
    folder("full");
    store("full/a.png", slice(1, 8, 0));
    store("full/b.png", slice(2, 8, 0));
    const char *path = scratch("full");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    const int next = dup(STDERR_FILENO);
    close(next);
    none = (struct rlimit){ (rlim_t)next, old.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    struct volume volume;
    struct problem problem = { 0 };
    const bool read = volume_read(path, &nothing, &volume, &problem);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    assert_false(read);
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_non_null(strstr(problem.text, "cannot open the folder"));
}

static void the_shared_atlas(void **state)
{
    (void)state;
    const char *data = getenv("CUBIST_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/aneurism_16x16tiles_256x256x256.png", data ? data : "");
    if (!data || access(path, R_OK) != 0) {
        print_message("no shared volumes at CUBIST_DATA: skipped\n");
        skip();
    }
    struct volume tiles = accepted(path, &(struct volume_params){ .atlas = { 16, 16 } });
    snprintf(path, sizeof path, "%s/aneurism_256x256x256_uint8.raw", data);
    struct volume raw = accepted(path, &nothing);
    // The same samples, y mirrored.
    for (uint32_t z = 0; z < 256; z++) {
        for (uint32_t y = 0; y < 256; y++) {
            assert_memory_equal(
                (char *)tiles.samples + ((size_t)z * 256 + y) * 256,
                (char *)raw.samples + ((size_t)z * 256 + 255 - y) * 256, 256);
        }
    }
    volume_destroy(&tiles);
    volume_destroy(&raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_in_natural_order),
        cmocka_unit_test(grey_in_every_form),
        cmocka_unit_test(colour_is_refused),
        cmocka_unit_test(the_odd_one_is_named),
        cmocka_unit_test(folders_that_are_no_volume),
        cmocka_unit_test(atlas_tiles_row_by_row),
        cmocka_unit_test(png_that_is_none),
        cmocka_unit_test(bombs_stay_small),
        cmocka_unit_test(interlaced_images_are_read),
        cmocka_unit_test(loading_can_be_cancelled),
        cmocka_unit_test(probing_can_be_cancelled),
        cmocka_unit_test(images_that_change),
        cmocka_unit_test(equal_numbers),
        cmocka_unit_test(out_of_descriptors),
        cmocka_unit_test(the_shared_atlas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
