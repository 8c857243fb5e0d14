// The block methods: the stream in blocks of 16 to 2048 elements, each compacted by itself in
// shared memory. They differ in how an output finds its element: one search kernel each.
//
// Their passes, in this order: blocks_count, blocks_scan, the search, blocks_concatenate.
#pragma once

#include "compute/compaction/compaction.h"

extern const struct kernel_info block_count[STREAMS], block_scan[STREAMS],
    block_concatenate[STREAMS];
// The searches.
extern const struct kernel_info horn[STREAMS], jumping_jack[STREAMS], rlz[STREAMS],
    binary_tree[STREAMS];

// Shared memory of a search: a table of BLOCK_SPAN words, what scans it, and its blocks' starts.
#define BLOCKS_SHARED ((BLOCK_SPAN + 512) * (uint32_t)sizeof(uint32_t))

// A power of two from BLOCK_LEAST to BLOCK_MOST?
bool blocks_fit(uint32_t block);

struct compaction_scratch
blocks_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

// Each block straight into the list: stages "count", "scan" (of the blocks), "search" (with the
// block's own prefix sum, or the reduction of its tree). Or, where the size says so, concatenated
// as in the papers: "count", "scan", "prefix sum" or "reduction", "search", "concatenate"; what the
// papers call concatenation is the second and the last of these.
void blocks_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
