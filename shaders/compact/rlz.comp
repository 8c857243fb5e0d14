#version 460
// Run lengths of zeros (Moreira et al. 2009, "New Algorithms for GPU Stream Compaction", 3.3). The
// prefix sum does not count invalid elements one by one. It adds the length of each run of invalid
// elements at the run's start, so it contains only displacements that occur. The wanted
// displacement is the least d with d = pRLSum[c + d]. The search starts with d = pRLSum[c] and
// inserts the result again until it does not change, which takes a few iterations.
//
// The paper finds the runs by scans: see runs_by_doubling and runs_by_tree, which FORM_DOUBLING and
// FORM_TREE use. But at an invalid element the sum contains the whole run, up to the next valid
// element. So pRLSum[i] = next(i) - valid elements before i, where next(i) is the first valid
// element from i on, or BLOCK. FORM_PLAIN uses that.

#include "block_ranks.glsl"

const uint TABLE_WORDS = BLOCK_SPAN;
// pRLSum, see above. FORM_TREE also keeps the levels of a tree in it: see level_start.
shared uint table[FORM == FORM_TREE ? 2 * BLOCK_SPAN : BLOCK_SPAN];

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

// The discriminated data: 1 for an invalid element.
void discriminate(uint bits)
{
    for (uint i = 0; i < SHARE; i++) {
        table[group_lane() * SHARE + i] = 1 - (bits >> i & 1);
    }
}

// Algorithm 2: for each element the length of the run from it on, by recursive doubling.
void runs_by_doubling()
{
    uint runs[SHARE];
    for (uint offset = 1; offset < BLOCK; offset *= 2) {
        barrier();
        for (uint k = 0; k < SHARE; k++) {
            const uint i = k * GROUP + group_lane();
            const bool extends = i % BLOCK + offset < BLOCK && table[i] == offset;
            runs[k] = table[i] + (extends ? table[min(i + offset, BLOCK_SPAN - 1)] : 0);
        }
        barrier();
        for (uint k = 0; k < SHARE; k++) {
            table[k * GROUP + group_lane()] = runs[k];
        }
    }
}

// Where the level of the tree starts whose nodes have `width` elements.
uint level_start(uint width)
{
    return 2 * BLOCK_SPAN - 2 * BLOCK_SPAN / width;
}

// Algorithms 3 and 4: the same lengths by a tree. On the way up a node gets the length of the run
// that starts at its first element. On the way down it gets the length of the run that starts after
// its last element.
void runs_by_tree()
{
    for (uint width = 1; width < BLOCK; width *= 2) {
        barrier();
        for (uint i = group_lane(); i < BLOCK_SPAN / (2 * width); i += GROUP) {
            const uint from = level_start(width) + 2 * i, left = table[from];
            table[level_start(2 * width) + i] = left + (left == width ? table[from + 1] : 0);
        }
    }
    barrier();
    const uint roots = level_start(BLOCK), blocks_here = BLOCK_SPAN / BLOCK;
    const uint first = group_lane() < blocks_here ? table[roots + group_lane()] : 0;
    if (group_lane() < blocks_here) {
        table[roots + group_lane()] = 0;
    }
    for (uint width = BLOCK / 2; width > 0; width /= 2) {
        barrier();
        for (uint i = group_lane(); i < BLOCK_SPAN / (2 * width); i += GROUP) {
            const uint from = level_start(width) + 2 * i, right = table[from + 1];
            const uint after = table[level_start(2 * width) + i];
            table[from] = right + (right == width ? after : 0);
            table[from + 1] = after;
        }
    }
    // Each value moves to the right by one place. The first one of a block is its root's.
    uint runs[SHARE];
    barrier();
    for (uint k = 0; k < SHARE; k++) {
        const uint i = k * GROUP + group_lane();
        runs[k] = i % BLOCK == 0 ? 0 : table[max(i, 1) - 1];
    }
    barrier();
    for (uint k = 0; k < SHARE; k++) {
        table[k * GROUP + group_lane()] = runs[k];
    }
    barrier();
    if (group_lane() < blocks_here) {
        table[group_lane() * BLOCK] = first;
    }
}

// The filter keeps a run's length where it starts: its left neighbour is null. Then pRLSum is the
// prefix sum of what is kept, in each block.
void sum_runs()
{
    const uint first = group_lane() * SHARE;
    barrier();
    uint runs[SHARE], left = first % BLOCK == 0 ? 0 : table[max(first, 1) - 1], n = 0;
    for (uint i = 0; i < SHARE; i++) {
        const uint run = table[first + i];
        n += left == 0 ? run : 0;
        left = run;
        runs[i] = n;
    }
    const uint offset = group_offset(subgroup_before(n), n);
    if (lane_in_block() == 0) {
        table[first] = offset; // what earlier blocks have
    }
    barrier();
    const uint earlier = table[lane_block() * BLOCK];
    barrier();
    for (uint i = 0; i < SHARE; i++) {
        table[first + i] = offset - earlier + runs[i];
    }
}

void make_table()
{
    if (FORM != FORM_PLAIN) {
        discriminate(share_bits());
        if (FORM == FORM_DOUBLING) {
            runs_by_doubling();
        } else {
            runs_by_tree();
        }
        sum_runs();
        return;
    }
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
