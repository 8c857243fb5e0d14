#version 460
// For volumes with samples that are not finite: finds which cells and edges are valid. A cell is
// valid if its eight corners are finite; no other cell can be active. An edge is valid if one of
// the four cells around it is. One lane per row; runs once, after the upload.

#include "buffers.glsl"
#include "field.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    valid_masks_push push;
};

WRITES(valid_masks, BINDING_VALID_MASKS, uvec4)

bool finite_at(ivec3 p)
{
    if (any(lessThan(p, ivec3(0))) || any(greaterThanEqual(p, ivec3(DIM_X, DIM_Y, DIM_Z)))) {
        return false;
    }
    return key_finite(field_key(field_slice(p.z), p.x, p.y));
}

// The valid cells x .. x + 31 of a row: cells in the volume whose eight corners are finite.
uint usable_cells(ivec3 p)
{
    uint all = 0xffffffffu;
    for (int k = 0; k < 4; k++) {
        uint bits = 0, next = 0;
        for (int i = 0; i < 33; i++) {
            const uint finite = uint(finite_at(p + ivec3(i, k & 1, k >> 1)));
            if (i < 32) {
                bits |= finite << i;
            } else {
                next = finite;
            }
        }
        all &= bits & (bits >> 1 | next << 31);
    }
    return all;
}

// The mask of usable_cells shifted by one cell: bit i is the cell at x + i - 1.
uint usable_before(ivec3 p, uint cells)
{
    bool before = true;
    for (int k = 0; k < 8; k++) {
        before = before && finite_at(p + ivec3(-1 + (k & 1), k >> 1 & 1, k >> 2));
    }
    return cells << 1 | uint(before);
}

void main()
{
    const uint lane = folded_lane();
    if (lane >= push.rows) {
        return;
    }
    const uint row = lane % BRICK_ROWS;
    const ivec3 p = ivec3(brick_origin(lane / BRICK_ROWS) + uvec3(0, ROW_Y(row), ROW_Z(row)));
    const uint here = usable_cells(p);
    const uint down = usable_cells(p - ivec3(0, 1, 0));
    const uint behind = usable_cells(p - ivec3(0, 0, 1));
    const uint both = usable_cells(p - ivec3(0, 1, 1));
    const uint along_x = here | down | behind | both;
    const uint along_y = here | behind | usable_before(p, here) |
                         usable_before(p - ivec3(0, 0, 1), behind);
    const uint along_z = here | down | usable_before(p, here) |
                         usable_before(p - ivec3(0, 1, 0), down);
    valid_masks[lane] = uvec4(along_x, along_y, along_z, here);
}
