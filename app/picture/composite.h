// A picture that several ranks (app/ranks) draw together. Each draws its parts of the surface; then
// the nearest samples of all ranks go into the picture of rank 0. Samples are compared, not pixels,
// so there is no seam where parts meet.
//
// A sample is packed in 64 bits (composite_push in shaders/shared/picture.h). Ranks have the parts
// from bottom to top, as one process draws them; so of equally near samples the same one wins.
#pragma once

#include "app/picture/bands.h"
#include "app/picture/picture.h"
#include "app/picture/pipeline.h"

// Zero-initialised means closed.
struct composite {
    struct gpu *gpu;
    struct pipeline take, put;
    struct image packed;   // one sample of each pixel
    struct buffer numbers; // the packed samples, in host memory
};

// The device memory that a composite needs for pictures of this size.
uint64_t composite_bytes(const struct gpu *gpu, const struct bands *bands);

// For pictures of the bands' size and of `format`, with `samples` per pixel, made with
// picture_params.composited. PROBLEM_UNSUPPORTED where shaders cannot read so many samples. On
// false `out` is closed.
bool composite_create(
    struct gpu *gpu, const struct bands *bands, VkFormat format, VkSampleCountFlagBits samples,
    struct composite *out, struct problem *problem);
void composite_destroy(struct composite *composite);

// Collective: see ranks.h. All ranks have drawn the same band (renderer_record), and left it
// unfinished. Puts the nearest samples of all ranks, with their depth, into the picture of rank 0,
// which stays unfinished. Waits for the device.
bool composite_band(
    struct composite *composite, const struct picture *picture, const struct band *band,
    struct problem *problem);
