// The k-th set bit.
#ifndef LIB_SELECT
#define LIB_SELECT

#include "grid.glsl"

// Position of the set bit with the given rank.
#define SELECT_STEP(width)                                                                         \
    {                                                                                              \
        const uint low = bitCount(mask & low_bits(width));                                         \
        const bool above = rank >= low;                                                            \
        rank -= above ? low : 0;                                                                   \
        mask = above ? mask >> width : mask;                                                       \
        at += above ? width : 0;                                                                   \
    }
uint select_bit(uint mask, uint rank)
{
    uint at = 0;
    SELECT_STEP(16) SELECT_STEP(8) SELECT_STEP(4) SELECT_STEP(2) SELECT_STEP(1)
    return at;
}

#endif
