#version 460
// HistoPyramid, reduction: one level from the one below, a four per lane.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint leaves = stream_leaves(), i = folded_lane();
    if (i < fours_of(leaves, push.level + 1)) {
        const uint above = push.top + fours_of(push.leaves, push.level);
        write_four(above + i, sums_above(push.top, fours_of(leaves, push.level), i));
    }
}
