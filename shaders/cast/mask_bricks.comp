#version 460
// Lists the bricks that the isovalue meets, for masks.comp and spans.comp.

#include "met_bricks.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    list_met(folded_lane());
}
