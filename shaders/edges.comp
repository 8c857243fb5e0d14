#version 460
// Crossing edges of the active bricks. Each sample owns the three edges that start at it and run up
// x, y, z; a crossing one gets a vertex. EDGES_ROWS rows of 32 samples per lane: one atomic finds
// room for the vertices of all that a subgroup has.
//
// A row's vertices are numbered x crossings first, then y, then z, each by bit: an edge's vertex is
// the row's first plus a popcount. The record of 16 bytes is all that triangles need to look up.

#include "append.glsl"
#include "buffers.glsl"
#include "groups.glsl"
#include "lists.glsl"
#include "outputs.glsl"
#include "rows.glsl"
#include "select.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    edges_push push;
};

struct Row {
    uint id; // brick * BRICK_ROWS + row
    uvec3 cross;
};

Row look_at(uint lane, uint lanes)
{
    if (lane >= lanes) {
        return Row(0, uvec3(0));
    }
    const uint slot = lane / BRICK_ROWS, y = lane & 3, z = lane >> 2 & 3;
    const uint brick = bricks_at(slot);
    const uvec2 here = brick_row(slot, y, z);
    Row row;
    row.id = brick * BRICK_ROWS + lane % BRICK_ROWS;
    row.cross = uvec3(here.x ^ shifted(here), here.x ^ brick_row(slot, y + 1, z).x,
                      here.x ^ brick_row(slot, y, z + 1).x) &
                row_samples(brick_origin(brick), y, z);
    if (GAPS != 0) {
        row.cross &= push.gaps.at[row.id].xyz;
    }
    return row;
}

uint count_of(Row row)
{
    const ivec3 counts = bitCount(row.cross);
    return counts.x + counts.y + counts.z;
}

// Writes the edges of the subgroup's rows, a lane per edge. `before` and `sum` count edges, from
// `base` of the list on.
void list_edges(Row row, uint before, uint sum, uint base)
{
    const uint end = min(base + sum, max(base, list_capacity(LIST_VERTICES)));
    uint at = base + gl_SubgroupInvocationID;
    while (true) {
        const uint owner = subgroup_owner(before, at - base);
        const uvec3 cross = subgroupShuffle(row.cross, owner);
        const uint id = subgroupShuffle(row.id, owner);
        uint rank = at - base - subgroupShuffle(before, owner);
        const uint x = bitCount(cross.x), y = bitCount(cross.y);
        const uint axis = uint(rank >= x) + uint(rank >= x + y);
        rank -= axis == 0 ? 0 : axis == 1 ? x : x + y;
        const uint bit = select_bit(axis == 0 ? cross.x : axis == 1 ? cross.y : cross.z, rank);
        if (at < end) {
            write_edges(push.edges, at, (id * 4 + axis) * 32 + bit);
        }
        at += gl_SubgroupSize;
        if (at - gl_SubgroupInvocationID - base >= sum) {
            break;
        }
    }
}

void main()
{
    const uint lanes = list_length(LIST_BRICKS) * BRICK_ROWS, size = gl_SubgroupSize;
    const uint lane = (folded_group() * GROUP + gl_SubgroupID * size) * EDGES_ROWS +
                      gl_SubgroupInvocationID;
    // By hand: compilers unroll no loop that has loops inside.
    const Row one = look_at(lane, lanes), two = look_at(lane + size, lanes);
    const Row three = look_at(lane + 2 * size, lanes), four = look_at(lane + 3 * size, lanes);
    const uvec4 counts = uvec4(count_of(one), count_of(two), count_of(three), count_of(four));
    const uvec4 before = subgroup_before(counts);
    const uvec4 sums = subgroupShuffle(before + counts, size - 1);
    const uvec4 base = append_each(push.vertices_head, sums);
    const uvec4 first = base + before;
    if (gl_SubgroupInvocationID == 0 && base.w + sums.w != base.x) {
        const uint vertices = min(base.w + sums.w, list_capacity(LIST_VERTICES));
        raise_groups(push.vertices_groups, lanes_for(vertices, VERTICES_EACH));
    }
    if (lane < lanes) {
        write_records(push.records, one.id, uvec4(first.x, one.cross));
    }
    if (lane + size < lanes) {
        write_records(push.records, two.id, uvec4(first.y, two.cross));
    }
    if (lane + 2 * size < lanes) {
        write_records(push.records, three.id, uvec4(first.z, three.cross));
    }
    if (lane + 3 * size < lanes) {
        write_records(push.records, four.id, uvec4(first.w, four.cross));
    }
    list_edges(one, before.x, sums.x, base.x);
    list_edges(two, before.y, sums.y, base.y);
    list_edges(three, before.z, sums.z, base.z);
    list_edges(four, before.w, sums.w, base.w);
}
