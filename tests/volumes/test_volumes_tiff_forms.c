// ctest: heavy
// TIFF as libtiff writes it: every compression, predictor, layout, type and byte order, as one file
// and as a folder, whole and by ranges. Then strips and tiles with data of the wrong size.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifndef CUBIST_TIFF

int main(void)
{
    puts("skipped: built without libtiff");
    return 77;
}

#else

#include "tests/by_slices.h"
#include "tests/scratch.h"
#include "volumes/formats/readers.h"
#include "volumes/volume.h"

#include <malloc.h>
#include <tiffio.h>

#define WIDTH        37u
#define HEIGHT       20u
#define DEPTH        3u

static const struct volume_params nothing;

struct form {
    const char *mode; // of TIFFOpen: byte order, BigTIFF
    enum volume_type type;
    uint16_t compression, predictor;
    uint32_t tile; // its width; 0: strips
    uint32_t rows; // of a strip or tile
};

static const uint16_t compressions[] = {
    COMPRESSION_NONE,    COMPRESSION_LZW,      COMPRESSION_ADOBE_DEFLATE,
    COMPRESSION_DEFLATE, COMPRESSION_PACKBITS, COMPRESSION_LZMA,
    COMPRESSION_ZSTD,    COMPRESSION_LERC,     COMPRESSION_JPEG,
};
#define COMPRESSIONS (sizeof compressions / sizeof *compressions)

static bool has_predictor(uint16_t compression)
{
    return compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE ||
           compression == COMPRESSION_DEFLATE || compression == COMPRESSION_LZMA ||
           compression == COMPRESSION_ZSTD;
}

static double value_at(enum volume_type type, uint32_t x, uint32_t y, uint32_t z)
{
    const int value = (int)((y + HEIGHT * z) * 7 + x * x % 11) % 120;
    switch (type) {
    case VOLUME_INT8:
    case VOLUME_INT16:
    case VOLUME_INT32:
        return value - 60;
    case VOLUME_FLOAT32:
    case VOLUME_FLOAT64:
        return value / 8.0 - 3;
    default:
        return value;
    }
}

static void put(enum volume_type type, void *samples, size_t i, double value)
{
    switch (type) {
    case VOLUME_UINT8:
        ((uint8_t *)samples)[i] = (uint8_t)value;
        break;
    case VOLUME_INT8:
        ((int8_t *)samples)[i] = (int8_t)value;
        break;
    case VOLUME_UINT16:
        ((uint16_t *)samples)[i] = (uint16_t)value;
        break;
    case VOLUME_INT16:
        ((int16_t *)samples)[i] = (int16_t)value;
        break;
    case VOLUME_UINT32:
        ((uint32_t *)samples)[i] = (uint32_t)value;
        break;
    case VOLUME_INT32:
        ((int32_t *)samples)[i] = (int32_t)value;
        break;
    case VOLUME_FLOAT32:
        ((float *)samples)[i] = (float)value;
        break;
    default:
        ((double *)samples)[i] = value;
    }
}

static void set_tags(TIFF *tiff, const struct form *form, uint32_t width, uint32_t height)
{
    const bool is_float = form->type == VOLUME_FLOAT32 || form->type == VOLUME_FLOAT64;
    const bool is_signed =
        form->type == VOLUME_INT8 || form->type == VOLUME_INT16 || form->type == VOLUME_INT32;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * volume_type_size(form->type)));
    TIFFSetField(
        tiff, TIFFTAG_SAMPLEFORMAT,
        is_float    ? SAMPLEFORMAT_IEEEFP
        : is_signed ? SAMPLEFORMAT_INT
                    : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, form->compression);
    if (form->predictor > 1) {
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, form->predictor);
    }
    if (form->compression == COMPRESSION_JPEG) {
        TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 100);
    } else if (form->compression == COMPRESSION_LZMA) {
        TIFFSetField(tiff, TIFFTAG_LZMAPRESET, 0);
    }
    if (form->tile > 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, form->tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, form->rows);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, form->rows);
    }
}

