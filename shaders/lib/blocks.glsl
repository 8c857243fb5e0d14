// Shared by the block methods: the stream is divided into blocks of BLOCK elements, each compacted
// separately (Roger et al. 2007).
//
//   count    block_count.comp: evaluates the predicate to a bit per element; counts, for each
//            block, the kept elements before it in its tile
//   scan     block_scan.comp: where the kept elements of each tile begin in the list
//   search   one file per method: the table that it searches in, in shared memory, and the search;
//            lib/block_search.glsl does the rest
//
// A workgroup of the search has BLOCK_SPAN elements: one block of the largest size or many small
// ones. So small blocks need no small workgroups or subgroups, and many elements share the cost of
// a barrier. With 256 elements per workgroup, llvmpipe took several times as long.
#ifndef LIB_BLOCKS
#define LIB_BLOCKS

#include "shaders/shared/blocks.h"
#define OWN blocks_own
#include "masks.glsl"

#include "grid.glsl"
#include "scan.glsl"

SHARES(blocks, BINDING_BLOCKS, uint) // per tile, then per block: offset of its elements
SHARES(levels, BINDING_LEVELS, uint) // tables, later replaced by blocks to concatenate

layout(constant_id = CONSTANT_BLOCK) const uint BLOCK = 256;

const uint SPAN_BLOCKS = BLOCK_SPAN / BLOCK;
const uint SHARE = BLOCK_SPAN / GROUP;  // elements per lane
const uint BLOCK_LANES = BLOCK / SHARE; // lanes per block, at least 2

uint stream_elements()
{
    return stream_lanes() * LANE_ELEMENTS;
}

// The value of an element.
uint element_number(uint i)
{
    return element(i / LANE_ELEMENTS) + i % LANE_ELEMENTS;
}

uint parts(uint n, uint size)
{
    return n / size + uint(n % size != 0);
}

// Number of tiles. `blocks` has a word per tile, then a word per block.
uint tile_count()
{
    return parts(stream_elements(), BLOCK_TILE);
}

#endif
