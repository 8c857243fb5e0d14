#version 460
// HistoPyramid with partial sums: levels 1 and 2. A stream whose lanes are the base's texels row by
// row needs no base in memory: the predicate is evaluated here.

#include "partials.glsl"

layout(local_size_x = GROUP) in;

uint child_count(uint x, uint y)
{
    const uint texel = y * push.width + x;
#ifdef STREAM_CELLS
    return x < push.width && y < push.height ? bitCount(mask_at(texel)) : 0;
#else
    return x < push.width && texel < push.lanes ? keep(texel) : 0;
#endif
}

#include "partials_reduce.glsl"

void main()
{
    reduce_twice(folded_lane(), 0);
}
