// Kernels that bench compares the methods with, on a stream of words: one that only copies; one
// that marks words as not kept, by a list; the prefix sums of figure 9 in the Jumping Jack paper;
// and unordered compaction by atomics.
#pragma once

#include "compute/compaction/words.h"

// Two prefix sums within blocks.
enum prefix { PREFIX_DOUBLING, PREFIX_TREE, PREFIXES };

// Which kept elements share an atomic: none, those of a subgroup, those of a workgroup.
enum append { APPEND_ELEMENT, APPEND_SUBGROUP, APPEND_GROUP, APPENDS };

// Zero-initialised means empty. Each kernel is created at its first use, for one struct words.
struct words_bench {
    struct kernel copy, mark, prefix[PREFIXES], append[APPENDS];
};

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench);

// Copies the first `count` elements of the source into the list, and waits. It reads and writes as
// methods do. *ms is measured by the device; 0 if it has no timestamps.
bool words_copy_run(
    struct words_bench *bench, struct words *words, uint32_t count, double *ms,
    struct problem *problem);

// Marks the words of the source at `count` positions as not kept, and waits. The value of each word
// must be its position. *ms: as in words_copy_run.
bool words_mark_run(
    struct words_bench *bench, struct words *words, const struct buffer *places, uint32_t count,
    double *ms, struct problem *problem);

// For each word of the source, writes into the list how many words before it in its block are kept,
// and waits. The size of a block is words->compaction.block. *ms: as in words_copy_run.
bool words_prefix_run(
    struct words_bench *bench, struct words *words, enum prefix prefix, double *ms,
    struct problem *problem);

// Compacts the words by atomics, and waits. The list has no order. *ms: as in words_copy_run.
bool words_append_run(
    struct words_bench *bench, struct words *words, enum append append, uint32_t *kept, double *ms,
    struct problem *problem);
