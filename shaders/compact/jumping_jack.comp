#version 460
// Jumping Jack (Moreira et al. 2009, "A Parallel Algorithm for Non-Monotonic Stream Compaction"):
// with v valid elements in a block, those among the first v places stay where they are. Every hole
// there jumps, over MAS[i] = BLOCK - pSum[i], from invalid element to invalid element until it
// finds a valid one, and no two find the same.
//
// Order is not kept, but always the same. All jumps of a block together are at most as many as it
// has invalid elements; one chain may have BLOCK - 1 of them: a single valid element in the middle.

#include "block_ranks.glsl"

const uint TABLE_WORDS = BLOCK_SPAN;
shared uint table[TABLE_WORDS]; // MAS, and whether the element is valid

const uint VALID = 0x80000000u;

void make_table()
{
    const uint bits = share_bits(), rank = share_rank(bits);
    const uint first = gl_LocalInvocationIndex * SHARE;
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
