// The library reads through functions of this file, so that nothing is mapped and a file that
// shrinks is an error. Its messages become problems.
//
// The library reads the directories and decodes. This file fetches the data of strips and tiles.
// The library reports success even where data decode to more or less than their strip; then it may
// have written a part of the strip, or nothing. So each strip is decoded in a way that detects a
// wrong size.
//
// The palette of an ordinary image says what its samples mean: they are replaced by the greys of
// the palette, and a note says so. ImageJ and OME-TIFF store measurements. Their palette only says
// how to show them, so their samples are taken as stored.
#ifdef CUBIST_TIFF

#include "volumes/formats/tiff_pages.h"
#include "volumes/base/input.h"
#include "volumes/base/size.h"
#include "volumes/formats/samples.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The compressions that are read. The library has more, but none of the others holds grey samples
// of whole bytes, except in very old files.
struct tiff_compression {
    uint16_t tag;
    // How many bytes of samples one byte of the file can stand for at most. LERC has no such limit
    // (one blob may say that all samples are equal), so a file beyond this limit is regarded as
    // damaged.
    uint32_t most;
    // true: the library decodes exactly as many bytes as it is asked for, or fails.
    bool counted;
};

static const struct tiff_compression compressions[] = {
    { COMPRESSION_NONE, 1, true },
    { COMPRESSION_PACKBITS, 64, true },
    { COMPRESSION_DEFLATE, 1032, true },
    { COMPRESSION_ADOBE_DEFLATE, 1032, true },
    { COMPRESSION_LZW, 4096, true }, // 12 bits can stand for the longest string of the table
    { COMPRESSION_LZMA, 1 << 14, true },
    { COMPRESSION_ZSTD, 1 << 15, true }, // 4 bytes can stand for 128 KiB
    { COMPRESSION_JPEG, 1 << 14, false },
    { COMPRESSION_LERC, 1 << 20, false },
};

static tmsize_t tiff_read_bytes(thandle_t user, void *bytes, tmsize_t size)
{
    struct tiff *tiff = user;
    // Ask here, because one directory may read a GiB.
    if (tiff->cancelled.kind || !input_go_on(tiff->source->path, &tiff->cancelled)) {
        return 0;
    }
    const size_t got = source_peek_at(tiff->source, tiff->at, bytes, (size_t)size);
    tiff->at += got;
    return (tmsize_t)got;
}

// `offset` counts from the file's start: for reading, the library seeks in no other way.
static toff_t tiff_seek(thandle_t user, toff_t offset, int whence)
{
    struct tiff *tiff = user;
    (void)whence;
    tiff->at = offset;
    return offset;
}

static int tiff_close_nothing(thandle_t user)
{
    (void)user;
    return 0;
}

static toff_t tiff_file_size(thandle_t user)
{
    return ((struct tiff *)user)->source->size;
}

static int
tiff_keep_error(TIFF *handle, void *user, const char *module, const char *format, va_list args)
{
    struct tiff *tiff = user;
    (void)handle, (void)module;
    tiff->starved |= errno == ENOMEM; // the library reports short memory in no other way
    if (!tiff->error[0]) {
        vsnprintf(tiff->error, sizeof tiff->error, format, args);
    }
    return 1;
}

// For damaged JPEG data libjpeg invents samples and warns. Such a warning counts as an error.
static int
tiff_keep_warning(TIFF *handle, void *user, const char *module, const char *format, va_list args)
{
    const bool made_up = module && strcmp(module, "JPEGLib") == 0;
    return made_up ? tiff_keep_error(handle, user, module, format, args) : 1;
}

// Says what is wrong with the file, or that memory was too short to find out.
bool tiff_failed(const struct tiff *tiff, const char *what, struct problem *problem)
{
    return tiff->starved ? problem_no_memory(problem, "reading", tiff->source->path)
                         : problem_set(
                               problem, PROBLEM_INPUT, "'%s'%s%s%s", tiff->source->path, what,
                               tiff->error[0] ? ": " : "", tiff->error);
}

