// Spans: where along the rays of a cast the surface may be. The span of a small square of pixels is
// from the nearest to the farthest cube that the isovalue meets (shaders/cast/spans.comp).
#pragma once

#include "compute/casting/rays.h"
#include "shaders/shared/casting.h"

// Number of words for the spans of a cast of `pixels` pixels.
uint64_t spans_words(uint64_t pixels);

// Fills the push struct. The cubes are those of an atlas, which has `dim` samples. Its first sample
// is sample `base` of the volume. The first pixel of the cast is (x, y).
void spans_of(
    const struct rays *rays, const uint32_t base[3], const uint32_t dim[3], int32_t x, int32_t y,
    uint32_t width, uint32_t height, struct spans_push *out);
