// The k-th set bit.
#ifndef LIB_SELECT
#define LIB_SELECT

#include "grid.glsl"

// Position of the set bit with the given rank.
uint select_bit(uint mask, uint rank)
{
    uint at = 0;
    for (uint width = 16; width > 0; width /= 2) {
        const uint low = bitCount(mask & low_bits(width));
        const bool above = rank >= low;
        rank -= above ? low : 0;
        mask = above ? mask >> width : mask;
        at += above ? width : 0;
    }
    return at;
}

#endif
