// Reads where the surface may be along the rays of a square of pixels: see shaders/cast/spans.comp.
#ifndef LIB_SPANS
#define LIB_SPANS

#include "buffers.glsl"
#include "cast_texels.glsl"
#include "shaders/shared/casting.h"

READS(spans, BINDING_SPANS, uvec2)
FETCHES(spans_texels, BINDING_SPANS)

uvec2 span_words(uint square)
{
    return CAST_TEXELS != 0 ? texelFetch(spans_texels, int(square)).xy : spans[square];
}

// The float of a word in the order of floats.
float unordered(uint word)
{
    return uintBitsToFloat(word ^ (word >> 31 != 0 ? 0x80000000u : 0xffffffffu));
}

// The span of a pixel's square, after squares.comp. `width`: pixels per row. False: it sees no surface.
bool span_of_pixel(uvec2 pixel, uint width, out float begin, out float end)
{
    const uint across = (width + SPAN_SIDE - 1) / SPAN_SIDE;
    const uvec2 words = span_words(pixel.y / SPAN_SIDE * across + pixel.x / SPAN_SIDE);
    begin = unordered(words.x);
    end = unordered(~words.y);
    return words.x != SPAN_NONE;
}

#endif
