#version 460
// Finds the crossing edges of the active bricks, and makes their vertices. Each sample owns the three
// edges that start at it and go up x, y and z. A crossing edge gets a vertex. A lane has four rows of
// 32 samples each. All lanes of a subgroup together make the vertices of its rows.
//
// The vertices of a row are numbered by axis (x, y, z), then by bit. So the vertex of an edge is the
// row's first vertex plus a popcount. The row prefix has all that triangles need for that, in 16
// bytes.

#include "append.glsl"
#include "bricks.glsl"
#include "buffers.glsl"
#include "field.glsl"
#include "row_masks.glsl"
#include "select.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    vertices_push push;
};

READS(valid_masks, BINDING_VALID_MASKS, uvec4)
WRITES(row_prefixes, BINDING_ROW_PREFIXES, uvec4)
WRITES(edges, BINDING_EDGES, uint)
COUNTER(vertices_counter, BINDING_VERTICES_COUNTER)

#include "vertex.glsl"

// The crossing edges of a lane's four rows: the rows of a brick with the same z. Each row has a
// component of x, y and z.
struct Rows {
    uint id; // of the first row: brick * BRICK_ROWS + row
    uvec4 x, y, z;
};

Rows rows_of(uint lane, uint lanes)
{
    if (lane >= lanes) {
        return Rows(0, uvec4(0), uvec4(0), uvec4(0));
    }
    const uint slot = lane / BRICK_Z, z = lane % BRICK_Z;
    const uint brick = bricks_at(slot);
    const uvec2 a = brick_row_mask(slot, 0, z), b = brick_row_mask(slot, 1, z);
    const uvec2 c = brick_row_mask(slot, 2, z), d = brick_row_mask(slot, 3, z);
    const uvec2 e = brick_row_mask(slot, 4, z);
    const uvec4 here = uvec4(a.x, b.x, c.x, d.x);
    const uvec4 up = uvec4(brick_row_mask(slot, 0, z + 1).x, brick_row_mask(slot, 1, z + 1).x,
                           brick_row_mask(slot, 2, z + 1).x, brick_row_mask(slot, 3, z + 1).x);
    const uvec3 origin = brick_origin(brick);
    const uvec4 own = uvec4(row_samples(origin, 0, z), row_samples(origin, 1, z),
                            row_samples(origin, 2, z), row_samples(origin, 3, z));
    Rows rows;
    rows.id = brick * BRICK_ROWS + z * BRICK_Y;
    rows.x = (here ^ uvec4(shifted(a), shifted(b), shifted(c), shifted(d))) & own;
    rows.y = (here ^ uvec4(b.x, c.x, d.x, e.x)) & own;
    rows.z = (here ^ up) & own;
    if (HAS_INVALID != 0) {
        [[unroll]] for (uint k = 0; k < 4; k++) {
            const uvec4 solid = valid_masks[rows.id + k];
            rows.x[k] &= solid.x;
            rows.y[k] &= solid.y;
            rows.z[k] &= solid.z;
        }
    }
    return rows;
}

uint component(uvec4 of, uint which)
{
    const uvec2 pair = mix(of.xy, of.zw, bvec2(which >= 2));
    return mix(pair.x, pair.y, (which & 1) != 0);
}

// Makes the vertices of the subgroup's rows, a lane per edge. `before` counts the edges of earlier
// lanes. `upto` has three counts of ten bits: the lane's edges before its second, third and fourth
// row. `all` is the number of edges of the subgroup. The vertices are written from list[base] on.
void make_vertices(Rows rows, uint before, uint upto, uint all, uint base)
{
    const Level level = level_of_push();
    const uvec4 x = uvec4(bitCount(rows.x)), xy = x + uvec4(bitCount(rows.y)), ranks = x | xy << 16;
    const uint end = min(all, push.capacity - min(base, push.capacity));
    uint number = gl_SubgroupInvocationID;
    while (true) {
        const uint owner = subgroup_owner(before, number);
        const uint starts = subgroupShuffle(upto, owner), first = subgroupShuffle(rows.id, owner);
        const uvec4 x_rows = subgroupShuffle(rows.x, owner), y_rows = subgroupShuffle(rows.y, owner);
        const uvec4 z_rows = subgroupShuffle(rows.z, owner), axis_rows = subgroupShuffle(ranks, owner);
        uint rank = number - subgroupShuffle(before, owner);
        const uint row = uint(rank >= (starts & 1023)) + uint(rank >= (starts >> 10 & 1023)) +
                         uint(rank >= starts >> 20);
        if (row > 0) {
            rank -= starts >> (row * 10 - 10) & 1023;
        }
        const uvec3 cross =
            uvec3(component(x_rows, row), component(y_rows, row), component(z_rows, row));
        const uint axes = component(axis_rows, row);
        const uint second = axes & 0xffff, third = axes >> 16;
        const bool past_x = rank >= second, past_y = rank >= third;
        const uint axis = uint(past_x) + uint(past_y);
        rank -= mix(mix(0, second, past_x), third, past_y);
        const uint bit = select_bit(mix(mix(cross.x, cross.y, past_x), cross.z, past_y), rank);
        if (number < end) {
            const uint edge = ((first + row) * 4 + axis) * BRICK_X + bit;
            edges[base + number] = edge;
            make_vertex(base + number, edge, level);
        }
        number += gl_SubgroupSize;
        if (number - gl_SubgroupInvocationID >= all) {
            break;
        }
    }
}

void main()
{
    const uint lanes = list_length(bricks_counter) * BRICK_Z;
    const uint lane = shared_four();
    const Rows rows = rows_of(lane, lanes);
    const uvec4 counts = uvec4(bitCount(rows.x) + bitCount(rows.y) + bitCount(rows.z));
    const uint second = counts.x, third = second + counts.y, fourth = third + counts.z;
    const uint count = fourth + counts.w, before = subgroup_before(count);
    const uint all = subgroupShuffle(before + count, gl_SubgroupSize - 1);
    uint base;
    APPEND(vertices_counter, all, base)
    if (lane < lanes) {
        const uvec4 first = base + before + uvec4(0, second, third, fourth);
        [[unroll]] for (uint k = 0; k < 4; k++) {
            row_prefixes[rows.id + k] = uvec4(first[k], rows.x[k], rows.y[k], rows.z[k]);
        }
    }
    make_vertices(rows, before, second | third << 10 | fourth << 20, all, base);
}