// The strips or tiles of a page; missing samples repeat the page's edge.
static void
write_page(TIFF *tiff, const struct form *form, uint32_t width, uint32_t height, uint32_t z)
{
    const uint32_t across = form->tile ? form->tile : width;
    uint32_t number = 0;
    void *piece = malloc((size_t)across * form->rows * 8);
    for (uint32_t y = 0; y < height; y += form->rows) {
        for (uint32_t x = 0; x < width; x += across) {
            const bool last = height - y < form->rows && !form->tile;
            const uint32_t rows = last ? height - y : form->rows;
            for (uint32_t i = 0; i < across * rows; i++) {
                const uint32_t px = x + i % across, py = y + i / across;
                put(form->type, piece, i,
                    value_at(
                        form->type, px < width ? px : width - 1, py < height ? py : height - 1, z));
            }
            const tmsize_t bytes = (tmsize_t)(across * rows * volume_type_size(form->type));
            const tmsize_t done = form->tile ? TIFFWriteEncodedTile(tiff, number, piece, bytes)
                                             : TIFFWriteEncodedStrip(tiff, number, piece, bytes);
            assert_true(done == bytes);
            number++;
        }
    }
    free(piece);
}

static const char *write_stack(const char *name, const struct form *form)
{
    const char *path = scratch(name);
    TIFF *tiff = TIFFOpen(path, form->mode);
    for (uint32_t z = 0; z < DEPTH; z++) {
        set_tags(tiff, form, WIDTH, HEIGHT);
        write_page(tiff, form, WIDTH, HEIGHT, z);
        assert_int_equal(TIFFWriteDirectory(tiff), 1);
    }
    TIFFClose(tiff);
    return path;
}

static const char *write_folder(const char *name, const struct form *form)
{
    const char *path = scratch(name);
    mkdir(path, 0700);
    for (uint32_t z = 0; z < DEPTH; z++) {
        char slice[100];
        snprintf(slice, sizeof slice, "%s/%u.tif", name, z);
        TIFF *tiff = TIFFOpen(scratch(slice), form->mode);
        set_tags(tiff, form, WIDTH, HEIGHT);
        write_page(tiff, form, WIDTH, HEIGHT, z);
        TIFFClose(tiff);
    }
    return path;
}

static void accepted(const char *path, const struct form *form, double tolerance)
{
    struct volume volume;
    struct problem problem = { 0 };
    if (!volume_read(path, &nothing, &volume, &problem)) {
        fail_msg(
            "compression %u, predictor %u, tile %u, rows %u, %s: %s", form->compression,
            form->predictor, form->tile, form->rows, volume_type_name(form->type), problem.text);
    }
    assert_int_equal(volume.file_type, form->type);
    assert_true(volume.dim[0] == WIDTH && volume.dim[1] == HEIGHT && volume.dim[2] == DEPTH);
    for (uint32_t i = 0; i < WIDTH * HEIGHT * DEPTH; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / WIDTH / HEIGHT;
        const double found = volume_sample(&volume, x, y, z);
        const double expected = value_at(form->type, x, y, z);
        if (fabs(found - expected) > tolerance) {
            fail_msg(
                "compression %u, predictor %u, tile %u, rows %u, %s: %g for %g at %u %u %u",
                form->compression, form->predictor, form->tile, form->rows,
                volume_type_name(form->type), found, expected, x, y, z);
        }
    }
    by_slices(path, &nothing, &volume, 1);
    volume_destroy(&volume);
}

