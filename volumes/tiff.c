// TIFF: the pages of one file are the slices, through libtiff. The library reads by our functions,
// so that nothing is mapped and a file that shrinks is an error. Its messages become ours.
//
// ImageJ writes what a page is not able to say into the first page's description: the distance of
// slices, channels and time steps, and stacks of more than 4 GiB as one page followed by bare
// samples.
#include "volumes/tiff.h"
#include "volumes/affine.h"
#include "volumes/payload.h"
#include "volumes/readers.h"
#include "volumes/volume_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tiff_matches(const struct file_head *head)
{
    return !head->gzip &&
           (file_head_has(head, 0, "II\x2a\0", 4) || file_head_has(head, 0, "MM\0\x2a", 4) ||
            file_head_has(head, 0, "II\x2b\0", 4) || file_head_has(head, 0, "MM\0\x2b", 4));
}

#ifndef CUBIST_TIFF

bool tiff_read(
    struct source *source, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    (void)params;
    *out = (struct volume){ 0 };
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' is a TIFF image, and this cubist was built without libtiff; convert it to a folder "
        "of PNG slices (ImageMagick: convert FILE slices/%%04d.png)",
        source->path);
}

bool tiff_slice_probe(struct source *source, struct tiff_slice *out, struct problem *problem)
{
    *out = (struct tiff_slice){ 0 };
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' is a TIFF image, and this cubist was built without libtiff; convert the slices to "
        "PNG (ImageMagick: mogrify -format png *.tif)",
        source->path);
}

bool tiff_slice_read(
    struct source *source, const struct tiff_slice *expected, void *samples,
    struct problem *problem)
{
    struct tiff_slice slice;
    (void)expected, (void)samples;
    return tiff_slice_probe(source, &slice, problem);
}

#else

#include <tiffio.h>

#define LARGEST_TILE ((uint64_t)1 << 28) // bytes
#define MOST_PAGES   1000000u

struct tiff {
    TIFF *handle;
    struct source *source;
    uint64_t at;     // where the library reads next
    char error[200]; // its first message since open
    bool starved;    // the library found no memory
};

struct page {
    uint32_t width, height;
    enum volume_type type;
};

static tmsize_t read_bytes(thandle_t user, void *bytes, tmsize_t size)
{
    struct tiff *tiff = user;
    const size_t got = source_peek_at(tiff->source, tiff->at, bytes, (size_t)size);
    tiff->at += got;
    return (tmsize_t)got;
}

static tmsize_t write_bytes(thandle_t user, void *bytes, tmsize_t size)
{
    (void)user, (void)bytes, (void)size;
    return 0;
}

static toff_t seek(thandle_t user, toff_t offset, int whence)
{
    struct tiff *tiff = user;
    const uint64_t base = whence == SEEK_SET   ? 0
                          : whence == SEEK_CUR ? tiff->at
                                               : tiff->source->size;
    tiff->at = base + offset;
    return tiff->at;
}

static int close_nothing(thandle_t user)
{
    (void)user;
    return 0;
}

static toff_t file_size(thandle_t user)
{
    return ((struct tiff *)user)->source->size;
}

static int
keep_error(TIFF *handle, void *user, const char *module, const char *format, va_list args)
{
    struct tiff *tiff = user;
    (void)handle, (void)module;
    tiff->starved |= errno == ENOMEM; // it does not tell otherwise
    if (!tiff->error[0]) {
        vsnprintf(tiff->error, sizeof tiff->error, format, args);
    }
    return 1;
}

static int
drop_warning(TIFF *handle, void *user, const char *module, const char *format, va_list args)
{
    (void)handle, (void)user, (void)module, (void)format, (void)args;
    return 1;
}

// Says what is wrong with the file, or that there was no memory to find out.
static bool failed(const struct tiff *tiff, const char *what, struct problem *problem)
{
    const char *path = tiff->source->path;
    return tiff->starved ? problem_set(problem, PROBLEM_DEVICE, "out of memory reading '%s'", path)
                         : problem_set(
                               problem, PROBLEM_INPUT, "'%s'%s%s%s", path, what,
                               tiff->error[0] ? ": " : "", tiff->error);
}

