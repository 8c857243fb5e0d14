// The blocks that a workgroup of pass 3 works on.
#ifndef LIB_BLOCK_OPEN
#define LIB_BLOCK_OPEN

#include "blocks.glsl"

// For each block of the workgroup: where its kept elements begin in the list. The last entry is
// where those of the last block end.
shared uint starts[SPAN_BLOCKS + 1];

// The index of the lane's block in the workgroup, and the lane's index in the block.
uint lane_block()
{
    return group_lane() / BLOCK_LANES;
}

uint lane_in_block()
{
    return group_lane() % BLOCK_LANES;
}

// The first element of the workgroup's blocks. The functions below count elements from it.
uint span_first()
{
    return folded_group() * BLOCK_SPAN;
}

// Where the kept elements of a block begin in the list.
uint block_start(uint block)
{
    const uint tiles = tile_count();
    return block < parts(stream_elements(), BLOCK)
               ? blocks[block / (BLOCK_TILE / BLOCK)] + blocks[tiles + block]
               : counter.count;
}

// Fills `starts`. Returns false to all lanes if the workgroup has no kept elements. All lanes take
// part.
bool open_blocks()
{
    if (folded_group() >= parts(stream_elements(), BLOCK_SPAN)) {
        return false;
    }
    if (group_lane() <= SPAN_BLOCKS) {
        starts[group_lane()] =
            block_start(folded_group() * SPAN_BLOCKS + group_lane());
    }
    barrier();
    return starts[SPAN_BLOCKS] != starts[0];
}

// Number of kept elements of the lane's block.
uint block_kept()
{
    return starts[lane_block() + 1] - starts[lane_block()];
}

// The mask of the 32 elements of a word of the workgroup's blocks.
uint word_bits(uint word)
{
    return mask_at(span_first() / 32 + word);
}

#endif