static void
refused(const char *path, enum problem_kind code, const char *word, const struct form *form)
{
    struct volume volume;
    struct problem problem = { 0 };
    const bool ok = volume_read(path, &nothing, &volume, &problem);
    if (ok || problem.kind != code || !strstr(problem.text, word)) {
        fail_msg(
            "compression %u, predictor %u, tile %u: expected %d and '%s', got %d: %s",
            form->compression, form->predictor, form->tile, code, word, problem.kind, problem.text);
    }
    assert_null(volume.samples);
    assert_null(strchr(problem.text, '\n'));
    by_slices_refused(path, &nothing);
}

static void every_form(void **state)
{
    (void)state;
    static const struct {
        uint32_t tile, rows;
    } layouts[] = { { 0, 1 }, { 0, 7 }, { 0, HEIGHT }, { 16, 16 }, { 48, 32 } };
    for (size_t c = 0; c < COMPRESSIONS; c++) {
        if (!TIFFIsCODECConfigured(compressions[c])) {
            print_message("this libtiff lacks compression %u\n", compressions[c]);
            continue;
        }
        for (int type = 0; type < VOLUME_TYPES; type++) {
            const bool is_float = type == VOLUME_FLOAT32 || type == VOLUME_FLOAT64;
            const bool jpeg = compressions[c] == COMPRESSION_JPEG;
            if (jpeg && type != VOLUME_UINT8) {
                continue;
            }
            for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
                for (uint16_t p = 1; p <= (has_predictor(compressions[c]) ? 2 : 1); p++) {
                    struct form form = {
                        // libtiff 4.5 writes the big-endian float predictor wrongly.
                        .mode = (p == 2 && is_float) || (l + p) % 2 ? "wl" : "wb",
                        .type = type,
                        .compression = compressions[c],
                        .predictor = p == 2 && is_float ? PREDICTOR_FLOATINGPOINT : p,
                        .tile = layouts[l].tile,
                        .rows = layouts[l].rows,
                    };
                    if (jpeg && form.rows % 8 != 0 && form.rows < HEIGHT) {
                        form.rows = 8;
                    }
                    accepted(write_stack("form.tif", &form), &form, jpeg ? 3 : 0);
                }
            }
        }
    }
}

static void big_and_small(void **state)
{
    (void)state;
    static const char *const modes[] = { "w8l", "w8b", "wl", "wb" };
    for (size_t i = 0; i < 4; i++) {
        const struct form form = { modes[i], VOLUME_INT16, COMPRESSION_LZW, 2, 0, 6 };
        accepted(write_stack("big.tif", &form), &form, 0);
        accepted(write_folder("big", &form), &form, 0);
    }
    // One by one, for every type, also narrowed ones.
    for (int type = 0; type < VOLUME_TYPES; type++) {
        const struct form form = { "wb", type, COMPRESSION_NONE, 1, 16, 16 };
        accepted(write_folder("types", &form), &form, 0);
    }
}

// The data of the first strip as in a file, for an image of that size.
static tmsize_t
donate(const struct form *form, uint32_t width, uint32_t height, unsigned char data[1 << 16])
{
    struct form whole = *form;
    whole.tile = 0;
    whole.rows = height;
    const char *path = scratch("donor.tif");
    TIFF *tiff = TIFFOpen(path, form->mode);
    set_tags(tiff, &whole, width, height);
    if (form->compression == COMPRESSION_JPEG) {
        TIFFSetField(tiff, TIFFTAG_JPEGTABLESMODE, 0);
    }
    write_page(tiff, &whole, width, height, 0);
    TIFFClose(tiff);
    tiff = TIFFOpen(path, "r");
    const tmsize_t size = TIFFReadRawStrip(tiff, 0, data, 1 << 16);
    assert_true(size > 0);
    TIFFClose(tiff);
    return size;
}