bool tiff_begin(struct source *source, struct tiff *tiff, struct problem *problem)
{
    *tiff = (struct tiff){ .source = source };
    errno = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) {
        return problem_no_memory(problem, "reading", tiff->source->path);
    }
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, MOST_ALLOCATED);
    TIFFOpenOptionsSetErrorHandlerExtR(options, tiff_keep_error, tiff);
    TIFFOpenOptionsSetWarningHandlerExtR(options, tiff_keep_warning, tiff);
    // The second tiff_read_bytes is the function for writing, which is not called for a file that
    // is open for reading. The library puts the name in front of its messages. It is empty, because
    // our messages name the path.
    tiff->handle = TIFFClientOpenExt(
        "libtiff", "rm", tiff, tiff_read_bytes, tiff_read_bytes, tiff_seek, tiff_close_nothing,
        tiff_file_size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    if (!tiff->handle) {
        return tiff_failed(tiff, " is not a valid TIFF file", problem);
    }
    char *text = NULL;
    TIFFGetField(tiff->handle, TIFFTAG_IMAGEDESCRIPTION, &text);
    tiff_describe(text, NULL, &tiff->description);
    return true;
}

// Returns `ok`, or false where reading was cancelled. After that, the library may have skipped data
// that it could not read, or called them damaged.
bool tiff_end(struct tiff *tiff, bool ok, struct problem *problem)
{
    if (tiff->handle) {
        TIFFClose(tiff->handle);
    }
    tiff->handle = NULL;
    return tiff->cancelled.kind
               ? problem_set(problem, tiff->cancelled.kind, "%s", tiff->cancelled.text)
               : ok;
}

bool tiff_broken(const struct tiff *tiff, unsigned page, struct problem *problem)
{
    char what[60];
    snprintf(what, sizeof what, ": page %u is damaged or cut short", page + 1);
    return tiff_failed(tiff, what, problem);
}

static bool
tiff_refuse(const struct tiff *tiff, unsigned page, const char *what, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s': page %u %s; expected grey samples of 8, 16 or 32 bits, or float (convert it with "
        "ImageJ or ImageMagick)",
        tiff->source->path, page + 1, what);
}

static bool tiff_read_type(
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
        { 16, SAMPLEFORMAT_IEEEFP, VOLUME_FLOAT16 }, { 32, SAMPLEFORMAT_IEEEFP, VOLUME_FLOAT32 },
        { 64, SAMPLEFORMAT_IEEEFP, VOLUME_FLOAT64 },
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
    return tiff_refuse(tiff, number, what, problem);
}

// The entries of a map are the high bytes of 16-bit greys, or, in old files, are all 8-bit greys.
static bool tiff_read_palette(
    struct tiff *tiff, unsigned number, struct tiff_page *out, struct problem *problem)
{
    uint16_t *map[3] = { NULL, NULL, NULL };
    bool narrow = true;
    if (out->type != VOLUME_UINT8 ||
        !TIFFGetField(tiff->handle, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2])) {
        return tiff_refuse(tiff, number, "has a palette for other than 8-bit samples", problem);
    }
    for (int i = 0; i < 256; i++) {
        narrow &= map[0][i] < 256 && map[1][i] < 256 && map[2][i] < 256;
    }
    for (int i = 0; i < 256; i++) {
        const unsigned value = map[0][i], high = value >> 8, low = value & 255;
        const bool grey = map[1][i] == value && map[2][i] == value;
        const bool fits = narrow || low == 0 || low == high;
        out->greys[i] = grey && fits ? (int16_t)(narrow ? low : high) : -1;
        out->recoloured |= out->greys[i] != i;
    }
    out->palette = true;
    return true;
}

static bool tiff_refuse_size(
    const struct tiff *tiff, unsigned number, const struct tiff_page *page, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s': page %u should have %ux%u samples, but the file's %" PRIu64
        " bytes cannot hold so many; it is damaged or cut short",
        tiff->source->path, number + 1, page->width, page->height, tiff->source->size);
}

static bool
tiff_file_can_hold(const struct tiff *tiff, const struct tiff_page *page, uint64_t bytes)
{
    return bytes / page->compression->most <= tiff->source->size;
}

