#version 460
// Active cells -> indexed triangles. One lane per cell; a corner's vertex is looked up in the record
// of the row that owns its edge, which may lie in a neighbour brick.

#include "append.glsl"
#include "buffers.glsl"
#include "lists.glsl"
#include "outputs.glsl"
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

// The record of row (y, z) of the brick, y and z from 0 to 4, or of the brick after it in x.
uvec4 record_of(uint brick, uint y, uint z)
{
    brick += (y >> 2) * BRICKS_X + (z >> 2) * (BRICKS_X * BRICKS_Y);
    return texelFetch(records, int(brick * BRICK_ROWS + (z & 3) * 4 + (y & 3)));
}

// The vertices on the edges that start at bit x of a row, where there are any.
uvec3 vertices_at(uvec4 record, uint x)
{
    const uint below = (1u << x) - 1;
    const uint y = record.x + bitCount(record.y), z = y + bitCount(record.z);
    return uvec3(record.x + bitCount(record.y & below), y + bitCount(record.z & below),
                 z + bitCount(record.w & below));
}

// The same at x + 1, which may start the next brick's row.
uvec3 vertices_after(uvec4 record, uvec3 here, uvec4 next, uint x)
{
    const uint y = next.x + bitCount(next.y);
    return x == 31 ? uvec3(0, y, y + bitCount(next.z)) : here + (record.yzw >> x & 1);
}

void main()
{
    const uint lane = folded_lane();
    const bool there = lane < list_length(LIST_CELLS);
    uint brick = 0, x = 0, y = 0, z = 0;
    uvec2 packed = uvec2(0);
    if (there) {
        const uint cell = cells_at(lane);
        brick = cell >> 9;
        x = cell & 31, y = cell >> 5 & 3, z = cell >> 7 & 3;
        const uint slot = slots_at(brick);
        const uint corners = pair(brick_row(slot, y, z), x) | pair(brick_row(slot, y + 1, z), x) << 2 |
                             pair(brick_row(slot, y, z + 1), x) << 4 |
                             pair(brick_row(slot, y + 1, z + 1), x) << 6;
        packed = texelFetch(cases, int(corners)).xy;
    }
    // The vertices of all twelve edges, in the order of their codes (tables.h): four records of rows
    // and, at the end of a row, three of the bricks after.
    uint vertex[12];
    const uint after = brick + uint(x == 31);
    const uvec4 record_a = record_of(brick, y, z), record_b = record_of(brick, y + 1, z);
    const uvec4 record_c = record_of(brick, y, z + 1), record_d = record_of(brick, y + 1, z + 1);
    const uvec3 a = vertices_at(record_a, x), b = vertices_at(record_b, x);
    const uvec3 c = vertices_at(record_c, x), d = vertices_at(record_d, x);
    const uvec3 after_a = vertices_after(record_a, a, record_of(after, y, z), x);
    const uvec3 after_b = vertices_after(record_b, b, record_of(after, y + 1, z), x);
    const uvec3 after_c = vertices_after(record_c, c, record_of(after, y, z + 1), x);
    vertex[0] = a.x, vertex[1] = b.x, vertex[2] = c.x, vertex[3] = d.x;
    vertex[4] = a.y, vertex[5] = after_a.y, vertex[6] = c.y, vertex[7] = after_c.y;
    vertex[8] = a.z, vertex[9] = after_a.z, vertex[10] = b.z, vertex[11] = after_b.z;
    const uint count = packed.x & 15;
    const uint first = append(push.triangles_head, count);
    const uint end = min(first + count, list_capacity(LIST_TRIANGLES));
    packed.x = packed.x >> 4 | packed.y << 28;
    packed.y >>= 4;
    for (uint at = first; at < end; at++) {
        uvec3 corner;
        [[unroll]] for (uint k = 0; k < 3; k++) {
            corner[k] = vertex[packed.x >> (4 * k) & 15];
        }
        write_indices(push.indices, at, corner);
        packed.x = packed.x >> 12 | packed.y << 20;
        packed.y >>= 12;
    }
}
