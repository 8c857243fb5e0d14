// The stream that a compaction kernel reads, and its predicate. Built once per stream: STREAM_BRICKS,
// STREAM_CELLS or STREAM_WORDS. Kernels that evaluate the predicate once per lane are also built for the
// streams of working.glsl, which only have keep_if.
//
//   LANE_ELEMENTS, LANE_BITS   elements per lane, and bits of a count of them
//   stream_lanes()             number of lanes of the stream
//   keep(lane)                 a mask of the lane's elements that are kept
//   keep_if(lane, there)       keep(lane) if `there`, otherwise 0; all lanes of a workgroup must
//                              call it together
//   element(lane)              the value of the lane's first element; the others follow it
//   list, counter              the list that the kernel makes
//   put_element(at, element)   writes an element into the list
//   keep_four(i, each)         the masks of four texels of a HistoPyramid's base, from texel 4 i
//                              on; each texel is a row of 32 cells, or 8 lanes
//
// A kernel's own parameters are `own`. The kernel defines OWN as the name of their struct before it
// includes this file.
#ifndef LIB_STREAM
#define LIB_STREAM

#include "buffers.glsl"
#include "scan.glsl"
#include "select.glsl"
#include "shaders/shared/compaction.h"

#if defined(STREAM_PIXELS) || defined(STREAM_MARCH) || defined(STREAM_TRAVERSE) || \
    defined(STREAM_INTERSECT) || defined(STREAM_LAYERS)
#define STREAM_WORKING
#include "shaders/shared/casting.h"
#define OWN cast_push
#endif
#if defined(STREAM_MARCH) || defined(STREAM_INTERSECT)
#define STREAM_HITS // some rays end with a hit
#endif

layout(push_constant, scalar) uniform Push
{
    compact_push push;
#ifdef OWN
    OWN own;
#endif
};

COUNTER(counter, BINDING_COUNTER) // the number of elements in the list that is made

#ifdef STREAM_BRICKS

#include "grid.glsl"

const uint LANE_ELEMENTS = 1, LANE_BITS = 1;

WRITES(list, BINDING_LIST, uint)
FETCHES(ranges, BINDING_RANGES)

// These are read once, before lanes are inactive: see Level in lib/vertex.glsl.
uint stream_key = push.key, stream_every = push.every;

uint stream_lanes()
{
    return push.lanes;
}

uint keep(uint lane)
{
    const uvec2 range = texelFetch(ranges, int(lane)).xy;
    return uint(stream_every != 0 || (range.x < stream_key && range.y >= stream_key));
}

uint element(uint lane)
{
    return lane;
}

#endif
#ifdef STREAM_CELLS

#include "bricks.glsl"
#include "row_masks.glsl"

const uint LANE_ELEMENTS = 32, LANE_BITS = 6;

WRITES(list, BINDING_LIST, uint)
READS(valid_masks, BINDING_VALID_MASKS, uvec4)

uint stream_lanes()
{
    return list_length(bricks_counter) * BRICK_ROWS;
}

// A cell is active if its eight corners are neither all inside nor all outside. Returns the active cells of
// a row. `some` has the bits that are set in any of the four rows of samples around it, `every` those that
// are set in all of them.
uint cut(uvec2 some, uvec2 every)
{
    return (some.x | shifted(some)) & ~(every.x & shifted(every));
}

uint active_cells(uint brick, uint slot, uint row)
{
    const uint y = ROW_Y(row), z = ROW_Z(row);
    const uvec2 a = brick_row_mask(slot, y, z), b = brick_row_mask(slot, y + 1, z);
    const uvec2 c = brick_row_mask(slot, y, z + 1), d = brick_row_mask(slot, y + 1, z + 1);
    uint alive = cut(a | b | c | d, a & b & c & d) & row_cells(brick_origin(brick), y, z);
    if (HAS_INVALID != 0) {
        alive &= valid_masks[brick * BRICK_ROWS + row].w;
    }
    return alive;
}

uint keep(uint lane)
{
    const uint slot = lane / BRICK_ROWS;
    return active_cells(bricks_at(slot), slot, lane % BRICK_ROWS);
}

uint element(uint lane)
{
    return bricks_at(lane / BRICK_ROWS) * BRICK_CELLS + lane % BRICK_ROWS * BRICK_X;
}

// Rows 4 i to 4 i + 3 have the same z. A row of cells lies between 2 x 2 rows of samples; the four rows
// need 2 x 5 of these.
uvec4 keep_four(uint i, uint each)
{
    const uint slot = i / BRICK_Z, z = i % BRICK_Z, brick = bricks_at(slot);
    uvec2 some[HALO_Y], every[HALO_Y];
    [[unroll]] for (uint y = 0; y < HALO_Y; y++) {
        const uvec2 near = brick_row_mask(slot, y, z), far = brick_row_mask(slot, y, z + 1);
        some[y] = near | far;
        every[y] = near & far;
    }
    uvec4 kept;
    [[unroll]] for (uint y = 0; y < 4; y++) {
        kept[y] = cut(some[y] | some[y + 1], every[y] & every[y + 1]) &
                  row_cells(brick_origin(brick), y, z);
        if (HAS_INVALID != 0) {
            kept[y] &= valid_masks[brick * BRICK_ROWS + z * BRICK_Y + y].w;
        }
    }
    return kept;
}