static uint64_t tiff_plain_run(struct tiff *tiff, const struct tiff_page *page)
{
    uint16_t order = FILLORDER_MSB2LSB;
    TIFFGetFieldDefaulted(tiff->handle, TIFFTAG_FILLORDER, &order);
    if (page->compression->tag != COMPRESSION_NONE || TIFFIsTiled(tiff->handle) || page->palette ||
        order != FILLORDER_MSB2LSB) {
        return 0;
    }
    const uint64_t at = TIFFGetStrileOffset(tiff->handle, 0);
    for (uint32_t i = 1; i < TIFFNumberOfStrips(tiff->handle); i++) {
        if (TIFFGetStrileOffset(tiff->handle, i) != at + i * page->piece_bytes) {
            return 0;
        }
    }
    return at;
}

// Finds how the page is divided into strips or tiles. PROBLEM_INPUT where the file is too small for
// the samples.
static bool tiff_probe_pieces(
    struct tiff *tiff, unsigned number, struct tiff_page *out, struct problem *problem)
{
    TIFF *handle = tiff->handle;
    const uint64_t size = volume_type_size(out->type);
    uint16_t predictor = PREDICTOR_NONE;
    out->piece_width = out->width;
    if (TIFFIsTiled(handle)) {
        TIFFGetField(handle, TIFFTAG_TILEWIDTH, &out->piece_width);
        TIFFGetField(handle, TIFFTAG_TILELENGTH, &out->piece_height);
    } else {
        TIFFGetFieldDefaulted(handle, TIFFTAG_ROWSPERSTRIP, &out->piece_height);
        out->piece_height = out->piece_height < out->height ? out->piece_height : out->height;
    }
    if (out->piece_width == 0 || out->piece_height == 0) {
        return tiff_broken(tiff, number, problem);
    }
    TIFFGetField(handle, TIFFTAG_PREDICTOR, &predictor);
    if (out->compression->most == 1032) {
        // With libdeflate the library would accept data that are too long.
        TIFFSetField(handle, TIFFTAG_DEFLATE_SUBCODEC, DEFLATE_SUBCODEC_ZLIB);
    }
    const uint64_t across = ((uint64_t)out->width + out->piece_width - 1) / out->piece_width;
    out->predicted = predictor != PREDICTOR_NONE;
    out->piece_row = out->piece_width * size;
    if (!size_product(out->piece_row, out->piece_height, &out->piece_bytes) ||
        !size_product(out->piece_row * across, out->height, &out->bytes) ||
        !tiff_file_can_hold(tiff, out, out->bytes) ||
        (out->compression->tag != COMPRESSION_NONE &&
         !tiff_file_can_hold(tiff, out, out->piece_bytes))) {
        return tiff_refuse_size(tiff, number, out, problem);
    }
    out->plain_at = tiff_plain_run(tiff, out);
    return true;
}

// Finds the properties of the current page; `number` is for messages.
bool tiff_probe_page(
    struct tiff *tiff, unsigned number, struct tiff_page *out, struct problem *problem)
{
    TIFF *handle = tiff->handle;
    uint16_t bits = 1, channels = 1, format = SAMPLEFORMAT_UINT, compression = COMPRESSION_NONE;
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    uint32_t depth = 1;
    *out = (struct tiff_page){ 0 };
    TIFFGetField(
        handle, TIFFTAG_IMAGEWIDTH, &out->width); // a directory without a width has no page
    TIFFGetField(handle, TIFFTAG_IMAGELENGTH, &out->height);
    TIFFGetFieldDefaulted(handle, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLESPERPIXEL, &channels);
    TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(handle, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(handle, TIFFTAG_IMAGEDEPTH, &depth);
    TIFFGetField(handle, TIFFTAG_PHOTOMETRIC, &photometric);
    if (channels != 1) {
        char what[60];
        snprintf(what, sizeof what, "has %u channels", channels);
        return tiff_refuse(tiff, number, what, problem);
    }
    if (photometric != PHOTOMETRIC_MINISBLACK && photometric != PHOTOMETRIC_MINISWHITE &&
        photometric != PHOTOMETRIC_PALETTE) {
        return tiff_refuse(tiff, number, "is not a grey image", problem);
    }
    if (depth != 1) {
        return tiff_refuse(tiff, number, "holds several slices (ImageDepth)", problem);
    }
    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++) {
        if (compressions[i].tag == compression && TIFFIsCODECConfigured(compression)) {
            out->compression = &compressions[i];
        }
    }
    if (!out->compression) {
        return tiff_refuse(
            tiff, number, "is compressed in a way that cubist does not read", problem);
    }
    out->white_is_zero = photometric == PHOTOMETRIC_MINISWHITE;
    return tiff_read_type(tiff, number, bits, format, &out->type, problem) &&
           (photometric != PHOTOMETRIC_PALETTE || tiff->description.imagej ||
            tiff->description.ome || tiff_read_palette(tiff, number, out, problem)) &&
           tiff_probe_pieces(tiff, number, out, problem);
}

