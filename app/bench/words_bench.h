// Kernels that bench compares the methods with, on a stream of words.
#pragma once

#include "compute/compaction/words.h"

enum words_kernel {
    // Copies the first `count` elements into the list. It reads and writes as methods do.
    WORDS_COPY,
    // Marks the words of the source at `count` positions as not kept. The value of each word must
    // be its position.
    WORDS_MARK,
    // The same, and counts each workgroup's kept words into the scratch buffer `blocks`, as the
    // first pass of a method with FORM_MARK does. The method must have been prepared.
    WORDS_MARK_COUNT,
    // Makes the list from the elements of the source at `count` positions.
    WORDS_PRESERVE,
    // The prefix sums of figure 9 in the Jumping Jack paper: writes into the list, for each word of
    // the source, how many words before it in its block are kept. The size of a block is
    // words->compaction.block.
    WORDS_PREFIX_DOUBLING,
    WORDS_PREFIX_TREE,
    // Compact the words in any order, with an atomic for each kept element, or for those of a
    // subgroup or of a workgroup.
    WORDS_APPEND_ELEMENT,
    WORDS_APPEND_SUBGROUP,
    WORDS_APPEND_WORKGROUP,
    WORDS_KERNELS
};

// Zero-initialised means empty. Each kernel is created at its first use, for one struct words.
struct words_bench {
    struct kernel kernels[WORDS_KERNELS];
};

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench);

// The name in the results.
const char *words_bench_name(enum words_kernel which);

// Runs the kernel on `count` elements, and waits. `places`: the positions for WORDS_MARK,
// WORDS_MARK_COUNT and WORDS_PRESERVE, otherwise NULL. *ms is measured by the device; 0 if it has
// no timestamps. *kept: how many elements are in the list that WORDS_APPEND_ kernels make;
// otherwise it may be NULL.
bool words_bench_run(
    struct words_bench *bench, struct words *words, enum words_kernel which,
    const struct buffer *places, uint32_t count, uint32_t *kept, double *ms,
    struct problem *problem);