// A stack and a folder whose pages have the data as strip or tile `number`.
static void
write_with(const struct form *form, uint32_t number, const unsigned char *data, tmsize_t size)
{
    unsigned char whole[1 << 16], last[1 << 16];
    const uint32_t across = form->tile ? form->tile : WIDTH;
    const tmsize_t whole_size = donate(form, across, form->rows, whole);
    const tmsize_t last_size = donate(form, across, HEIGHT % form->rows, last);
    for (int folder = 0; folder < 2; folder++) {
        TIFF *tiff = NULL;
        if (folder) {
            mkdir(scratch("with"), 0700);
        }
        for (uint32_t z = 0; z < DEPTH; z++) {
            char name[32];
            snprintf(name, sizeof name, folder ? "with/%u.tif" : "with.tif", z);
            tiff = tiff ? tiff : TIFFOpen(scratch(name), form->mode);
            set_tags(tiff, form, WIDTH, HEIGHT);
            if (form->compression == COMPRESSION_JPEG) {
                TIFFSetField(tiff, TIFFTAG_JPEGTABLESMODE, 0);
            }
            const uint32_t pieces = (HEIGHT + form->rows - 1) / form->rows;
            for (uint32_t i = 0; i < pieces; i++) {
                const bool short_strip = !form->tile && i + 1 == pieces;
                const void *from = i == number ? data : short_strip ? last : whole;
                const tmsize_t n = i == number ? size : short_strip ? last_size : whole_size;
                void *bytes = (void *)(uintptr_t)from;
                assert_true(
                    n == (form->tile ? TIFFWriteRawTile(tiff, i, bytes, n)
                                     : TIFFWriteRawStrip(tiff, i, bytes, n)));
            }
            TIFFWriteDirectory(tiff);
            if (folder || z + 1 == DEPTH) {
                TIFFClose(tiff);
                tiff = NULL;
            }
        }
    }
}

static void with_refused(const struct form *form, const char *word)
{
    refused(scratch("with.tif"), PROBLEM_INPUT, word, form);
    refused(scratch("with"), PROBLEM_INPUT, word, form);
}

// Data that decode to another size than their strip's: samples that are not in the file never
// appear.
static void strips_of_other_sizes(void **state)
{
    (void)state;
    unsigned char data[1 << 16];
    for (size_t c = 0; c < COMPRESSIONS; c++) {
        const uint16_t compression = compressions[c];
        if (!TIFFIsCODECConfigured(compression) || compression == COMPRESSION_NONE) {
            continue;
        }
        const bool counted = compression != COMPRESSION_JPEG && compression != COMPRESSION_LERC;
        for (uint16_t p = 1; p <= (has_predictor(compression) ? 2 : 1); p++) {
            const enum volume_type type = counted ? VOLUME_UINT16 : VOLUME_UINT8;
            struct form form = { "wb", type, compression, p, 0, 8 };
            const char *many = counted ? "strip 1 has too many samples" : "page 1 is damaged";
            write_with(&form, 0, data, donate(&form, WIDTH, 9, data));
            with_refused(&form, many);
            write_with(&form, 0, data, donate(&form, WIDTH, 900, data));
            with_refused(&form, many);
            write_with(&form, 0, data, donate(&form, WIDTH, 7, data));
            with_refused(&form, "page 1 is damaged");
            write_with(&form, 0, data, donate(&form, WIDTH - 1, 8, data));
            with_refused(&form, "page 1 is damaged");
            if (counted) {
                const tmsize_t size = donate(&form, WIDTH * 8 + 1, 1, data);
                if (p == 1) {
                    write_with(&form, 0, data, size);
                    with_refused(&form, many);
                }
                // The last strip, of 4 rows, has data of 5 rows, and of more than a full strip.
                write_with(&form, 2, data, donate(&form, WIDTH, 5, data));
                with_refused(&form, "strip 3 has too many samples");
                write_with(&form, 2, data, donate(&form, WIDTH, 9, data));
                with_refused(&form, "strip 3 has too many samples");
            }
            // Cut, and scrambled.
            const tmsize_t size = donate(&form, WIDTH, 8, data);
            write_with(&form, 0, data, size / 2);
            with_refused(&form, "page 1 is damaged");
            write_with(&form, 0, data, 1);
            with_refused(&form, "page 1 is damaged");
            memset(data, 0xee, sizeof data);
            write_with(&form, 0, data, 500);
            with_refused(&form, "page 1 is damaged");
            // A tile with a row too many, and too few.
            form.tile = 48;
            form.rows = 16;
            write_with(&form, 0, data, donate(&form, 48, 17, data));
            with_refused(&form, counted ? "tile 1 has too many samples" : "page 1 is damaged");
            write_with(&form, 0, data, donate(&form, 48, 15, data));
            with_refused(&form, "page 1 is damaged");
        }
    }
}

