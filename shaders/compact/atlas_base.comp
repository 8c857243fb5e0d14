#version 460
// HistoPyramid over the slices, base: sets the texels of the active cells. All texels were cleared.

#include "atlas_levels.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane(), cols = own.cols, wide = own.wide;
    uint kept = lane < stream_lanes() ? keep(lane) : 0;
    const uint row = lane % BRICK_ROWS, brick = kept != 0 ? bricks_at(lane / BRICK_ROWS) : 0;
    const uvec3 cell = brick_origin(brick) + uvec3(0, ROW_Y(row), ROW_Z(row));
    const uvec2 at = tile_texel(cell, cols, uvec2(DIM_X, DIM_Y));
    for (; kept != 0; kept &= kept - 1) {
        level_sums[at.y * wide + at.x + findLSB(kept)] = 1;
    }
}
