#version 460
// Run lengths of zeros (Moreira et al. 2009, "New Algorithms for GPU Stream Compaction", 3.3). The
// prefix sum does not count invalid elements one by one. It adds the length of each run of invalid
// elements at the run's start, so it contains only displacements that occur. The wanted
// displacement is the least d with d = pRLSum[c + d]. The search starts with d = pRLSum[c] and
// inserts the result again until it does not change, which takes a few iterations.
//
// The paper finds the runs by scans (algorithms 2 to 4). But at an invalid element the sum contains
// the whole run, up to the next valid element. So pRLSum[i] = next(i) - valid elements before i,
// where next(i) is the first valid element from i on, or BLOCK.

#include "block_ranks.glsl"

const uint TABLE_WORDS = BLOCK_SPAN;
shared uint table[TABLE_WORDS]; // pRLSum, see above

// The first valid element of the lane's block from `at` on, or the block's end.
uint next_valid(uint at)
{
    const uint end = (lane_block() + 1) * BLOCK;
    if (at >= end) {
        return end;
    }
    uint word = at / 32, bits = word_bits(word) & ~low_bits(at % 32);
    while (bits == 0 && (word + 1) * 32 < end) {
        word++;
        bits = word_bits(word);
    }
    return bits == 0 ? end : min(word * 32 + findLSB(bits), end);
}

void make_table()
{
    const uint bits = share_bits(), rank = share_rank(bits);
    const uint first = group_lane() * SHARE, base = lane_block() * BLOCK;
    uint next = next_valid(first + SHARE) - base;
    for (uint i = SHARE; i-- > 0;) {
        next = (bits >> i & 1) != 0 ? first + i - base : next;
        table[first + i] = next - (rank + bitCount(bits & low_bits(i)));
    }
}

// Algorithm 1. On random streams it ends after at most 20 iterations. The worst known stream takes
// 31: BLOCK is 2048, and the lengths of the runs decrease by one.
uint find(uint base, uint c)
{
    uint d = table[base + c], next = table[base + c + d];
    for (uint turn = 0; turn < BLOCK && d != next; turn++) {
        d = table[base + c + next];
        next = table[base + c + d];
    }
    return base + c + d;
}

#include "block_search.glsl"
