#version 460
// HistoPyramid over the slices, traversal: every output searches for its cell from the top down. It makes
// three loads a level. The list is in the Z-order of the texels.

#include "atlas_levels.glsl"
#include "share.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uvec2 base = uvec2(own.wide, own.high);
    const uint cols = own.cols, key = folded_lane();
    uint level = own.level, offset = own.offset;
    if (key >= list_length(counter)) {
        return;
    }
    uint rank = key;
    uvec2 at = uvec2(0);
    while (level > 0) {
        const uvec2 size = level_size(base, --level);
        offset -= size.x * size.y;
        at *= 2;
        const uint first = sum_at(at, size, offset);
        const uint second = first + sum_at(at + uvec2(1, 0), size, offset);
        const uint third = second + sum_at(at + uvec2(0, 1), size, offset);
        const Share share = share_of(uvec3(first, second, third), rank);
        at += uvec2(share.which & 1, share.which >> 1);
        rank = share.key;
    }
    const uvec2 tile = at / uvec2(DIM_X, DIM_Y);
    const uvec3 cell = uvec3(at - tile * uvec2(DIM_X, DIM_Y), tile.y * cols + tile.x);
    const uvec3 brick = cell / uvec3(BRICK_X, BRICK_Y, BRICK_Z);
    const uvec3 in_brick = cell % uvec3(BRICK_X, BRICK_Y, BRICK_Z);
    put_element(key, ((brick.z * BRICKS_Y + brick.y) * BRICKS_X + brick.x) * BRICK_CELLS +
                         (in_brick.z * BRICK_Y + in_brick.y) * BRICK_X + in_brick.x);
}
