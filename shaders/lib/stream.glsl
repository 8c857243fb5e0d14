// The stream that a compaction kernel reads, and its predicate. Built once per stream:
// STREAM_BRICKS, STREAM_CELLS or STREAM_WORDS.
//
//   LANE_ELEMENTS, LANE_BITS   elements per lane, and bits of a count of them
//   stream_lanes()             lanes of the stream
//   keep(lane)                 which of the lane's elements are kept: a mask
//   element(lane)              the value of the lane's first element; the others follow it
//
// And where the lane stands in a 2D base, for the HistoPyramid:
//
//   texel_of(lane)             its texel
//   element_at(x, y)           the value of the first element of the lane at a texel
#ifndef LIB_STREAM
#define LIB_STREAM

#include "buffers.glsl"
#include "lists.glsl"
#include "outputs.glsl"
#include "scan.glsl"
#include "select.glsl"
#include "shaders/shared/compaction.h"

layout(push_constant, scalar) uniform Push
{
    compact_push push;
};

#ifdef STREAM_BRICKS

#include "grid.glsl"

const uint LANE_ELEMENTS = 1, LANE_BITS = 1;
#define LIST_KEPT LIST_BRICKS
OUTPUT(bricks, BINDING_OUT_BRICKS, uint, WriteUints)
#define write_list(at, value) write_bricks(push.list, at, value)

layout(set = 0, binding = BINDING_RANGES) uniform usamplerBuffer ranges;

uint stream_lanes()
{
    return push.lanes;
}

uint keep(uint lane)
{
    const uvec2 range = texelFetch(ranges, int(lane)).xy;
    return uint(push.every != 0 || (range.x < push.key && range.y >= push.key));
}

uint element(uint lane)
{
    return lane;
}

uvec2 texel_of(uint lane)
{
    const uint y = lane / push.width;
    return uvec2(lane - y * push.width, y);
}

uint element_at(uint x, uint y)
{
    return y * push.width + x;
}

#endif
#ifdef STREAM_CELLS

#include "rows.glsl"

const uint LANE_ELEMENTS = 32, LANE_BITS = 6;
#define LIST_KEPT LIST_CELLS
OUTPUT(cells, BINDING_OUT_CELLS, uint, WriteUints)
#define write_list(at, value) write_cells(push.list, at, value)

uint stream_lanes()
{
    return list_length(LIST_BRICKS) * BRICK_ROWS;
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
    return active_cells(bricks_at(slot), slot, lane % BRICK_ROWS);
}

uint element(uint lane)
{
    return bricks_at(lane / BRICK_ROWS) * BRICK_CELLS + lane % BRICK_ROWS * 32;
}

// The base holds the active bricks, 4 x 4 texels each: a texel per row of 32 cells, those of the
// same z side by side.
uvec2 texel_of(uint lane)
{
    const uint slot = lane / BRICK_ROWS, row = lane % BRICK_ROWS, across = push.width / BRICK_Y;
    const uint down = slot / across;
    return uvec2((slot - down * across) * BRICK_Y + row % BRICK_Y,
                 down * BRICK_Z + row / BRICK_Y);
}

uint element_at(uint x, uint y)
{
    const uint slot = y / BRICK_Z * (push.width / BRICK_Y) + x / BRICK_Y;
    return bricks_at(slot) * BRICK_CELLS + (y % BRICK_Z * BRICK_Y + x % BRICK_Y) * 32;
}

#endif
#ifdef STREAM_WORDS

#include "grid.glsl"

const uint LANE_ELEMENTS = 1, LANE_BITS = 1;
#define LIST_KEPT LIST_WORDS
OUTPUT(words, BINDING_OUT_WORDS, uint, WriteUints)
#define write_list(at, value) write_words(push.list, at, value)

layout(set = 0, binding = BINDING_WORDS) uniform usamplerBuffer words;

uint stream_lanes()
{
    return push.lanes;
}

uint element(uint lane)
{
    return BOUND != 0 ? texelFetch(words, int(lane)).x : push.source.at[lane];
}

uint keep(uint lane)
{
    return uint((element(lane) & WORD_INVALID) == 0);
}

uvec2 texel_of(uint lane)
{
    const uint y = lane / push.width;
    return uvec2(lane - y * push.width, y);
}

uint element_at(uint x, uint y)
{
    return element(y * push.width + x);
}

#endif

OUTPUT(masks, BINDING_OUT_MASKS, uint, Uints)

// Masks that an earlier pass has left.
layout(set = 0, binding = BINDING_MASKS) uniform usamplerBuffer masks;
uint mask_at(uint i)
{
    return BOUND != 0 ? texelFetch(masks, int(i)).x : push.masks.at[i];
}

// Writes the elements of the masks of a subgroup's lanes, one lane's after the other's, from
// list[at] of its first lane on; what passes the capacity is counted elsewhere. All lanes take part.
void emit(uint mask, uint first_element, uint at)
{
    const uint capacity = list_capacity(LIST_KEPT);
    if (LANE_ELEMENTS == 1) {
        if (mask != 0 && at < capacity) {
            write_list(at, first_element);
        }
        return;
    }
    // A lane per element, not per mask: lanes are busy and write side by side.
    const uint n = bitCount(mask), before = subgroup_before(n);
    const uint base = subgroupShuffle(at, 0);
    const uint sum = subgroupShuffle(before + n, gl_SubgroupSize - 1);
    uint to = gl_SubgroupInvocationID;
    while (true) {
        const uint owner = subgroup_owner(before, to);
        const uint rank = to - subgroupShuffle(before, owner);
        const uint value =
            subgroupShuffle(first_element, owner) + select_bit(subgroupShuffle(mask, owner), rank);
        if (to < sum && base + to < capacity) {
            write_list(base + to, value);
        }
        to += gl_SubgroupSize;
        if (to - gl_SubgroupInvocationID >= sum) {
            break;
        }
    }
}

#endif
