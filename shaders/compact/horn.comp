#version 460
// Horn's gather search (GPU Gems 2, 2005; "New Algorithms for GPU Stream Compaction", 3.1): output
// c is the element at c + d, where d is the number of invalid elements before it: d = pSum[c + d].
//
// The equation also holds for the invalid elements just behind the right one. The paper reads the
// data to detect them, and steps back. But the right element is the first with pSum[c + d] <= d. So
// a search for the lower bound needs no data, and takes at most log2(BLOCK) + 1 steps.

#include "block_ranks.glsl"

const uint TABLE_WORDS = BLOCK_SPAN;
shared uint table[TABLE_WORDS]; // pSum: invalid elements of the block up to and including this one

void make_table()
{
    const uint bits = share_bits(), rank = share_rank(bits);
    const uint first = group_lane() * SHARE;
    for (uint i = 0; i < SHARE; i++) {
        const uint valid = rank + bitCount(bits & low_bits(i + 1));
        table[first + i] = (first + i) % BLOCK + 1 - valid;
    }
}

uint find(uint base, uint c)
{
    uint low = 0, high = table[base + BLOCK - 1]; // d is at most the number of invalid elements
    while (low < high) {
        const uint d = (low + high) / 2;
        const bool far = table[base + c + d] <= d;
        low = far ? low : d + 1;
        high = far ? d : high;
    }
    return base + c + low;
}

#include "block_search.glsl"
