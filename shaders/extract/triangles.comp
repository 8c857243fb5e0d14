#version 460
// Makes indexed triangles of the active cells. A triangle's corner is a vertex on an edge. The prefix of
// the row that owns the edge tells its number; that row may be in a neighbouring brick.
//
// A lane has TRIANGLES_CELLS cells, 1 or 8.

#include "append.glsl"
#include "buffers.glsl"
#include "row_masks.glsl"

COUNTER(cells_counter, BINDING_CELLS_COUNTER)
FETCHES(cells, BINDING_CELLS)
FETCHES(slots, BINDING_SLOTS)
FETCHES(row_prefixes, BINDING_ROW_PREFIXES)
FETCHES(cases, BINDING_CASES)
COUNTER(triangles_counter, BINDING_TRIANGLES_COUNTER)
WRITES(indices, BINDING_INDICES, uvec3)

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    triangles_push push;
};

// The two bits of a row mask at x and x + 1.
uint pair(uvec2 row, uint x)
{
    return (row.x >> x | (row.y << 1) << (BRICK_X - 1 - x)) & 3;
}

// The prefix of row number brick * BRICK_ROWS + z * 4 + y.
uvec4 row_prefix(uint row)
{
    return texelFetch(row_prefixes, int(row));
}

// The vertices on the edges that start at bit x of a row, if these edges cross.
uvec3 vertices_at(uvec4 prefix, uint x)
{
    const uint below = (1u << x) - 1;
    const uint y = prefix.x + bitCount(prefix.y), z = y + bitCount(prefix.z);
    return uvec3(prefix.x + bitCount(prefix.y & below), y + bitCount(prefix.z & below),
                 z + bitCount(prefix.w & below));
}

// A cell, and its triangles as packed in `cases`.
struct Cell {
    uint id;
    uvec2 triangles;
};

// The cell at an index of the list; beyond the end, the last cell without triangles.
Cell cell_at(uint at, uint length)
{
    const uint id = texelFetch(cells, int(min(at, length - 1))).x;
    const uint row = CELL_ROW(id), x = ID_X(id), y = ROW_Y(row), z = ROW_Z(row);
    const uint slot = texelFetch(slots, int(ROW_BRICK(row))).x;
    const uint corners = pair(brick_row_mask(slot, y, z), x) |
                         pair(brick_row_mask(slot, y + 1, z), x) << 2 |
                         pair(brick_row_mask(slot, y, z + 1), x) << 4 |
                         pair(brick_row_mask(slot, y + 1, z + 1), x) << 6;
    return Cell(id, texelFetch(cases, int(at < length ? corners : 0)).xy);
}

// The vertices on a cell's twelve edges, in the order of the edge codes (tables.h).
struct Vertices {
    uvec4 low, middle, high;
};

// Selects the vertex of a code, by a binary tree.
uint vertex_of(Vertices of, uint code)
{
    const bool odd = (code & 1) != 0;
    const uvec2 low = odd ? of.low.yw : of.low.xz;
    const uvec2 middle = odd ? of.middle.yw : of.middle.xz;
    const uvec2 high = odd ? of.high.yw : of.high.xz;
    const uvec2 pair = code >= 8 ? high : code >= 4 ? middle : low;
    return (code & 2) != 0 ? pair.y : pair.x;
}

Vertices vertices_of(uint cell)
{
    const uint row = CELL_ROW(cell), x = ID_X(cell);
    // Steps from the cell's row to the next row along y, and along z. The next row may be the first one of
    // another brick.
    const uint y_step = ROW_Y(row) == BRICK_Y - 1 ? BRICKS_X * BRICK_ROWS - (BRICK_Y - 1) : 1;
    const uint z_step = ROW_Z(row) == BRICK_Z - 1
                            ? BRICKS_X * BRICKS_Y * BRICK_ROWS - (BRICK_Z - 1) * BRICK_Y
                            : BRICK_Y;
    const uvec4 prefix_a = row_prefix(row), prefix_b = row_prefix(row + y_step);
    const uvec4 prefix_c = row_prefix(row + z_step), prefix_d = row_prefix(row + y_step + z_step);
    const uvec3 a = vertices_at(prefix_a, x), b = vertices_at(prefix_b, x);
    const uvec3 c = vertices_at(prefix_c, x);
    // If the cell is the last one of its row, edges at x + 1 start in the next brick, at its x = 0.
    const bool last = x == BRICK_X - 1;
    const uint next = last ? row + BRICK_ROWS : row;
    const uvec3 next_a = vertices_at(row_prefix(next), 0);
    const uint next_b = vertices_at(row_prefix(next + y_step), 0).z;
    const uint next_c = vertices_at(row_prefix(next + z_step), 0).y;
    const uint a_y = a.y + (prefix_a.z >> x & 1), c_y = c.y + (prefix_c.z >> x & 1);
    const uint a_z = a.z + (prefix_a.w >> x & 1), b_z = b.z + (prefix_b.w >> x & 1);
    return Vertices(uvec4(a.x, b.x, c.x, vertices_at(prefix_d, x).x),
                    uvec4(a.y, last ? next_a.y : a_y, c.y, last ? next_c : c_y),
                    uvec4(a.z, last ? next_a.z : a_z, b.z, last ? next_b : b_z));
}

