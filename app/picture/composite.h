// A picture that several ranks (app/ranks) draw together: each has drawn its parts of the surface,
// and the nearest samples of all go into the picture of rank 0. Samples, not pixels: where parts
// meet, there is no seam.
//
// A sample is packed in 64 bits (composite_push in shaders/shared/picture.h). Ranks have parts from
// bottom to top, as one process draws them; so of samples at the same distance the same one wins.
#pragma once

#include "app/picture/bands.h"
#include "app/picture/picture.h"
#include "app/picture/pipeline.h"

// Zero-initialised means closed.
struct composite {
    struct gpu *gpu;
    struct pipeline take, put;
    struct image packed;   // one sample of each pixel
    struct buffer numbers; // the same for the host, and back
};

// The device memory that it needs for pictures of this size.
uint64_t composite_bytes(const struct gpu *gpu, const struct bands *bands);

// For pictures in the bands' size of `format`, with so many samples, made with
// picture_params.composited. PROBLEM_UNSUPPORTED where shaders cannot read so many samples. On
// false `out` is closed.
bool composite_create(
    struct gpu *gpu, const struct bands *bands, VkFormat format, VkSampleCountFlagBits samples,
    struct composite *out, struct problem *problem);
void composite_destroy(struct composite *composite);

// Collective: see ranks.h. All ranks have drawn the same band (renderer_record), and left it
// unfinished. Puts the nearest samples of all, with their depth, into the picture of rank 0; it
// stays unfinished. Waits for the device.
bool composite_band(
    struct composite *composite, const struct picture *picture, const struct band *band,
    struct problem *problem);