bool tiff_pages_alike(const struct tiff_page *a, const struct tiff_page *b)
{
    return a->width == b->width && a->height == b->height && a->type == b->type;
}

uint64_t tiff_page_bytes(const struct tiff_page *page)
{
    return (uint64_t)page->width * page->height * volume_type_size(page->type);
}

// One piece of a page while it is read.
struct tiff_piece {
    uint32_t number;        // index of the strip or tile
    uint64_t row, bytes;    // bytes of a row, and of the rows above the page's lower edge
    unsigned char *scratch; // memory for a decoded piece and one more row; NULL if not needed
    unsigned char *again;   // second scratch, where a compression does not report its decoded size
    unsigned char *data;    // `size` compressed bytes, of `data_capacity` allocated ones
    size_t size, data_capacity;
};

static bool tiff_piece_broken(struct tiff *tiff, const struct tiff_piece *piece, const char *how)
{
    const char *kind = TIFFIsTiled(tiff->handle) ? "tile" : "strip";
    snprintf(tiff->error, sizeof tiff->error, "%s %u %s", kind, piece->number + 1, how);
    return false;
}

// Whether the piece's first `needed` bytes are in the file.
static bool tiff_find_piece(struct tiff *tiff, const struct tiff_piece *piece, uint64_t needed)
{
    const uint64_t at = TIFFGetStrileOffset(tiff->handle, piece->number);
    const uint64_t file = tiff->source->size;
    if (at == 0 || needed == 0) {
        return tiff_piece_broken(tiff, piece, "has no data");
    }
    return (at <= file && needed <= file - at) ||
           tiff_piece_broken(tiff, piece, "reaches beyond the file's end");
}

static bool
tiff_fetch_piece(struct tiff *tiff, const struct tiff_piece *piece, void *bytes, size_t size)
{
    const uint64_t at = TIFFGetStrileOffset(tiff->handle, piece->number);
    return source_peek_at(tiff->source, at, bytes, size) == size ||
           tiff_piece_broken(tiff, piece, "cannot be read");
}

// Reads a piece that is not compressed. Files often state too large a size, for the last strip or
// for all. Bytes after the samples are ignored. Where sizes are missing or absurd, the library
// states the size of an average strip instead.
static bool tiff_read_plain(
    struct tiff *tiff, const struct tiff_page *page, struct tiff_piece *piece, unsigned char *to)
{
    uint16_t order = FILLORDER_MSB2LSB;
    const size_t size = volume_type_size(page->type);
    const uint64_t stated = TIFFGetStrileByteCount(tiff->handle, piece->number);
    const uint64_t average = piece->row * (page->height / TIFFNumberOfStrips(tiff->handle));
    if (stated < piece->bytes && (TIFFIsTiled(tiff->handle) || stated != average)) {
        char how[100];
        snprintf(
            how, sizeof how, "has %" PRIu64 " bytes, its samples take %" PRIu64, stated,
            piece->bytes);
        return tiff_piece_broken(tiff, piece, how);
    }
    if (!tiff_find_piece(tiff, piece, piece->bytes) ||
        !tiff_fetch_piece(tiff, piece, to, piece->bytes)) {
        return false;
    }
    TIFFGetFieldDefaulted(tiff->handle, TIFFTAG_FILLORDER, &order);
    if (order == FILLORDER_LSB2MSB) {
        TIFFReverseBits(to, (tmsize_t)piece->bytes);
    }
    samples_to_host(
        TIFFIsBigEndian(tiff->handle) ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE, to, piece->bytes / size,
        size);
    return true;
}