// Writes the triangles of the subgroup's cells. Each lane writes one triangle, not those of its cell, so
// that all lanes are busy and write to neighbouring words. `before` and `sum` count triangles; they are
// written from list[base] on.
void emit(Cell cell, uint before, uint sum, uint base)
{
    const Vertices mine = vertices_of(cell.id);
    const uint end = min(base + sum, max(base, push.capacity));
    uint at = base + gl_SubgroupInvocationID;
    while (true) {
        const uint owner = subgroup_owner(before, at - base);
        const uint number = at - base - subgroupShuffle(before, owner);
        const uvec2 packed = subgroupShuffle(cell.triangles, owner);
        const Vertices of = Vertices(subgroupShuffle(mine.low, owner),
                                     subgroupShuffle(mine.middle, owner),
                                     subgroupShuffle(mine.high, owner));
        const uint shift = number * 12 + 4;
        const uint codes = shift < 28    ? packed.x >> shift
                           : shift == 28 ? packed.x >> 28 | packed.y << 4
                                         : packed.y >> shift - 32;
        if (at < end) {
            indices[at] = uvec3(vertex_of(of, codes & 15), vertex_of(of, codes >> 4 & 15),
                                vertex_of(of, codes >> 8 & 15));
        }
        at += gl_SubgroupSize;
        if (at - gl_SubgroupInvocationID - base >= sum) {
            break;
        }
    }
}

void main()
{
    const uint length = list_length(cells_counter), size = gl_SubgroupSize;
    const uint lane = (folded_group() * GROUP + gl_SubgroupID * size) * TRIANGLES_CELLS +
                      gl_SubgroupInvocationID;
    uint first;
    if (TRIANGLES_CELLS == 1) {
        const Cell cell = cell_at(lane, length);
        const uint n = cell.triangles.x & 15, before = subgroup_before(n);
        const uint sum = subgroupShuffle(before + n, size - 1);
        APPEND(triangles_counter, sum, first)
        emit(cell, before, sum, first);
        return;
    }
    // Unrolled by hand: compilers do not unroll loops that contain loops.
    const Cell one = cell_at(lane, length), two = cell_at(lane + size, length);
    const Cell three = cell_at(lane + 2 * size, length), four = cell_at(lane + 3 * size, length);
    const Cell five = cell_at(lane + 4 * size, length), six = cell_at(lane + 5 * size, length);
    const Cell seven = cell_at(lane + 6 * size, length), eight = cell_at(lane + 7 * size, length);
    const uvec4 low = uvec4(one.triangles.x, two.triangles.x, three.triangles.x, four.triangles.x) & 15;
    const uvec4 high = uvec4(five.triangles.x, six.triangles.x, seven.triangles.x, eight.triangles.x) & 15;
    const uvec4 before = subgroup_before(low), above = subgroup_before(high);
    const uvec4 sums = subgroupShuffle(before + low, size - 1);
    const uvec4 tops = subgroupShuffle(above + high, size - 1);
    const uint sum = sums.x + sums.y + sums.z + sums.w, top = tops.x + tops.y + tops.z + tops.w;
    APPEND(triangles_counter, sum + top, first)
    const uvec4 base = first + uvec4(0, sums.x, sums.x + sums.y, sum - sums.w);
    const uvec4 next = first + sum + uvec4(0, tops.x, tops.x + tops.y, top - tops.w);
    emit(one, before.x, sums.x, base.x);
    emit(two, before.y, sums.y, base.y);
    emit(three, before.z, sums.z, base.z);
    emit(four, before.w, sums.w, base.w);
    emit(five, above.x, tops.x, next.x);
    emit(six, above.y, tops.y, next.y);
    emit(seven, above.z, tops.z, next.z);
    emit(eight, above.w, tops.w, next.w);
}
