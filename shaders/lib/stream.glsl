// The stream that a compaction kernel reads, and its predicate. Built once per stream:
// STREAM_BRICKS or STREAM_CELLS.
//
//   LANE_ELEMENTS, LANE_BITS   elements per lane, and bits of a count of them
//   stream_lanes()             lanes of the stream
//   keep(lane)                 which of the lane's elements are kept: a mask
//   element(lane)              the value of the lane's first element; the others follow it
//
// And the same as a 2D base for the HistoPyramid, texel by texel: keep_at, element_at.
#ifndef LIB_STREAM
#define LIB_STREAM

#include "buffers.glsl"
#include "shaders/shared/compaction.h"

layout(push_constant, scalar) uniform Push
{
    compact_push push;
};

#ifdef STREAM_BRICKS

#include "grid.glsl"

const uint LANE_ELEMENTS = 1, LANE_BITS = 1;

uint stream_lanes()
{
    return push.lanes;
}

uint keep(uint lane)
{
    const uint least = push.source.at[2 * lane], greatest = push.source.at[2 * lane + 1];
    return uint(least < push.key && greatest >= push.key);
}

uint element(uint lane)
{
    return lane;
}

uint keep_at(uint u, uint v)
{
    const uint lane = v * push.width + u;
    return lane < push.lanes ? keep(lane) : 0;
}

uint element_at(uint u, uint v)
{
    return v * push.width + u;
}

#endif
#ifdef STREAM_CELLS

#include "rows.glsl"

const uint LANE_ELEMENTS = 32, LANE_BITS = 6;

uint stream_lanes()
{
    return min(push.source_head.count, push.source_head.capacity) * BRICK_ROWS;
}

// A cell is active when its eight corners are neither all inside nor all outside.
uint active_cells(uint brick, uint slot, uint row)
{
    const uint y = row & 3, z = row >> 2;
    const uvec2 a = brick_row(slot, y, z), b = brick_row(slot, y + 1, z);
    const uvec2 c = brick_row(slot, y, z + 1), d = brick_row(slot, y + 1, z + 1);
    const uvec2 some = a | b | c | d, every = a & b & c & d;
    uint cut = (some.x | shifted(some)) & ~(every.x & shifted(every)) &
                  row_cells(brick_origin(brick), y, z);
    if (GAPS != 0) {
        cut &= push.gaps.at[brick * BRICK_ROWS + row].w;
    }
    return cut;
}

uint keep(uint lane)
{
    const uint slot = lane / BRICK_ROWS;
    return active_cells(push.source.at[slot], slot, lane % BRICK_ROWS);
}

uint element(uint lane)
{
    return push.source.at[lane / BRICK_ROWS] * BRICK_CELLS + lane % BRICK_ROWS * 32;
}

// The base over the atlas: texel (u, v) is a row of 32 cells; a slice's rows stand in its tile.
uvec3 row_of_texel(uint u, uint v)
{
    const uint tile = u / BRICKS_X, down = v / (BRICKS_Y * BRICK_Y);
    return uvec3(u - tile * BRICKS_X, v - down * (BRICKS_Y * BRICK_Y), down * push.cols + tile);
}

uint brick_of_row(uvec3 at)
{
    return (at.z / BRICK_Z * BRICKS_Y + at.y / BRICK_Y) * BRICKS_X + at.x;
}

uint keep_at(uint u, uint v)
{
    const uvec3 at = row_of_texel(u, v);
    if (at.z >= BRICKS_Z * BRICK_Z) {
        return 0;
    }
    // `slots` is never cleared: a slot counts when the brick it names is this one.
    const uint brick = brick_of_row(at);
    const uint slot = push.slots.at[brick];
    const uint count = min(push.source_head.count, push.source_head.capacity);
    if (slot >= count || push.source.at[slot] != brick) {
        return 0;
    }
    return active_cells(brick, slot, at.z % BRICK_Z * 4 + at.y % BRICK_Y);
}

uint element_at(uint u, uint v)
{
    const uvec3 at = row_of_texel(u, v);
    return brick_of_row(at) * BRICK_CELLS + (at.z % BRICK_Z * 4 + at.y % BRICK_Y) * 32;
}

#endif

// Writes the elements of the mask from list[at] on; what passes the capacity is counted elsewhere.
void emit(uint mask, uint first_element, uint at)
{
    const uint capacity = push.head.capacity;
    if (LANE_ELEMENTS == 1) {
        if (mask != 0 && at < capacity) {
            push.list.at[at] = first_element;
        }
        return;
    }
    while (mask != 0 && at < capacity) {
        push.list.at[at] = first_element + findLSB(mask);
        mask &= mask - 1;
        at++;
    }
}

#endif