static bool open_tiff(struct source *source, struct tiff *tiff, struct problem *problem)
{
    *tiff = (struct tiff){ .source = source };
    errno = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    tiff->starved = !options;
    if (options) {
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)LARGEST_TILE + 65536);
        TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, tiff);
        TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, tiff);
        tiff->handle = TIFFClientOpenExt(
            source->path, "rm", tiff, read_bytes, write_bytes, seek, close_nothing, file_size, NULL,
            NULL, options);
        TIFFOpenOptionsFree(options);
    }
    return tiff->handle || failed(tiff, " is no sound TIFF file", problem);
}

static void close_tiff(struct tiff *tiff)
{
    if (tiff->handle) {
        TIFFClose(tiff->handle);
    }
    tiff->handle = NULL;
}

static bool broken(const struct tiff *tiff, unsigned page, struct problem *problem)
{
    char what[60];
    snprintf(what, sizeof what, ": page %u is damaged or cut short", page + 1);
    return failed(tiff, what, problem);
}

static bool
refuse(const struct tiff *tiff, unsigned page, const char *what, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s': page %u %s; expected grey samples of 8, 16 or 32 bits, or float (convert it with "
        "ImageJ or ImageMagick)",
        tiff->source->path, page + 1, what);
}

static bool read_type(
    const struct tiff *tiff, unsigned number, uint16_t bits, uint16_t format, enum volume_type *out,
    struct problem *problem)
{
    static const struct {
        uint16_t bits, format;
        enum volume_type type;
    } types[] = {
        { 8, SAMPLEFORMAT_UINT, VOLUME_UINT8 },      { 8, SAMPLEFORMAT_INT, VOLUME_INT8 },
        { 16, SAMPLEFORMAT_UINT, VOLUME_UINT16 },    { 16, SAMPLEFORMAT_INT, VOLUME_INT16 },
        { 32, SAMPLEFORMAT_UINT, VOLUME_UINT32 },    { 32, SAMPLEFORMAT_INT, VOLUME_INT32 },
        { 32, SAMPLEFORMAT_IEEEFP, VOLUME_FLOAT32 }, { 64, SAMPLEFORMAT_IEEEFP, VOLUME_FLOAT64 },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].bits == bits &&
            types[i].format == (format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format)) {
            *out = types[i].type;
            return true;
        }
    }
    char what[80];
    snprintf(
        what, sizeof what, "has %u-bit %ssamples", bits,
        format == SAMPLEFORMAT_IEEEFP ? "float " : "");
    return refuse(tiff, number, what, problem);
}

// What the page at hand is like; `number` for messages, `warn`: of what is odd in it.
static bool
probe_page(struct tiff *tiff, unsigned number, bool warn, struct page *out, struct problem *problem)
{
    TIFF *handle = tiff->handle;
    uint16_t bits = 1, channels = 1, format = SAMPLEFORMAT_UINT, compression = COMPRESSION_NONE;
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    if (!TIFFGetField(handle, TIFFTAG_IMAGEWIDTH, &out->width) ||
        !TIFFGetField(handle, TIFFTAG_IMAGELENGTH, &out->height)) {
        return broken(tiff, number, problem);
    }
    TIFFGetFieldDefaulted(handle, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLESPERPIXEL, &channels);
    TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(handle, TIFFTAG_COMPRESSION, &compression);
    TIFFGetField(handle, TIFFTAG_PHOTOMETRIC, &photometric);
    if (channels != 1) {
        char what[60];
        snprintf(what, sizeof what, "has %u channels", channels);
        return refuse(tiff, number, what, problem);
    }
    if (photometric == PHOTOMETRIC_PALETTE) {
        return refuse(tiff, number, "has a palette of colours", problem);
    }
    if (photometric != PHOTOMETRIC_MINISBLACK && photometric != PHOTOMETRIC_MINISWHITE) {
        return refuse(tiff, number, "is no grey image", problem);
    }
    if (!TIFFIsCODECConfigured(compression)) {
        return refuse(tiff, number, "is compressed in a way that libtiff does not read", problem);
    }
    if (photometric == PHOTOMETRIC_MINISWHITE && warn) {
        volume_warn(
            "'%s': white is 0 in this image; samples are taken as stored", tiff->source->path);
    }
    return read_type(tiff, number, bits, format, &out->type, problem);
}