static bool tiff_decode(
    struct tiff *tiff, const struct tiff_piece *piece, uint64_t bytes, int background,
    unsigned char *scratch)
{
    tiff->error[0] = 0;
    errno = 0;
    memset(scratch, background, bytes);
    return TIFFReadFromUserBuffer(
               tiff->handle, piece->number, piece->data, (tmsize_t)piece->size, scratch,
               (tmsize_t)bytes) &&
           !tiff->error[0];
}

// Decodes a deflated piece in one call, if its stream ends with its last sample, as usual. On false
// the caller tries the library, which may still read the piece and otherwise says what is wrong.
static bool tiff_inflate_exactly(
    const struct tiff *tiff, const struct tiff_page *page, const struct tiff_piece *piece)
{
    uint16_t bits = FILLORDER_MSB2LSB;
    TIFFGetFieldDefaulted(tiff->handle, TIFFTAG_FILLORDER, &bits);
    z_stream stream = {
        .next_in = piece->data,
        .avail_in = (uInt)piece->size,
        .next_out = piece->scratch,
        .avail_out = (uInt)(piece->bytes + 1), // the buffer has one more row
    };
    if (page->compression->most != 1032 || page->predicted || bits != FILLORDER_MSB2LSB ||
        piece->size > UINT_MAX || piece->bytes >= UINT_MAX || inflateInit(&stream) != Z_OK) {
        return false;
    }
    const bool exact = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 1;
    inflateEnd(&stream);
    if (exact) {
        const size_t size = volume_type_size(page->type);
        samples_to_host(
            TIFFIsBigEndian(tiff->handle) ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE, piece->scratch,
            piece->bytes / size, size);
    }
    return exact;
}

// Decodes a piece. It must have exactly piece->bytes. There is one exception: real files have last
// strips, or tiles at the lower edge, with the rows of a whole piece.
static bool
tiff_decode_exactly(struct tiff *tiff, const struct tiff_page *page, const struct tiff_piece *piece)
{
    const uint64_t bytes = piece->bytes;
    if (!page->compression->counted) {
        // Decode over zeros and over 0xff: bytes that were not written then differ.
        return tiff_decode(tiff, piece, bytes, 0, piece->scratch) &&
               tiff_decode(tiff, piece, bytes, 0xff, piece->again) &&
               (memcmp(piece->scratch, piece->again, bytes) == 0 ||
                tiff_piece_broken(tiff, piece, "has too few samples"));
    }
    const uint64_t more = page->predicted ? piece->row : volume_type_size(page->type);
    if (!tiff_decode(tiff, piece, bytes + more, 0, piece->scratch)) {
        return !tiff->starved && tiff_decode(tiff, piece, bytes, 0, piece->scratch);
    }
    return (page->piece_bytes > bytes &&
            !tiff_decode(tiff, piece, page->piece_bytes + more, 0, piece->scratch) &&
            !tiff->starved && tiff_decode(tiff, piece, page->piece_bytes, 0, piece->scratch)) ||
           tiff_piece_broken(tiff, piece, "has too many samples");
}

static bool tiff_read_packed(
    struct tiff *tiff, const struct tiff_page *page, struct tiff_piece *piece,
    struct problem *problem)
{
    const uint64_t size = TIFFGetStrileByteCount(tiff->handle, piece->number);
    if (!tiff_find_piece(tiff, piece, size)) {
        return false;
    }
    // No decoder needs more bytes. A file may claim that each piece is as large as the file.
    const uint64_t most = 10 * page->piece_bytes + 4096;
    piece->size = size < most ? size : most;
    if (piece->size > piece->data_capacity) {
        unsigned char *data = realloc(piece->data, piece->size);
        if (!data) {
            return problem_no_memory(problem, "reading", tiff->source->path);
        }
        piece->data = data;
        piece->data_capacity = piece->size;
    }
    return tiff_fetch_piece(tiff, piece, piece->data, piece->size) &&
           (tiff_inflate_exactly(tiff, page, piece) || tiff_decode_exactly(tiff, page, piece));
}

