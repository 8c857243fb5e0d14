#version 460
// Crossing edges of the active bricks. Each sample owns the three edges that start at it and run up
// x, y, z; a crossing one gets a vertex. One lane per row of 32 samples.
//
// A row's vertices are numbered x crossings first, then y, then z, each by bit: an edge's vertex is
// the row's first plus a popcount. The record of 16 bytes is all that triangles need to look up.

#include "append.glsl"
#include "buffers.glsl"
#include "lists.glsl"
#include "outputs.glsl"
#include "rows.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    edges_push push;
};

void main()
{
    const uint lane = folded_lane();
    const uint slot = lane / BRICK_ROWS, row = lane % BRICK_ROWS;
    uvec3 cross = uvec3(0);
    uint brick = 0;
    const bool there = slot < list_length(LIST_BRICKS);
    if (there) {
        brick = bricks_at(slot);
        const uint y = row & 3, z = row >> 2;
        const uvec2 here = brick_row(slot, y, z);
        cross = uvec3(here.x ^ shifted(here), here.x ^ brick_row(slot, y + 1, z).x,
                      here.x ^ brick_row(slot, y, z + 1).x) &
                row_samples(brick_origin(brick), y, z);
        if (GAPS != 0) {
            cross &= push.gaps.at[brick * BRICK_ROWS + row].xyz;
        }
    }
    const ivec3 counts = bitCount(cross);
    const uint count = counts.x + counts.y + counts.z;
    const uint first = append(push.vertices_head, count);
    if (there) {
        write_records(push.records, brick * BRICK_ROWS + row, uvec4(first, cross));
    }
    const uint end = min(first + count, list_capacity(LIST_VERTICES));
    for (uint at = first; at < end; at++) {
        const uint axis = cross.x != 0 ? 0 : cross.y != 0 ? 1 : 2;
        const uint bits = axis == 0 ? cross.x : axis == 1 ? cross.y : cross.z;
        cross &= uvec3(axis == 0, axis == 1, axis == 2) * (bits - 1) |
                 uvec3(axis != 0, axis != 1, axis != 2) * 0xffffffffu;
        write_edges(
            push.edges, at, ((brick * BRICK_ROWS + row) * 4 + axis) * 32 + findLSB(bits));
    }
}
