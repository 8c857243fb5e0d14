#version 460
// HistoPyramid, reduction: makes a level from the level below, a four per lane.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint leaves = stream_leaves(), i = folded_lane();
    if (i < fours_of(leaves, own.level + 1)) {
        const uint above = own.top + fours_of(own.leaves, own.level);
        write_four(above + i, sums_above(own.top, fours_of(leaves, own.level), i));
    }
}