// Fills a page's samples piece by piece. On false `problem` is set, or tiff->error has the reason.
static bool tiff_read_pieces(
    struct tiff *tiff, const struct tiff_page *page, struct tiff_piece *piece, unsigned char *out,
    struct problem *problem)
{
    const uint64_t size = volume_type_size(page->type);
    const bool plain = page->compression->tag == COMPRESSION_NONE;
    for (uint64_t y = 0; y < page->height; y += page->piece_height) {
        const uint64_t below = page->height - y;
        const uint64_t rows = below < page->piece_height ? below : page->piece_height;
        for (uint64_t x = 0; x < page->width; x += page->piece_width, piece->number++) {
            const uint64_t right = page->width - x;
            const uint64_t cols = right < page->piece_width ? right : page->piece_width;
            unsigned char *to = out + (y * page->width + x) * size;
            piece->bytes = rows * piece->row;
            if (!input_go_on(tiff->source->path, problem) ||
                !(plain ? tiff_read_plain(tiff, page, piece, piece->scratch ? piece->scratch : to)
                        : tiff_read_packed(tiff, page, piece, problem))) {
                return false;
            }
            for (uint64_t row = 0; piece->scratch && row < rows; row++) {
                memcpy(
                    to + row * page->width * size, piece->scratch + row * piece->row, cols * size);
            }
        }
    }
    return true;
}

static bool tiff_map_greys(
    const struct tiff *tiff, unsigned number, const struct tiff_page *page, unsigned char *samples,
    struct problem *problem)
{
    for (uint64_t i = 0; page->palette && i < tiff_page_bytes(page); i++) {
        const int grey = page->greys[samples[i]];
        if (grey < 0) {
            return tiff_refuse(tiff, number, "has a palette of colours", problem);
        }
        samples[i] = (unsigned char)grey;
    }
    return true;
}

bool tiff_read_page(
    struct tiff *tiff, unsigned number, const struct tiff_page *page, void *out,
    struct problem *problem)
{
    struct problem why = { 0 };
    struct tiff_piece piece = { .row = page->piece_row };
    const bool plain = page->compression->tag == COMPRESSION_NONE;
    // A tile may claim to be far higher than the page.
    const uint64_t most =
        plain && page->bytes < page->piece_bytes ? page->bytes : page->piece_bytes;
    const uint64_t scratch = most + page->piece_row;
    bool ok = true;
    tiff->error[0] = 0;
    if (!plain || page->piece_width != page->width) {
        piece.scratch = malloc(scratch);
        piece.again = page->compression->counted ? NULL : malloc(scratch);
        ok = piece.scratch && (piece.again || page->compression->counted);
    }
    if (!ok) {
        problem_no_memory(&why, "reading", tiff->source->path);
    }
    ok = ok && tiff_read_pieces(tiff, page, &piece, out, &why);
    free(piece.scratch);
    free(piece.again);
    free(piece.data);
    if (!ok) {
        return why.kind ? problem_set(problem, why.kind, "%s", why.text)
                        : tiff_broken(tiff, number, problem);
    }
    return tiff_map_greys(tiff, number, page, out, problem);
}

// The distances between samples, in the unit of x; 1 where the file does not state them. Returns
// whether it states those of x and y. ImageJ leaves out a distance of 1 along z.
bool tiff_read_spacing(const struct tiff *tiff, double spacing[3])
{
    const struct tiff_description *said = &tiff->description;
    memcpy(spacing, said->spacing, sizeof said->spacing);
    if (said->imagej && !said->in_pixels) {
        float per_unit[2] = { 0, 0 };
        TIFFGetField(tiff->handle, TIFFTAG_XRESOLUTION, &per_unit[0]);
        TIFFGetField(tiff->handle, TIFFTAG_YRESOLUTION, &per_unit[1]);
        for (int i = 0; i < 2; i++) {
            spacing[i] = isfinite(per_unit[i]) && per_unit[i] > 0 ? 1 / (double)per_unit[i] : 0;
        }
    }
    const bool stated = spacing[0] > 0 && spacing[1] > 0;
    for (int i = 0; i < 3; i++) {
        spacing[i] = spacing[i] > 0 ? spacing[i] * said->unit[i].times / said->unit[i].over : 1;
    }
    return stated;
}