static uint64_t page_bytes(const struct page *page)
{
    return (uint64_t)page->width * page->height * volume_type_size(page->type);
}

// Whether the whole of a strip or tile is in the file; the library reads what is missing as the
// file's first bytes, or as zeros.
static bool has_piece(const struct tiff *tiff, uint32_t i)
{
    const uint64_t at = TIFFGetStrileOffset(tiff->handle, i);
    const uint64_t size = TIFFGetStrileByteCount(tiff->handle, i);
    return at > 0 && size > 0 && at <= tiff->source->size && size <= tiff->source->size - at;
}

// Fills a page's samples strip by strip.
static bool read_strips(struct tiff *tiff, const struct page *page, unsigned char *out)
{
    const uint64_t total = page_bytes(page);
    const uint64_t strip = TIFFStripSize64(tiff->handle);
    uint64_t at = 0;
    if (strip == 0) {
        return false;
    }
    for (uint32_t i = 0; at < total; i++) {
        const uint64_t wanted = total - at < strip ? total - at : strip;
        if (i >= TIFFNumberOfStrips(tiff->handle) || !has_piece(tiff, i) ||
            TIFFReadEncodedStrip(tiff->handle, i, out + at, (tmsize_t)wanted) != (tmsize_t)wanted) {
            return false;
        }
        at += wanted;
    }
    return true;
}

// Tiles reach over the right and the lower edge.
static bool read_tiles(struct tiff *tiff, const struct page *page, unsigned char *out)
{
    uint32_t width = 0, height = 0;
    const uint64_t size = volume_type_size(page->type);
    const uint64_t bytes = TIFFTileSize64(tiff->handle);
    TIFFGetField(tiff->handle, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff->handle, TIFFTAG_TILELENGTH, &height);
    if (width == 0 || height == 0 || bytes > LARGEST_TILE ||
        bytes != (uint64_t)width * height * size) {
        return false;
    }
    unsigned char *tile = malloc(bytes);
    bool ok = tile != NULL;
    for (uint64_t y = 0; ok && y < page->height; y += height) {
        for (uint64_t x = 0; ok && x < page->width; x += width) {
            const uint64_t rows = page->height - y < height ? page->height - y : height;
            const uint64_t cols = page->width - x < width ? page->width - x : width;
            const uint32_t i = TIFFComputeTile(tiff->handle, (uint32_t)x, (uint32_t)y, 0, 0);
            ok = has_piece(tiff, i) &&
                 TIFFReadEncodedTile(tiff->handle, i, tile, (tmsize_t)bytes) == (tmsize_t)bytes;
            for (uint64_t row = 0; ok && row < rows; row++) {
                memcpy(
                    out + ((y + row) * page->width + x) * size, tile + row * width * size,
                    cols * size);
            }
        }
    }
    free(tile);
    return ok;
}

// Bytes that the page at hand has at least, if it says so truly; false where the file is smaller.
static bool file_can_hold(struct tiff *tiff, const struct page *page)
{
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff->handle, TIFFTAG_COMPRESSION, &compression);
    const bool deflate =
        compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE;
    const uint64_t least = compression == COMPRESSION_NONE ? page_bytes(page)
                           : deflate                       ? page_bytes(page) / 1032
                                                           : 0;
    return least <= tiff->source->size;
}