// A last strip with as many rows as the others, and tiles beyond the lower edge: both exist in
// practice, and are complete.
static void pieces_at_the_edge(void **state)
{
    (void)state;
    unsigned char data[1 << 16];
    for (size_t c = 0; c < COMPRESSIONS; c++) {
        const uint16_t compression = compressions[c];
        if (!TIFFIsCODECConfigured(compression) || compression == COMPRESSION_LERC ||
            compression == COMPRESSION_JPEG) {
            continue;
        }
        for (uint16_t p = 1; p <= (has_predictor(compression) ? 2 : 1); p++) {
            struct form form = { "wl", VOLUME_INT16, compression, p, 0, 8 };
            for (int tile = 0; tile < 2; tile++) {
                struct volume volume;
                form.tile = tile ? 48 : 0;
                form.rows = tile ? 16 : 8;
                write_with(
                    &form, tile ? 1 : 2, data,
                    donate(&form, tile ? 48 : WIDTH, tile ? 4 : 8, data));
                for (int folder = 0; folder < 2; folder++) {
                    struct problem problem = { 0 };
                    const char *path = scratch(folder ? "with" : "with.tif");
                    if (!volume_read(path, &nothing, &volume, &problem)) {
                        fail_msg("compression %u: %s", compression, problem.text);
                    }
                    for (uint32_t y = 0; y < HEIGHT; y++) {
                        for (uint32_t x = 0; x < WIDTH; x++) {
                            assert_true(
                                volume_sample(&volume, x, y, 1) ==
                                value_at(form.type, x, y % form.rows, 0));
                        }
                    }
                    by_slices(path, &nothing, &volume, 1);
                    volume_destroy(&volume);
                }
            }
        }
    }
}

// 1 MiB to 50 PB by the header, some hundred bytes in the file: no memory is allocated.
static void sizes_beyond_the_file(void **state)
{
    (void)state;
    static const uint32_t sides[] = { 1u << 13, 1u << 20, 80000000u, UINT32_MAX };
    for (size_t c = 0; c < COMPRESSIONS; c++) {
        for (size_t i = 0; i < 8 && TIFFIsCODECConfigured(compressions[c]); i++) {
            const bool tiled = i >= 4;
            const struct form form = { "w", VOLUME_FLOAT64,       compressions[c],
                                       1,   tiled ? 1u << 24 : 0, tiled ? 1u << 30 : UINT32_MAX };
            mkdir(scratch("large"), 0700);
            for (int slice = 0; slice < 2; slice++) {
                TIFF *tiff = TIFFOpen(scratch(slice ? "large/1.tif" : "large/0.tif"), "w");
                const uint32_t side =
                    compressions[c] == COMPRESSION_LERC && i % 4 == 0 ? 1u << 14 : sides[i % 4];
                set_tags(tiff, &form, tiled ? 64 : side, tiled ? 64 : side);
                TIFFWriteRawStrip(tiff, 0, "\0\0\0", 4);
                TIFFClose(tiff);
            }
            struct problem problem = { 0 };
            struct volume_file file;
            assert_false(volume_file_open(scratch("large"), &nothing, &file, &problem));
            if (problem.kind != PROBLEM_INPUT) {
                fail_msg("compression %u: %d %s", compressions[c], problem.kind, problem.text);
            }
            refused(scratch("large"), PROBLEM_INPUT, "0.tif'", &form);
            refused(scratch("large/0.tif"), PROBLEM_INPUT, "0.tif'", &form);
        }
    }
}

