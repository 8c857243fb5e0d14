#version 460
// Active cells -> indexed triangles. One lane per cell; a corner's vertex is looked up in the record
// of the row that owns its edge, which may lie in a neighbour brick.

#include "append.glsl"
#include "buffers.glsl"
#include "rows.glsl"

layout(set = 0, binding = BINDING_RECORDS) uniform usamplerBuffer records;
layout(set = 0, binding = BINDING_CASES) uniform usamplerBuffer cases;

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    triangles_push push;
};

// The two bits at x and x + 1.
uint pair(uvec2 row, uint x)
{
    return (row.x >> x | (row.y << 1) << (31 - x)) & 3;
}

// The vertex on edge `code` (tables.h) of the cell at (x, y, z) of the brick.
uint vertex_on(uint code, uint brick, uint x, uint y, uint z)
{
    const uint axis = code >> 2, one = code & 1, two = code >> 1 & 1;
    x += axis == 0 ? 0 : one;
    y += axis == 0 ? one : axis == 1 ? 0 : two;
    z += axis == 2 ? 0 : two;
    brick += (x >> 5) + (y >> 2) * BRICKS_X + (z >> 2) * (BRICKS_X * BRICKS_Y);
    const uvec4 record = texelFetch(records, int(brick * BRICK_ROWS + (z & 3) * 4 + (y & 3)));
    const uint below = (1u << (x & 31)) - 1;
    const uvec3 before = uvec3(axis == 0 ? below : 0xffffffffu,
                               axis == 0 ? 0 : axis == 1 ? below : 0xffffffffu,
                               axis == 2 ? below : 0);
    const ivec3 rank = bitCount(record.yzw & before);
    return record.x + rank.x + rank.y + rank.z;
}

void main()
{
    const uint lane = folded_lane();
    const bool there = lane < min(push.cells_head.count, push.cells_head.capacity);
    uint brick = 0, x = 0, y = 0, z = 0;
    uvec2 packed = uvec2(0);
    if (there) {
        const uint cell = push.cells.at[lane];
        brick = cell >> 9;
        x = cell & 31, y = cell >> 5 & 3, z = cell >> 7 & 3;
        const uint slot = push.slots.at[brick];
        const uint corners = pair(brick_row(slot, y, z), x) | pair(brick_row(slot, y + 1, z), x) << 2 |
                             pair(brick_row(slot, y, z + 1), x) << 4 |
                             pair(brick_row(slot, y + 1, z + 1), x) << 6;
        packed = texelFetch(cases, int(corners)).xy;
    }
    const uint count = packed.x & 15;
    const uint first = append(push.triangles_head, count);
    const uint end = min(first + count, push.triangles_head.capacity);
    packed.x = packed.x >> 4 | packed.y << 28;
    packed.y >>= 4;
    for (uint at = first; at < end; at++) {
        uvec3 corner;
        for (uint k = 0; k < 3; k++) {
            corner[k] = vertex_on(packed.x >> (4 * k) & 15, brick, x, y, z);
        }
        push.indices.at[at] = corner;
        packed.x = packed.x >> 12 | packed.y << 20;
        packed.y >>= 12;
    }
}