static bool tiff_is_preview(struct tiff *tiff)
{
    uint32_t kind = 0;
    TIFFGetField(tiff->handle, TIFFTAG_SUBFILETYPE, &kind);
    return kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK);
}

// Whether the file ends before the offset of the next page. The library then takes the current page
// for the last one.
static bool tiff_ends_in_directory(const struct tiff *tiff)
{
    const bool wide = TIFFIsBigTIFF(tiff->handle);
    const size_t size = wide ? 8 : 2;
    const uint64_t at = TIFFCurrentDirOffset(tiff->handle);
    unsigned char bytes[8] = { 0 };
    source_peek_at(tiff->source, at, bytes, size);
    const uint64_t entries = sample_bits(bytes, size, TIFFIsBigEndian(tiff->handle));
    const uint64_t left = tiff->source->size - at - size;
    return entries > left / (wide ? 20 : 12) ||
           left - entries * (wide ? 20 : 12) < (wide ? 8u : 4u);
}

static bool tiff_index_add(struct tiff *tiff, uint32_t number, struct tiff_index *index)
{
    if (index->count == index->capacity) {
        const uint32_t more = 2 * index->capacity + 16;
        struct tiff_place *places = realloc(index->places, more * sizeof *places);
        if (!places) {
            return false;
        }
        index->places = places;
        index->capacity = more;
    }
    index->places[index->count++] =
        (struct tiff_place){ .offset = TIFFCurrentDirOffset(tiff->handle), .number = number };
    return true;
}

// Looks at all pages. All pages except previews must have the same properties. The caller frees the
// index, also after false.
bool tiff_probe_pages(
    struct tiff *tiff, struct tiff_page *page, struct tiff_index *index, struct problem *problem)
{
    *index = (struct tiff_index){ 0 };
    unsigned number = 0;
    uint64_t least = 0;  // the least bytes that all pages together need in the file
    uint64_t pieces = 0; // pieces of all pages
    do {
        struct tiff_page other;
        if (!input_go_on(tiff->source->path, problem)) {
            return false;
        }
        // Each piece needs at least one byte of the file, for its offset. Without this check, pages
        // that share a list of offsets would cause endless work.
        pieces += TIFFIsTiled(tiff->handle) ? TIFFNumberOfTiles(tiff->handle)
                                            : TIFFNumberOfStrips(tiff->handle);
        if (pieces > tiff->source->size) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': its first %u pages should have %" PRIu64 " strips or tiles, but the file's "
                "%" PRIu64 " bytes cannot hold so many; it is damaged",
                tiff->source->path, number + 1, pieces, tiff->source->size);
        }
        if (tiff_ends_in_directory(tiff)) {
            return tiff_broken(tiff, number, problem);
        }
        if (tiff_is_preview(tiff)) {
            continue;
        }
        if (!tiff_probe_page(tiff, number, &other, problem)) {
            return false;
        }
        if (page->width == 0) {
            *page = other;
        } else if (!tiff_pages_alike(&other, page)) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': page %u is %ux%u %s, the pages before it are %ux%u %s; all must be equal",
                tiff->source->path, number + 1, other.width, other.height,
                volume_type_name(other.type), page->width, page->height,
                volume_type_name(page->type));
        }
        page->white_is_zero |= other.white_is_zero;
        page->recoloured |= other.recoloured;
        least += other.bytes / other.compression->most;
        if (least > tiff->source->size) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': its first %u pages together should have %ux%ux%u samples, but the file's "
                "%" PRIu64 " bytes cannot hold so many; it is damaged or cut short",
                tiff->source->path, number + 1, other.width, other.height, index->count + 1,
                tiff->source->size);
        }
        if (!tiff_index_add(tiff, number, index)) { // the library reads at most a million
            return problem_no_memory(problem, "reading", tiff->source->path);
        }
    } while (number++, TIFFReadDirectory(tiff->handle));
    if (index->count == 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' has no pages but previews", tiff->source->path);
    }
    // The loop also ends where a directory cannot be read.
    return tiff->error[0] ? tiff_broken(tiff, number, problem) : true;
}

#endif