static bool stop_at(void *user, double share)
{
    int *left = user;
    (void)share;
    return (*left)-- != 0; // returns false once
}

static void reading_can_be_cancelled(void **state)
{
    (void)state;
    const struct form form = { "w", VOLUME_UINT8, COMPRESSION_LZW, 1, 0, 8 };
    for (int folder = 0; folder < 2; folder++) {
        const char *path =
            folder ? write_folder("cancel", &form) : write_stack("cancel.tif", &form);
        struct volume volume;
        struct problem problem = { 0 };
        int asked = -1;
        const struct progress all = { stop_at, &asked };
        assert_true(
            volume_read(path, &(struct volume_params){ .progress = &all }, &volume, &problem));
        volume_destroy(&volume);
        asked = -1 - asked;
        assert_true(asked > 10);
        for (int left = 0; left < asked; left++) {
            int calls = left;
            const struct progress progress = { stop_at, &calls };
            const struct volume_params params = { .progress = &progress };
            assert_false(volume_read(path, &params, &volume, &problem));
            assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
            assert_null(volume.samples);
        }
    }
}

// After the headers have been read.
static bool truncate_it(void *user, double share)
{
    assert_true(share == 0 || truncate(user, 200) == 0);
    return true;
}

// A stack, and a slice of a folder, that shrink while they are read.
static void files_that_shrink(void **state)
{
    (void)state;
    for (size_t c = 0; c < COMPRESSIONS; c++) {
        const struct form form = { "w", VOLUME_UINT8, compressions[c], 1, 0, HEIGHT };
        for (int folder = 0; TIFFIsCODECConfigured(compressions[c]) && folder < 2; folder++) {
            const char *path =
                folder ? write_folder("shrink", &form) : write_stack("shrink.tif", &form);
            char *victim = strdup(folder ? scratch("shrink/1.tif") : path);
            const struct progress progress = { truncate_it, victim };
            const struct volume_params params = { .progress = &progress };
            struct volume volume;
            struct problem problem = { 0 };
            assert_false(volume_read(path, &params, &volume, &problem));
            assert_int_equal(problem.kind, PROBLEM_INPUT);
            assert_null(volume.samples);
            free(victim);
        }
    }
}

// The same by ranges: a file that was replaced after it was opened is refused.
static void folders_that_change(void **state)
{
    (void)state;
    struct form form = { "w", VOLUME_UINT8, COMPRESSION_LZW, 1, 0, HEIGHT };
    unsigned char room[WIDTH * HEIGHT];
    struct volume_file file;
    struct problem problem = { 0 };
    const char *path = write_folder("change", &form);
    assert_true(volume_file_open(path, &nothing, &file, &problem));
    assert_true(volume_file_unchanged(&file, &problem));
    assert_true(volume_file_read(&file, 1, 1, room, NULL, &problem));
    form.type = VOLUME_INT8;
    write_folder("change", &form);
    assert_false(volume_file_unchanged(&file, &problem));
    assert_non_null(strstr(problem.text, "changed while it was read"));
    assert_false(volume_file_read(&file, 1, 1, room, NULL, &problem));
    assert_non_null(strstr(problem.text, "changed while it was read"));
    volume_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(big_and_small),
        cmocka_unit_test(strips_of_other_sizes),
        cmocka_unit_test(pieces_at_the_edge),
        cmocka_unit_test(sizes_beyond_the_file),
        cmocka_unit_test(files_that_shrink),
        cmocka_unit_test(folders_that_change),
        cmocka_unit_test(reading_can_be_cancelled),
    };
    mallopt(M_PERTURB, 0xa5); // unwritten memory never looks like a sample
    TIFFSetWarningHandler(NULL);
    TIFFSetErrorHandler(NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
