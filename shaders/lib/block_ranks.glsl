// The prefix sum of a block: how many elements are kept before each element.
#ifndef LIB_BLOCK_RANKS
#define LIB_BLOCK_RANKS

#include "block_open.glsl"

// The mask bits of the lane's elements. A lane has SHARE consecutive elements.
uint share_bits()
{
    const uint first = group_lane() * SHARE;
    return word_bits(first / 32) >> first % 32 & low_bits(SHARE);
}

// Number of kept elements of the lane's block before the lane's first element. All lanes of the
// workgroup take part.
uint share_rank(uint bits)
{
    const uint n = bitCount(bits);
    return group_offset(ballot_scan(n, 4), n) - (starts[lane_block()] - starts[0]);
}

#endif
