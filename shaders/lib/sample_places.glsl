// The standard positions of the samples of a pixel, in sixteenths of a pixel.
#ifndef LIB_SAMPLE_PLACES
#define LIB_SAMPLE_PLACES

#include "shaders/shared/bindings.h"

layout(constant_id = CONSTANT_SAMPLES) const uint SAMPLES = 4; // samples per pixel: 2, 4 or 8

// The positions for n samples begin at index n, for n = 2, 4 and 8.
const uvec2 PLACES[16] = uvec2[16](uvec2(8, 8), uvec2(8, 8), uvec2(12, 12), uvec2(4, 4), uvec2(6, 2),
                                   uvec2(14, 6), uvec2(2, 10), uvec2(10, 14), uvec2(9, 5), uvec2(7, 11),
                                   uvec2(13, 9), uvec2(5, 3), uvec2(3, 13), uvec2(1, 7), uvec2(11, 15),
                                   uvec2(15, 1));

uvec2 sample_place(uint which)
{
    return PLACES[SAMPLES + which];
}

#endif