static bool read_page(
    struct tiff *tiff, unsigned number, const struct page *page, void *out, struct problem *problem)
{
    const bool ok =
        TIFFIsTiled(tiff->handle) ? read_tiles(tiff, page, out) : read_strips(tiff, page, out);
    return ok || broken(tiff, number, problem);
}

// What descriptions and resolutions say.
struct extras {
    uint32_t images, channels, slices, frames; // 0: unsaid
    double spacing[3];                         // 0: unsaid
    bool ome;
};

// The number behind `key` in the text, or 0.
static double number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    const double value = at ? strtod(at + strlen(key), NULL) : 0;
    return isfinite(value) && value > 0 ? value : 0;
}

static uint32_t count_after(const char *text, const char *key)
{
    const double value = number_after(text, key);
    return value <= MOST_PAGES ? (uint32_t)value : MOST_PAGES + 1;
}

static void read_extras(struct tiff *tiff, struct extras *out)
{
    char *text = NULL;
    *out = (struct extras){ 0 };
    if (!TIFFGetField(tiff->handle, TIFFTAG_IMAGEDESCRIPTION, &text) || !text) {
        return;
    }
    if (strncmp(text, "ImageJ=", 7) == 0) {
        float per_unit[2] = { 0, 0 };
        const bool pixels = strstr(text, "unit=pixel") || !strstr(text, "unit=");
        out->images = count_after(text, "\nimages=");
        out->channels = count_after(text, "\nchannels=");
        out->slices = count_after(text, "\nslices=");
        out->frames = count_after(text, "\nframes=");
        out->spacing[2] = number_after(text, "\nspacing=");
        TIFFGetField(tiff->handle, TIFFTAG_XRESOLUTION, &per_unit[0]);
        TIFFGetField(tiff->handle, TIFFTAG_YRESOLUTION, &per_unit[1]);
        for (int i = 0; i < 2; i++) {
            const bool said = isfinite(per_unit[i]) && per_unit[i] > 0 && !pixels;
            out->spacing[i] = said ? 1 / (double)per_unit[i] : 0;
        }
    } else if (strstr(text, "<OME")) {
        out->ome = true;
        out->channels = count_after(text, "SizeC=\"");
        out->slices = count_after(text, "SizeZ=\"");
        out->frames = count_after(text, "SizeT=\"");
        out->spacing[0] = number_after(text, "PhysicalSizeX=\"");
        out->spacing[1] = number_after(text, "PhysicalSizeY=\"");
        out->spacing[2] = number_after(text, "PhysicalSizeZ=\"");
    }
}

static bool is_preview(struct tiff *tiff)
{
    uint32_t kind = 0;
    TIFFGetField(tiff->handle, TIFFTAG_SUBFILETYPE, &kind);
    return kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK);
}

// Whether the file ends before the number that says where the page after the one at hand is: the
// library takes that for the last page.
static bool ends_in_directory(const struct tiff *tiff)
{
    const bool wide = TIFFIsBigTIFF(tiff->handle);
    const size_t size = wide ? 8 : 2;
    const uint64_t at = TIFFCurrentDirOffset(tiff->handle);
    unsigned char bytes[8];
    uint64_t entries = 0;
    if (source_peek_at(tiff->source, at, bytes, size) != size) {
        return true;
    }
    for (size_t i = 0; i < size; i++) {
        entries = entries << 8 | bytes[TIFFIsBigEndian(tiff->handle) ? i : size - 1 - i];
    }
    const uint64_t left = tiff->source->size - at - size;
    return entries > left / (wide ? 20 : 12) ||
           left - entries * (wide ? 20 : 12) < (wide ? 8u : 4u);
}