#endif
#ifdef STREAM_WORDS

#include "grid.glsl"

const uint LANE_ELEMENTS = 1, LANE_BITS = 1;

// 1: the list is the source. It is not read as texels: these might be read after they changed.
layout(constant_id = CONSTANT_IN_PLACE) const uint IN_PLACE = 0;
SHARES(list, BINDING_LIST, uint)
FETCHES(words, BINDING_WORDS)

// 1: the words are a list whose length only the device knows.
layout(constant_id = CONSTANT_COUNTED) const uint COUNTED = 0;
COUNTER(words_counter, BINDING_WORDS_COUNTER)

// In bench, an element may have more words than one. Its first word is its position, with the top
// bit if it is not kept; the value of an element is that word.
layout(constant_id = CONSTANT_PAYLOAD) const uint PAYLOAD = 0;
layout(constant_id = CONSTANT_WORK) const uint WORK = 0;

uint stream_lanes()
{
    return mix(push.lanes, list_length(words_counter), COUNTED != 0);
}

uint element(uint lane)
{
    const uint at = lane * (1 + PAYLOAD);
    return IN_PLACE != 0 ? list[at] : texelFetch(words, int(at)).x;
}

uint keep(uint lane)
{
    const uint word = element(lane);
    return uint((word & WORD_INVALID) == 0) & uint(WORK == 0 || word_hash(word, WORK) != push.key);
}

void put_element(uint at, uint value)
{
    const uint from = (value & ~WORD_INVALID) * (1 + PAYLOAD), to = at * (1 + PAYLOAD);
    list[to] = value;
    UNROLL for (uint i = 1; i <= PAYLOAD; i++) {
        list[to + i] = texelFetch(words, int(from + i)).x;
    }
}

#endif

#ifdef STREAM_WORKING
#include "working.glsl"
#else

uint keep_if(uint lane, bool there)
{
    return there ? keep(lane) : 0;
}

#endif
#ifndef STREAM_WORDS

void put_element(uint at, uint value)
{
    list[at] = value;
}

#endif
#if !defined(STREAM_CELLS) && !defined(STREAM_WORKING)

uvec4 keep_four(uint i, uint each)
{
    uvec4 kept = uvec4(0);
    [[unroll]] for (uint k = 0; k < 4; k++) {
        [[unroll]] for (uint bit = 0; bit < 8; bit++) {
            const uint lane = (4 * i + k) * each + bit;
            kept[k] |= lane < stream_lanes() ? keep(lane) << bit : 0;
        }
    }
    return kept;
}

#endif

// Writes the elements whose bits are set in the subgroup's masks, in lane order, from list[at] on; `at` is
// that of the first lane. Elements beyond the capacity are not written. All lanes must take part.
void emit(uint mask, uint first_element, uint at)
{
    const uint capacity = push.capacity;
    if (LANE_ELEMENTS == 1) {
        if (mask != 0 && at < capacity) {
            put_element(at, first_element);
        }
        return;
    }
    // Each lane writes an element, not the elements of its mask: so all lanes are busy and write to
    // neighbouring words.
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
            list[base + to] = value;
        }
        to += gl_SubgroupSize;
        if (to - gl_SubgroupInvocationID >= sum) {
            break;
        }
    }
}

#ifdef STREAM_CELLS

// As emit, for four consecutive rows of cells per lane. `first_element` is that of the lane's first row.
// `before` counts the elements of the subgroup's earlier lanes. Writes the subgroup's elements `first` to
// `end` - 1, from list[base + first] on. The caller limits `end` to the capacity.
void emit_four(uvec4 masks, uint first_element, uint before, uint first, uint end, uint base)
{
    // Where a lane's second, third and fourth row begin, in ten bits each.
    const uvec4 counts = uvec4(bitCount(masks));
    const uint upto = counts.x * 0x00100401u + counts.y * 0x00100400u + counts.z * 0x00100000u;
    uint to = first + gl_SubgroupInvocationID;
    while (true) {
        const uint owner = subgroup_owner(before, to);
        const uvec4 rows = subgroupShuffle(masks, owner);
        const uint element = subgroupShuffle(first_element, owner);
        uint rank = to - subgroupShuffle(before, owner);
        const uint starts = subgroupShuffle(upto, owner);
        const uint a = starts & 1023, b = starts >> 10 & 1023, c = starts >> 20;
        const bool second = rank >= a, third = rank >= b, fourth = rank >= c;
        rank -= fourth ? c : third ? b : second ? a : 0;
        const uint row = uint(second) + uint(third) + uint(fourth);
        const uint mask = fourth ? rows.w : third ? rows.z : second ? rows.y : rows.x;
        const uint value = element + row * 32 + select_bit(mask, rank);
        if (to < end) {
            list[base + to] = value;
        }
        to += gl_SubgroupSize;
        if (to - gl_SubgroupInvocationID >= end) {
            break;
        }
    }
}

#endif

#endif
