// Where the surface may be along a pixel's ray: see shaders/cast/spans.comp.
#ifndef LIB_SPANS
#define LIB_SPANS

#include "buffers.glsl"
#include "shaders/shared/casting.h"

READS(spans, BINDING_SPANS, uint)

// A float from a word in the order of floats.
float unordered(uint word)
{
    return uintBitsToFloat(word ^ (word >> 31 != 0 ? 0x80000000u : 0xffffffffu));
}

// The span of a pixel among width x height of them. False: there is no surface.
bool span_of_pixel(uvec2 pixel, uint width, uint height, out float begin, out float end)
{
    const uint across = (width + SPAN_SIDE - 1) / SPAN_SIDE, down = (height + SPAN_SIDE - 1) / SPAN_SIDE;
    const uvec2 square = pixel / SPAN_SIDE;
    const uint own = 2 * (square.y * across + square.x), all = 2 * across * down;
    const uint least = min(spans[own], spans[all]), greatest = min(spans[own + 1], spans[all + 1]);
    begin = unordered(least);
    end = unordered(~greatest);
    return least != SPAN_NONE;
}

#endif
