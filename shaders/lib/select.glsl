// Finds the k-th set bit of a word.
#ifndef LIB_SELECT
#define LIB_SELECT

// Position of the set bit with the given rank. Bits are counted once, in groups of 2, 4, 8 and 16
// bits of the word. Then each count tells whether the bit is in the lower or the upper half.
#define SELECT_STEP(counts, width, most)                                                           \
    {                                                                                              \
        const uint low = counts >> at & most;                                                      \
        const bool above = rank >= low;                                                            \
        rank -= above ? low : 0;                                                                   \
        at += above ? width : 0;                                                                   \
    }
uint select_bit(uint mask, uint rank)
{
    const uint twos = mask - (mask >> 1 & 0x55555555u);
    const uint fours = (twos & 0x33333333u) + (twos >> 2 & 0x33333333u);
    const uint eights = (fours + (fours >> 4)) & 0x0f0f0f0fu;
    const uint sixteens = eights + (eights >> 8);
    uint at = 0;
    SELECT_STEP(sixteens, 16, 31)
    SELECT_STEP(eights, 8, 15)
    SELECT_STEP(fours, 4, 7)
    SELECT_STEP(twos, 2, 3)
    SELECT_STEP(mask, 1, 1)
    return at;
}

#endif
