// Where along the rays of a cast the surface may be: for each small square of pixels, from the
// nearest to the farthest cube that the isovalue does not miss (shaders/cast/spans.comp).
#pragma once

#include "compute/casting/rays.h"
#include "shaders/shared/casting.h"

// Words for a cast of so many pixels in all.
uint64_t spans_words(uint64_t pixels);

// Fills the push struct, but for `most` and `least`. The cubes are those of an atlas: it has `dim`
// samples, and its first one is sample `base` of the volume. The cast's first pixel is (x, y).
void spans_of(
    const struct rays *rays, const uint32_t base[3], const uint32_t dim[3], int32_t x, int32_t y,
    uint32_t width, uint32_t height, struct spans_push *out);