// Looks at all pages: all that are no previews must be alike.
static bool
probe_pages(struct tiff *tiff, struct page *page, uint32_t *count, struct problem *problem)
{
    *count = 0;
    unsigned number = 0;
    do {
        struct page other;
        if (ends_in_directory(tiff)) {
            return broken(tiff, number, problem);
        }
        if (is_preview(tiff)) {
            continue;
        }
        if (!probe_page(tiff, number, *count == 0, &other, problem)) {
            return false;
        }
        if (*count == 0) {
            *page = other;
        } else if (
            other.width != page->width || other.height != page->height ||
            other.type != page->type) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': page %u is %ux%u %s, the pages before it are %ux%u %s; all must be equal",
                tiff->source->path, number + 1, other.width, other.height,
                volume_type_name(other.type), page->width, page->height,
                volume_type_name(page->type));
        }
        if (!file_can_hold(tiff, &other)) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': page %u should have %ux%u samples, more than the file's %" PRIu64 " bytes",
                tiff->source->path, number + 1, other.width, other.height, tiff->source->size);
        }
        if (++*count > MOST_PAGES) {
            return problem_set(
                problem, PROBLEM_DEVICE, "'%s' has more than %u pages", tiff->source->path,
                MOST_PAGES);
        }
    } while (number++, TIFFReadDirectory(tiff->handle));
    if (*count == 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' has no pages but previews", tiff->source->path);
    }
    // A directory that cannot be read ends the loop as the last one does.
    return tiff->error[0] ? broken(tiff, number, problem) : true;
}

// Which pages are the slices: every `step`th, `slices` of them.
static bool choose_pages(
    const struct tiff *tiff, const struct extras *extras, uint32_t pages, uint32_t *slices,
    uint32_t *step, struct problem *problem)
{
    const uint32_t channels = extras->channels + !extras->channels;
    const uint32_t frames = extras->frames + !extras->frames;
    *slices = pages;
    *step = 1;
    if (channels == 1 && frames == 1) {
        return true;
    }
    const uint32_t depth = extras->slices + !extras->slices;
    if (extras->ome || (uint64_t)channels * frames * depth != pages) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' says that it has %u channels, %u slices and %u time steps in %u pages; save one "
            "channel of one time step as a stack (Fiji, or bftools' bfconvert)",
            tiff->source->path, channels, depth, frames, pages);
    }
    volume_warn(
        "'%s' has %u channels and %u time steps; the first of each is read", tiff->source->path,
        channels, frames);
    *slices = depth;
    *step = channels;
    return true;
}

static bool read_slices(
    struct tiff *tiff, const struct page *page, uint32_t step, const struct volume_params *params,
    struct samples *samples, struct problem *problem)
{
    const uint64_t slices = samples->count / ((uint64_t)page->width * page->height);
    const uint64_t count = (uint64_t)page->width * page->height;
    void *bytes = malloc(page_bytes(page));
    bool ok = bytes != NULL;
    if (!ok) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory reading '%s'", tiff->source->path);
    }
    if (ok && !TIFFSetDirectory(tiff->handle, 0)) {
        ok = broken(tiff, 0, problem);
    }
    unsigned number = 0; // of the directory at hand
    uint32_t seen = 0;   // pages that are no previews
    for (uint32_t z = 0; ok && z < slices;) {
        const bool preview = is_preview(tiff);
        if (!preview && seen++ % step == 0) {
            struct page again;
            ok = probe_page(tiff, number, false, &again, problem) &&
                 ((again.width == page->width && again.height == page->height &&
                   again.type == page->type) ||
                  broken(tiff, number, problem)) &&
                 read_page(tiff, number, page, bytes, problem) &&
                 samples_put(samples, bytes, count, problem) &&
                 progress_report(params->progress, samples->path, z + 1, slices, problem);
            z++;
        }
        if (ok && z < slices) {
            number++;
            ok = TIFFReadDirectory(tiff->handle) || broken(tiff, number, problem);
        }
    }
    free(bytes);
    return ok;
}

static enum byte_order host_order(void)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
}

// ImageJ's stacks of more than 4 GiB: one page, its samples followed by those of all other slices.
static bool read_bare(
    struct tiff *tiff, const struct page *page, uint32_t slices, const struct volume_params *params,
    struct volume *out, struct problem *problem)
{
    const uint64_t at = TIFFGetStrileOffset(tiff->handle, 0);
    const struct payload payload = {
        .dim = { page->width, page->height, slices },
        .format = { .type = page->type,
                    .order = TIFFIsBigEndian(tiff->handle) ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE },
        .offset = at,
        .length = page_bytes(page) * slices,
    };
    return payload_read(tiff->source, &payload, params, out, problem);
}

