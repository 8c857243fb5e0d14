#version 460
// Crossing edges of the active bricks, and their vertices. Each sample owns the three edges that start
// at it and run up x, y, z; a crossing one gets a vertex. EDGES_ROWS rows of 32 samples per lane: one
// atomic finds room for the vertices of all that a subgroup has.
//
// A row's vertices are numbered x crossings first, then y, then z, each by bit: an edge's vertex is
// the row's first plus a popcount. The record of 16 bytes is all that triangles need to look up.

#include "append.glsl"
#include "buffers.glsl"
#include "field.glsl"
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

#include "vertex.glsl"

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

// The lane's rows, one component each.
struct Rows {
    uvec4 id, x, y, z;
};

uint pick(uvec4 of, uint which)
{
    const uvec2 pair = which >= 2 ? of.zw : of.xy;
    return (which & 1) != 0 ? pair.y : pair.x;
}

// The subgroup's lane in whose share of a common range `at` lies, see subgroup_owner, among the
// shares that stand one after the other in one of four ranges.
#define SEEK(reach)                                                                                \
    if (reach < gl_SubgroupSize) {                                                                 \
        owner += pick(subgroupShuffle(before, owner + reach), range) <= at ? reach : 0;            \
    }
uint owner_in(uvec4 before, uint range, uint at)
{
    uint owner = 0;
    SUBGROUP_STEPS_DOWN(SEEK)
    return owner;
}

// Makes the vertices of the subgroup's rows, a lane per edge. `before` and `sums` count edges, first
// ones that first rows of lanes have, from `base` of the list on.
void make_all(Rows rows, uvec4 before, uvec4 sums, uint base)
{
    const uint a = sums.x, b = a + sums.y, c = b + sums.z, all = c + sums.w;
    const uint end = min(all, list_capacity(LIST_VERTICES) - min(base, list_capacity(LIST_VERTICES)));
    uint number = gl_SubgroupInvocationID;
    while (true) {
        const uint range = uint(number >= a) + uint(number >= b) + uint(number >= c);
        const uint at = number - pick(uvec4(0, a, b, c), range);
        const uint owner = owner_in(before, range, at);
        const uint id = pick(subgroupShuffle(rows.id, owner), range);
        const uvec3 cross = uvec3(pick(subgroupShuffle(rows.x, owner), range),
                                  pick(subgroupShuffle(rows.y, owner), range),
                                  pick(subgroupShuffle(rows.z, owner), range));
        uint rank = at - pick(subgroupShuffle(before, owner), range);
        const uint x = bitCount(cross.x), y = bitCount(cross.y);
        const uint axis = uint(rank >= x) + uint(rank >= x + y);
        rank -= axis == 0 ? 0 : axis == 1 ? x : x + y;
        const uint bit = select_bit(axis == 0 ? cross.x : axis == 1 ? cross.y : cross.z, rank);
        if (number < end) {
            const uint edge = (id * 4 + axis) * 32 + bit;
            write_edges(push.edges, base + number, edge);
            make(base + number, edge);
        }
        number += gl_SubgroupSize;
        if (number - gl_SubgroupInvocationID >= all) {
            break;
        }
    }
}

void main()
{
    const uint lanes = list_length(LIST_BRICKS) * BRICK_ROWS, size = gl_SubgroupSize;
    const uint lane = (folded_group() * GROUP + gl_SubgroupID * size) * EDGES_ROWS +
                      gl_SubgroupInvocationID;
    if (folded_group() == 0 && gl_LocalInvocationIndex == 0) {
        write_groups(push.cells_groups, lanes_for(list_length(LIST_CELLS), TRIANGLES_CELLS));
    }
    const Row one = look_at(lane, lanes), two = look_at(lane + size, lanes);
    const Row three = look_at(lane + 2 * size, lanes), four = look_at(lane + 3 * size, lanes);
    const uvec4 counts = uvec4(count_of(one), count_of(two), count_of(three), count_of(four));
    const uvec4 before = subgroup_before(counts);
    const uvec4 sums = subgroupShuffle(before + counts, size - 1);
    const uvec4 base = append_each(push.vertices_head, sums);
    const uvec4 first = base + before;
    if (gl_SubgroupInvocationID == 0) {
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
    make_all(Rows(uvec4(one.id, two.id, three.id, four.id),
                  uvec4(one.cross.x, two.cross.x, three.cross.x, four.cross.x),
                  uvec4(one.cross.y, two.cross.y, three.cross.y, four.cross.y),
                  uvec4(one.cross.z, two.cross.z, three.cross.z, four.cross.z)),
             before, sums, base.x);
}
