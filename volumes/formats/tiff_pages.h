// The pages of a TIFF file, read by libtiff. Only where cubist is built with this library.
#pragma once

#include "volumes/formats/source.h"
#include "volumes/formats/tiff_description.h"
#include "volumes/volume.h"

#include <tiffio.h>

#define MOST_ALLOCATED ((tmsize_t)1 << 28) // bytes that the library may ask for at once

// An open file.
struct tiff {
    TIFF *handle;
    struct source *source;
    uint64_t at;              // offset at which the library reads next
    char error[200];          // the first message since opening, or since the last decoding began
    bool starved;             // the library ran out of memory
    struct problem cancelled; // PROBLEM_INTERRUPTED once reading was interrupted
    struct tiff_description description;
};

struct tiff_compression;

struct tiff_page {
    uint32_t width, height;
    enum volume_type type;
    bool white_is_zero;
    bool palette;       // the samples are numbers in `greys`
    bool recoloured;    // the palette changes at least one number
    int16_t greys[256]; // greys of the palette; -1: a colour, or more than 8 bits

    // Pieces of a page are tiles or strips. A strip is as wide as the page. The last row of tiles
    // may extend below the page's lower edge; a strip ends at this edge.
    const struct tiff_compression *compression;
    bool predicted;                     // rows are decoded as a whole
    uint32_t piece_width, piece_height; // in samples
    uint64_t piece_row, piece_bytes;    // bytes of a row of a piece, and of a whole piece
    uint64_t bytes;                     // bytes of all pieces above the page's lower edge
    uint64_t plain_at; // offset of the samples if they are one run of uncompressed bytes; or 0
};

// Where the pages are that are no previews. Zero-initialised means none.
struct tiff_index {
    struct tiff_place {
        uint64_t offset; // of the directory
        uint32_t number; // of the page in the file, from 0
        uint32_t file;   // of an OME set: index in tiff_stack.files
    } * places;
    uint32_t count, capacity;
};

// Opens a file for the library and reads its description. PROBLEM_INPUT. Call tiff_end also after
// false.
bool tiff_begin(struct source *source, struct tiff *tiff, struct problem *problem);

// Returns `ok`, or false where reading was cancelled. After that, the library may have skipped data
// that it could not read, or called them damaged. `problem` may be NULL where nothing is open.
bool tiff_end(struct tiff *tiff, bool ok, struct problem *problem);

// Says what is wrong with the file, or that memory was too short to find out. False.
bool tiff_failed(const struct tiff *tiff, const char *what, struct problem *problem);
bool tiff_broken(const struct tiff *tiff, unsigned page, struct problem *problem);

// Finds the properties of the current page; `number` is for messages. PROBLEM_INPUT.
bool tiff_probe_page(
    struct tiff *tiff, unsigned number, struct tiff_page *out, struct problem *problem);

// Looks at all pages. All pages except previews must have the properties of `page`, which the first
// one fills where it is zero-initialised. The caller frees the index, also after false.
// PROBLEM_INPUT.
bool tiff_probe_pages(
    struct tiff *tiff, struct tiff_page *page, struct tiff_index *index, struct problem *problem);

// Whether two pages have the same size and type.
bool tiff_pages_alike(const struct tiff_page *a, const struct tiff_page *b);

// The bytes of the page's samples.
uint64_t tiff_page_bytes(const struct tiff_page *page);

// Fills `out`, of tiff_page_bytes, with the current page's rows in host order. PROBLEM_INPUT.
bool tiff_read_page(
    struct tiff *tiff, unsigned number, const struct tiff_page *page, void *out,
    struct problem *problem);

// The distances between samples, in the unit of x; 1 where the file does not state them. Returns
// whether it states those of x and y. ImageJ leaves out a distance of 1 along z.
bool tiff_read_spacing(const struct tiff *tiff, double spacing[3]);