static bool read_stack(
    struct tiff *tiff, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    const char *path = tiff->source->path;
    struct page page = { 0 };
    struct extras extras;
    uint32_t pages, slices, step;
    uint16_t compression = COMPRESSION_NONE;
    read_extras(tiff, &extras);
    TIFFGetFieldDefaulted(tiff->handle, TIFFTAG_COMPRESSION, &compression);
    const bool bare = extras.images > 1 && !TIFFIsTiled(tiff->handle) &&
                      compression == COMPRESSION_NONE && extras.images <= MOST_PAGES;
    if (!probe_pages(tiff, &page, &pages, problem)) {
        return false;
    }
    const uint32_t images = bare && pages == 1 ? extras.images : pages;
    if (!choose_pages(tiff, &extras, images, &slices, &step, problem)) {
        return false;
    }
    if (pages == 1 && images == 1) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a TIFF image of one page; a volume is a file of several, or a folder of "
            "slices",
            path);
    }
    const uint64_t dim[3] = { page.width, page.height, slices };
    const struct sample_format format = { .type = page.type, .order = host_order() };
    struct samples samples;
    if (pages != images) {
        if (step > 1) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s' has %u channels in one page; save one channel as a stack (ImageJ)", path,
                step);
        }
        if (!TIFFSetDirectory(tiff->handle, 0)) {
            return broken(tiff, 0, problem);
        }
        if (!read_bare(tiff, &page, slices, params, out, problem)) {
            return false;
        }
    } else {
        if (params->file) {
            return volume_file_refuse(
                params->file, path, "it is a TIFF file of many pages", problem);
        }
        if (!samples_begin(path, dim, &format, params->max_bytes, out, &samples, problem)) {
            return false;
        }
        if (!read_slices(tiff, &page, step, params, &samples, problem)) {
            volume_destroy(out);
            return false;
        }
        samples_end(&samples);
    }
    double spacing[3];
    for (int i = 0; i < 3; i++) {
        spacing[i] = extras.spacing[i] > 0 ? extras.spacing[i] : 1;
    }
    if (!affine_set_spacing(out, spacing, path, problem)) {
        volume_destroy(out);
        return false;
    }
    return true;
}

bool tiff_read(
    struct source *source, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    struct tiff tiff;
    *out = (struct volume){ 0 };
    const bool ok = open_tiff(source, &tiff, problem) && read_stack(&tiff, params, out, problem);
    close_tiff(&tiff);
    return ok;
}

bool tiff_slice_probe(struct source *source, struct tiff_slice *out, struct problem *problem)
{
    struct tiff tiff;
    struct page page = { 0 };
    uint32_t pages = 0;
    bool ok = open_tiff(source, &tiff, problem) && probe_pages(&tiff, &page, &pages, problem);
    close_tiff(&tiff);
    if (ok && pages > 1) {
        ok = problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has %u pages; a folder of slices has one in each file (open the file itself)",
            source->path, pages);
    }
    *out = (struct tiff_slice){ page.width, page.height, page.type };
    return ok;
}

bool tiff_slice_read(
    struct source *source, const struct tiff_slice *expected, void *samples,
    struct problem *problem)
{
    struct tiff tiff;
    struct page page = { 0 };
    const bool ok =
        open_tiff(source, &tiff, problem) && probe_page(&tiff, 0, false, &page, problem) &&
        ((page.width == expected->width && page.height == expected->height &&
          page.type == expected->type) ||
         problem_set(problem, PROBLEM_INPUT, "'%s' changed while it was read", source->path)) &&
        read_page(&tiff, 0, &page, samples, problem);
    close_tiff(&tiff);
    return ok;
}

#endif
