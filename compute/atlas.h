// A volume packed into 2D slices on the device: the slices are tiles of layers. Also the ranges of
// the bricks.
#pragma once

#include "compute/gpu/kernel.h"
#include "shaders/shared/extraction.h"
#include "volumes/volume.h"

#define ATLAS_PADDING 256 // bytes after the samples in a buffer, at most

enum atlas_storage {
    ATLAS_STORAGE_AUTO,   // a buffer, or an image where a buffer cannot hold the volume
    ATLAS_STORAGE_IMAGE,  // a sampled 2D array image
    ATLAS_STORAGE_BUFFER, // the same layout in a storage texel buffer
};

// The cells of a part: some of the volume's layers of cells, or some rows of cells of these. Layer
// z is between the slices z and z + 1, row y between the rows y and y + 1 of each slice.
//
// Its atlas holds the slices around its layers, first .. first + layers, which are its own. It also
// holds one more slice on either side, if the volume has one, for the gradients and the valid
// masks. Every edge that starts in an own slice is made, including those in the part's last slice,
// which is the next part's first one: so a part knows the number and the order of the vertices in
// it. The same holds along y: the rows first_row .. first_row + rows of each slice are its own, and
// the atlas holds one more on either side.
//
// Some of the edges that start in the last own slice or row leave the part: their vertices are
// counted and numbered, but the next part computes their normals.
struct atlas_part {
    uint32_t first, layers;
    uint32_t first_row, rows; // of cells; rows 0: all
    // Of samples, which the atlas holds at least, if `rows` is not 0: so that the parts of a layer
    // have one shape, for which kernels are made once.
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
    uint32_t max_extent;             // for tests: the limit of a 2D image's extent; 0: the device's
    const struct progress *progress; // may be NULL; called by atlas_load()
    const struct atlas_part *cells;  // NULL: the whole volume
    const struct atlas_source *source; // NULL: the volume's samples
    // Assume that some sample is not finite, or beyond MAGNITUDE_LEAST or MAGNITUDE_MOST.
    bool gaps, extremes;
};

struct atlas {
    // The extent that it holds: dim[2] slices from the volume's slice base_z on, and dim[1] rows of
    // each from base_y on.
    uint32_t dim[3];
    uint32_t base_y, base_z;
    uint32_t own_first, own_last;     // own slices, counted from base_z
    uint32_t own_y_first, own_y_last; // own rows, counted from base_y
    uint32_t whole[3];                // dim of the whole volume
    enum volume_type type;
    enum atlas_storage storage; // IMAGE or BUFFER
    // Dim[0]; in a buffer rounded up so that rows start at multiples of 16 bytes.
    uint32_t tile_width;
    uint32_t cols, rows, layers;
    uint32_t bricks[3], brick_count; // bricks of 32x4x4 samples
    bool keys_in_blocks;         // a texel buffer reaches all samples only by blocks of 16 bytes
    bool has_gaps, has_extremes; // set in the params, or because of a sample
    struct image image;
    struct buffer samples; // if the storage is a buffer
    struct buffer ranges;  // per brick: least and greatest key over its cells' samples
    struct buffer gaps;    // per row: valid masks of edges and cells; if has_gaps
    struct kernel ranges_kernel, gaps_kernel; // that compute these; made by the first load
    uint64_t device_bytes;
    double upload_ms, ranges_ms; // what the last load took on the host's clock: samples to the
                                 // device, and the bricks' ranges there
};

// Describes an atlas without creating it: the layout of the samples, and the number of bricks.
// `volume` is the whole one; its samples are not read. Fails like atlas_create.
bool atlas_describe(
    const struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);

// Device memory that an atlas so described takes. GPU_TOO_MUCH where it is more than a limit of the
// device, whatever its memory.
uint64_t atlas_bytes(const struct gpu *gpu, const struct atlas *described);

// Bytes of a row of samples of all slices that are side by side.
uint64_t atlas_row_bytes(const struct atlas *atlas);

// Creates the atlas's images and buffers, without samples. PROBLEM_DEVICE_MEMORY, with the needed
// and the free bytes, when they do not fit. On false `out` is empty.
bool atlas_make(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);
void atlas_destroy(struct gpu *gpu, struct atlas *atlas);

// Whether an atlas that was made for another part can be reused: the same numbers of slices and
// rows, and the same of them are its own.
bool atlas_holds(
    const struct atlas *atlas, const struct volume *volume, const struct atlas_part *cells);

// Sets which slices and rows the atlas holds, and which of them are its own; for a part that it can
// hold.
void atlas_set_extent(
    struct atlas *out, const struct volume *volume, const struct atlas_part *cells);

// Creates the buffer of the valid masks if there is none yet.
bool atlas_make_valid_masks(struct gpu *gpu, struct atlas *atlas, struct problem *problem);

// The least and the greatest key of all bricks. There is no surface for an isovalue whose key is
// not above the least, or is above the greatest.
bool atlas_range(
    struct gpu *gpu, const struct atlas *atlas, uint32_t range[2], struct problem *problem);

// Sets the specialization constants of all kernels of extraction and compaction.
void atlas_constants(const struct atlas *atlas, uint32_t constants[CONSTANTS]);

// Sets what kernels read of an atlas: samples, ranges, valid masks.
void atlas_bind(const struct atlas *atlas, struct binding table[BINDINGS]);
