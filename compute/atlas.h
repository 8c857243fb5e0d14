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
    ATLAS_STORAGE_BUFFER, // the same layout in a texel buffer
};

struct atlas_params {
    enum atlas_storage storage;
    uint32_t max_extent; // pretend the device's 2D image limit is this; 0: the real one
    const struct progress *progress;
};

struct atlas {
    uint32_t dim[3];
    enum volume_type type;
    enum atlas_storage storage; // IMAGE or BUFFER
    uint32_t tile_width;        // dim[0], in a buffer rounded up so that rows start at 16 bytes
    uint32_t cols, rows, layers;
    uint32_t bricks[3], brick_count; // bricks of 32x4x4 samples
    bool has_gaps;                   // some sample is not finite
    struct image image;
    struct buffer samples; // when in a buffer
    struct buffer ranges;  // per brick: least and greatest key over its cells' samples
    struct buffer gaps;    // per brick row: which edges and cells avoid gaps; if has_gaps
    uint64_t device_bytes;
};

// Uploads the volume and makes the bricks' ranges on the device. PROBLEM_DEVICE with need and have
// when it does not fit. On false `out` is empty.
bool atlas_create(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);
void atlas_destroy(struct gpu *gpu, struct atlas *atlas);

// The specialization constants that every kernel of extraction and compaction gets.
void atlas_constants(const struct atlas *atlas, uint32_t constants[CONSTANTS]);

// An isovalue in the terms of the device (see shaders/lib/field.glsl).
struct atlas_iso {
    uint32_t key;     // inside: a sample's key >= this; 0 where no sample is on one of the sides
    uint32_t iso_key; // as in vertices_push
    float high, low;
    int exponent;
};
struct atlas_iso atlas_iso(const struct atlas *atlas, double iso);

// Points the samples of a set at the atlas.
struct bindings;
bool atlas_bind(
    struct gpu *gpu, const struct atlas *atlas, struct bindings *bindings, struct problem *problem);
