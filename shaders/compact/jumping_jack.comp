#version 460
// Jumping Jack (Moreira et al. 2009, "A Parallel Algorithm for Non-Monotonic Stream Compaction").
// In a block with v valid elements, those at the first v positions stay where they are. Every hole
// among these positions jumps, over MAS[i] = BLOCK - pSum[i], from invalid element to invalid
// element until it finds a valid one. No two holes find the same element.
//
// The order of the stream is lost, but the result is always the same. All holes of a block together
// take at most as many jumps as the block has invalid elements. A single hole may take BLOCK - 1
// jumps, if the only valid element is in the middle.

#include "block_ranks.glsl"

const uint TABLE_WORDS = BLOCK_SPAN;
shared uint table[TABLE_WORDS]; // MAS, and VALID if the element is valid

const uint VALID = 0x80000000u;

void make_table()
{
    const uint bits = share_bits(), rank = share_rank(bits);
    const uint first = group_lane() * SHARE;
    for (uint i = 0; i < SHARE; i++) {
        const uint valid = rank + bitCount(bits & low_bits(i + 1));
        const uint invalid = (first + i) % BLOCK + 1 - valid;
        table[first + i] = BLOCK - invalid | ((bits >> i & 1) != 0 ? VALID : 0);
    }
}

uint find(uint base, uint c)
{
    uint at = c, here = table[base + c];
    for (uint jumps = 1; jumps < BLOCK && (here & VALID) == 0; jumps++) {
        at = here;
        here = table[base + at];
    }
    return base + at;
}

#include "block_search.glsl"
