// Planes through the samples in a picture: caps, which close the solid where planes cut it, and
// sections, which show the samples (shaders/cast/section.comp). They need no caster.
#pragma once

#include "compute/atlas.h"
#include "compute/casting/rays.h"
#include "compute/gpu/run.h"

struct section_params {
    struct rays rays; // of the picture
    // The pixels that may be filled, counted like those of struct cast.
    int32_t x, y;
    uint32_t width, height;
    uint32_t samples; // of a pixel: 1, 2, 4 or 8
    // The planes as in struct section_block: first `caps` caps, then the sections. Grid units.
    float planes[SECTION_PLANES][4];
    uint32_t count, caps;
    bool all;    // only what no cap keeps is removed
    bool values; // caps show the samples
    struct greys greys;
    // The contours that are shown, in any order.
    double isos[CONTOURS_MOST];
    uint32_t colours[CONTOURS_MOST]; // indices in picture_block.front
    bool cut[CONTOURS_MOST];         // the contour has caps
    uint32_t contours;
};

// Zero-initialised means empty.
struct section {
    struct kernel kernel;
    uint32_t constants[CONSTANTS]; // of the kernel
    struct buffer block;           // a struct section_block
    struct buffer colours;         // per pixel two words
    // What section_record has filled: counted as in the params; width 0: nothing.
    int32_t x, y;
    uint32_t width, height;
    uint32_t samples;
};

// Converts to the form that kernels get.
struct grey_range section_greys(const struct greys *greys, const struct atlas *atlas);

// The device memory for a picture of `pixels` pixels.
uint64_t section_bytes(const struct gpu *gpu, uint64_t pixels);

// Makes the kernel for the atlas, and the buffers for `pixels` pixels, where they are not there.
// Nothing that uses the section may be in flight. On false it is empty.
bool section_fit(
    struct gpu *gpu, struct section *section, const struct atlas *atlas, uint64_t pixels,
    struct problem *problem);
void section_destroy(struct gpu *gpu, struct section *section);

// Records what fills the pixels of the rectangle around the planes, and a barrier, so that drawings
// can read section->colours. `picture`: the picture_block.
void section_record(
    struct section *section, struct run *run, const struct atlas *atlas,
    const struct buffer *picture, const struct section_params *params);
