#version 460
// HistoPyramid, base: writes the masks of the predicate, four leaves per lane, and level 1: four
// lanes make one of its fours.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    make_base(folded_lane());
}
