// A workgroup's blocks, once passes 1 and 2 are done.
#ifndef LIB_BLOCK_OPEN
#define LIB_BLOCK_OPEN

#include "blocks.glsl"

// Where the kept elements of the workgroup's blocks begin in the list; the last one ends there.
shared uint starts[SPAN_BLOCKS + 1];

// The lane's block among the workgroup's, and the lane's place among the block's.
uint lane_block()
{
    return gl_LocalInvocationIndex / BLOCK_LANES;
}

uint lane_in_block()
{
    return gl_LocalInvocationIndex % BLOCK_LANES;
}

// Element of the stream that the workgroup's blocks begin with. Below, elements are counted from
// there.
uint span_first()
{
    return folded_group() * BLOCK_SPAN;
}

// Where the kept elements of a block begin in the list.
uint block_start(uint block)
{
    const uint tiles = tile_count();
    return block < parts(stream_elements(), BLOCK)
               ? own.blocks.at[block / (BLOCK_TILE / BLOCK)] + own.blocks.at[tiles + block]
               : texelFetch(counters, int(LIST_KEPT)).x;
}

// False where there is nothing to do: for the whole workgroup. All lanes take part.
bool open_blocks()
{
    if (folded_group() >= parts(stream_elements(), BLOCK_SPAN)) {
        return false;
    }
    if (gl_LocalInvocationIndex <= SPAN_BLOCKS) {
        starts[gl_LocalInvocationIndex] =
            block_start(folded_group() * SPAN_BLOCKS + gl_LocalInvocationIndex);
    }
    barrier();
    return starts[SPAN_BLOCKS] != starts[0];
}

// Kept elements of the lane's block.
uint block_kept()
{
    return starts[lane_block() + 1] - starts[lane_block()];
}

// Bits of the 32 elements of a word of the span.
uint word_bits(uint word)
{
    return mask_at(span_first() / 32 + word);
}

#endif
