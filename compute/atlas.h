// A volume packed into 2D slices on the device: slices tiled into layers, bricks' ranges beside.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/image.h"
#include "shaders/shared/extraction.h"
#include "volumes/volume.h"

#define ATLAS_PADDING 256 // bytes behind the samples in a buffer, at most

enum atlas_storage {
    ATLAS_STORAGE_AUTO,  // a buffer on CPU devices, an image on GPUs; the other one where the first
                         // cannot hold the volume
    ATLAS_STORAGE_IMAGE, // a sampled 2D array image
    ATLAS_STORAGE_BUFFER, // the same layout in a storage texel buffer
};

// A slab: some of the volume's layers of cells, or some rows of cells of these. Layer z lies
// between the slices z and z + 1, row y between the rows y and y + 1 of each slice.
//
// Its atlas holds the slices around its layers, first .. first + layers, which are its own, and one
// more on either side where the volume has one, for the gradients and for what avoids gaps. Every
// edge that starts in an own slice is made, so also those that start in the slab's last slice,
// which is the next slab's first: a slab knows how many vertices there are in it, and in which
// order. Along y the same holds: the rows first_row .. first_row + rows of each slice are its own,
// and the atlas holds one more on either side.
//
// Of the edges that start in the last own slice, or row, some run out of the slab: their vertices
// are counted and numbered, but their normals are the next slab's to make.
struct atlas_slab {
    uint32_t first, layers;
    uint32_t first_row, rows; // of cells; rows 0: all
};

// Where samples come from that are not in memory.
struct atlas_source {
    // Fills in `count` slices of the whole volume from slice z on, as struct volume has them.
    bool (*read)(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem);
    void *user;
};

struct atlas_params {
    enum atlas_storage storage;
    uint32_t max_extent;             // pretend the device's 2D image limit is this; 0: the real one
    const struct progress *progress; // may be NULL; asked by atlas_load
    const struct atlas_slab *slab;   // NULL: the whole volume
    const struct atlas_source *source; // NULL: the volume's samples
    // Some sample may be not finite, or beyond MAGNITUDE_LEAST or MAGNITUDE_MOST, whatever the
    // first ones are.
    bool gaps, extremes;
};

struct atlas {
    // Of what it holds: dim[2] slices from the volume's slice base_z on, and of each dim[1] rows
    // from base_y on.
    uint32_t dim[3];
    uint32_t base_y, base_z;
    uint32_t own_first, own_last;     // own slices, counted from base_z
    uint32_t own_y_first, own_y_last; // own rows, counted from base_y
    uint32_t whole[3];                // dim of the whole volume
    enum volume_type type;
    enum atlas_storage storage; // IMAGE or BUFFER
    uint32_t tile_width;        // dim[0], in a buffer rounded up so that rows start at 16 bytes
    uint32_t cols, rows, layers;
    uint32_t bricks[3], brick_count; // bricks of 32x4x4 samples
    bool has_gaps, has_extremes;     // as in the params, or some sample is
    struct image image;
    struct buffer samples; // when in a buffer
    struct buffer ranges;  // per brick: least and greatest key over its cells' samples
    struct buffer gaps;    // per brick row: which edges and cells avoid gaps; if has_gaps
    uint64_t device_bytes;
    double upload_ms, ranges_ms; // what the last load took on the host's clock: samples to the
                                 // device, and the bricks' ranges there
};

// All that can be said before there is a device buffer: how the samples are laid out, how many
// bricks there are. `volume` is the whole one; its samples are of no account. False as
// atlas_create.
bool atlas_describe(
    const struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);

// Device memory that an atlas so described takes, and while it is loaded takes beside.
// GPU_TOO_MUCH where it is more than a limit of the device, whatever its memory.
uint64_t atlas_bytes(const struct gpu *gpu, const struct atlas *described);
uint64_t atlas_staging_bytes(const struct gpu *gpu, const struct atlas *described);

// Makes the atlas's images and buffers, which hold nothing yet. PROBLEM_DEVICE_MEMORY with need and
// have when they do not fit. On false `out` is empty.
bool atlas_make(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);

// The same, and loads the volume, or a slab of it.
bool atlas_create(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);
void atlas_destroy(struct gpu *gpu, struct atlas *atlas);

// Whether a slab fits an atlas that was made for another one: the same number of slices and rows,
// of which the same are its own.
bool atlas_holds(
    const struct atlas *atlas, const struct volume *volume, const struct atlas_slab *slab);

// Loads such a slab into the atlas, and makes the bricks' ranges on the device. Its buffers and its
// constants stay what they are, but where it meets the first sample that is not finite, or extreme:
// has_gaps or has_extremes is then newly set, and whoever has kernels with its constants makes them
// anew. On false the atlas holds nothing that is of use until it has been loaded again.
bool atlas_load(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct problem *problem);

// The same in small steps. `volume` must outlive the loading only where there is no source; what a
// source reads from must in any case. *out is NULL on false.
struct atlas_loading;
bool atlas_load_begin(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct atlas_loading **out, struct problem *problem);
// Works about `ms` milliseconds at most; 0: until all is there, which *done says.
// PROBLEM_INTERRUPTED once `interrupted` is set. After false, or *done, only atlas_load_end may
// follow.
bool atlas_load_next(struct atlas_loading *loading, double ms, bool *done, struct problem *problem);
double atlas_load_share(const struct atlas_loading *loading); // that is there, 0 to 1
void atlas_load_end(struct atlas_loading *loading);           // at any time; takes NULL

// The least and the greatest key of all bricks: an isovalue's key that is not above the least, or
// is above the greatest, finds no surface here.
bool atlas_range(
    struct gpu *gpu, const struct atlas *atlas, uint32_t range[2], struct problem *problem);

// The specialization constants that every kernel of extraction and compaction gets.
void atlas_constants(const struct atlas *atlas, uint32_t constants[CONSTANTS]);

// An isovalue in the terms of the device (see shaders/lib/field.glsl).
struct atlas_iso {
    uint32_t key;     // inside: a sample's key >= this; 0 where no sample is on one of the sides
    uint32_t iso_key; // as in vertices_push
    float high, low;
    int exponent;
};
struct atlas_iso atlas_iso(enum volume_type type, double iso);

// Points the samples of a set at the atlas.
struct bindings;
bool atlas_bind(
    struct gpu *gpu, const struct atlas *atlas, struct bindings *bindings, struct problem *problem);
