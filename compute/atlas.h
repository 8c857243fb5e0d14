// An atlas: a volume on the device as 2D slices. Each layer is a grid of tiles, and each tile is a
// slice. An atlas also has the ranges of the bricks.
#pragma once

#include "compute/gpu/kernel.h"
#include "shaders/shared/extraction.h"
#include "volumes/volume.h"

#define ATLAS_PADDING 256 // bytes of padding after the samples in a buffer

enum atlas_storage {
    ATLAS_STORAGE_AUTO,   // a buffer, or an image where a buffer cannot hold the volume
    ATLAS_STORAGE_IMAGE,  // a sampled 2D array image
    ATLAS_STORAGE_BUFFER, // a storage texel buffer with the image's layout
};

// The cells of a part: a range of the volume's layers of cells, or a range of rows of cells in
// these layers. Layer z lies between slice z and the next one. Row y of cells lies between row y of
// samples and the next one.
//
// A part's own slices are first .. first + layers, which bound its layers. Its atlas also holds one
// more slice on either side, if the volume has one, for the gradients and the valid masks. The part
// makes the vertices of all edges that start in own slices. Its last own slice is the next part's
// first one, so it knows the number and the order of the vertices in that slice. Along y its own
// rows are first_row .. first_row + rows, and the atlas holds one more on either side.
//
// Some of the edges that start in the last own slice or row leave the part: their vertices are
// counted and numbered, but the next part computes their normals.
struct atlas_part {
    uint32_t first, layers;
    uint32_t first_row, rows; // rows of cells; rows 0: all rows
    // If `rows` is not 0, the atlas holds at least so many rows of samples. So all parts of a layer
    // have the same shape, and kernels are created once for them.
    uint32_t held_rows;
};

// A source of samples that are not in memory.
struct atlas_source {
    // Reads `count` slices of the whole volume from slice z on, in the layout of struct volume.
    bool (*read)(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem);
    void *user;
};

struct atlas_params {
    enum atlas_storage storage;
    uint32_t max_extent;             // for tests: limit of an image's extent; 0: the device's limit
    const struct progress *progress; // may be NULL; called by atlas_load()
    const struct atlas_part *cells;  // NULL: the whole volume
    const struct atlas_source *source; // NULL: the volume's samples
    // gaps: assume samples that are not finite. extremes: assume samples whose magnitude is below
    // MAGNITUDE_LEAST or above MAGNITUDE_MOST.
    bool gaps, extremes;
};

struct atlas {
    // The samples that the atlas holds: dim[2] slices from slice base_z of the volume on, and in
    // each slice dim[1] rows from row base_y on.
    uint32_t dim[3];
    uint32_t base_y, base_z;
    uint32_t own_first, own_last;     // first and last own slice, counted from base_z
    uint32_t own_y_first, own_y_last; // first and last own row, counted from base_y
    uint32_t whole[3];                // dim of the whole volume
    enum volume_type type;
    enum atlas_storage storage; // IMAGE or BUFFER
    // Width of a tile: dim[0]; in a buffer rounded up so that rows start at multiples of 16 bytes.
    uint32_t tile_width;
    uint32_t cols, rows, layers;
    uint32_t bricks[3], brick_count; // bricks of 32x4x4 samples
    bool keys_in_blocks;         // a texel buffer can hold all samples only as blocks of 16 bytes
    bool has_gaps, has_extremes; // set by the params, or when such a sample was loaded
    struct image image;
    struct buffer samples; // the samples, if the storage is a buffer
    struct buffer ranges;  // per brick: least and greatest key of the samples of its cells
    struct buffer gaps;    // per brick row: valid masks of edges and cells; only if has_gaps
    struct kernel ranges_kernel, gaps_kernel; // compute these; the first load creates them
    uint64_t device_bytes;
    double upload_ms, ranges_ms; // host time of the last load: copying the samples to the device,
                                 // and computing the bricks' ranges there
};

// How many of `slices` tiles, each width x height, lie side by side so that the grid of tiles is
// about as wide as high. All are above 0.
uint32_t atlas_cols(uint32_t width, uint32_t height, uint32_t slices);

// Describes an atlas without creating it: the layout of the samples, and the number of bricks.
// `volume` is the whole volume; its samples are not read. PROBLEM_LIMIT or PROBLEM_UNSUPPORTED.
bool atlas_describe(
    const struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);

// Bytes of device memory that a described atlas takes. GPU_TOO_MUCH if a limit of the device other
// than the size of its memory is exceeded.
uint64_t atlas_bytes(const struct gpu *gpu, const struct atlas *described);

// Bytes of one row of the grid of tiles: a row of samples of `cols` slices that lie side by side.
uint64_t atlas_row_bytes(const struct atlas *atlas);

// Creates the atlas's images and buffers, without samples. PROBLEM_DEVICE_MEMORY, with the needed
// and the free bytes, when they do not fit. On false `out` is empty.
bool atlas_make(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);
void atlas_destroy(struct gpu *gpu, struct atlas *atlas);

// Whether an atlas that was made for another part can be reused for `cells`: both parts need
// equally many slices and rows, and among these the own ones have the same indices.
bool atlas_holds(
    const struct atlas *atlas, const struct volume *volume, const struct atlas_part *cells);

// Sets which slices and rows the atlas holds, and which of them are own ones, for the part `cells`
// (NULL: the whole volume). The atlas must be able to hold them.
void atlas_set_extent(
    struct atlas *out, const struct volume *volume, const struct atlas_part *cells);

// Creates the buffer of the valid masks if there is none yet.
bool atlas_make_valid_masks(struct gpu *gpu, struct atlas *atlas, struct problem *problem);

// Reads the least and the greatest key of all bricks. An isovalue can have a surface only if its
// key is above the least key and not above the greatest.
bool atlas_range(
    struct gpu *gpu, const struct atlas *atlas, uint32_t range[2], struct problem *problem);

// Sets the specialization constants of all kernels of extraction and compaction.
void atlas_constants(const struct atlas *atlas, uint32_t constants[CONSTANTS]);

// Adds the atlas's samples, ranges and valid masks to the table of bindings.
void atlas_bind(const struct atlas *atlas, struct binding table[BINDINGS]);
