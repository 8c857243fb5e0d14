#version 460
// HistoPyramid, base: the predicate's masks, four leaves per lane, and level 1, whose fours are
// those of four lanes.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    make_base(folded_group() * GROUP + gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
}
