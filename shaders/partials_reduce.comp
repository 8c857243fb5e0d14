#version 460
// HistoPyramid with partial sums (Ziegler et al. 2006; the vec4 form of Stream Compaction in WebGL):
// the two levels above level push.level, whose first node is at push.top.

#include "partials.glsl"

layout(local_size_x = GROUP) in;

uint child_count(uint x, uint y)
{
    const uvec2 size = partials_size(push.level);
    return x < size.x && y < size.y ? partials_at(push.top + y * size.x + x).w : 0;
}

#include "partials_reduce.glsl"

void main()
{
    reduce_twice(folded_lane(), push.top + partials_nodes(push.level));
}
