// What the block methods share: the stream cut into blocks of BLOCK elements, each compacted by
// itself (Roger et al. 2007).
//
//   count    block_count.comp: the predicate, a bit per element, and where each block's kept
//            elements stand among those of its tile
//   scan     block_scan.comp: where each tile's stand in the list
//   search   one file per method: what it searches in, in shared memory, and the search itself;
//            lib/block_search.glsl does the rest
//
// A workgroup of the search has BLOCK_SPAN elements, one block of the largest size or many small
// ones. So a small block needs no small workgroup, nor a device with small subgroups, and a barrier
// is paid for by many elements: with 256 of them, llvmpipe took several times as long.
#ifndef LIB_BLOCKS
#define LIB_BLOCKS

#include "buffers.glsl"
#include "shaders/shared/blocks.h"
#define OWN blocks_own
#include "masks.glsl"

#include "grid.glsl"
#include "scan.glsl"

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

// Words of `blocks`: one per tile, then one per block.
uint tile_count()
{
    return parts(stream_elements(), BLOCK_TILE);
}

#endif
