// What bench runs beside the methods on a stream of words: the yardstick, a kernel that only
// copies; one that marks words as not kept, by a list; and the prefix sums of figure 9 in the
// Jumping Jack paper.
#pragma once

#include "compute/compaction/words.h"

// Two prefix sums within blocks.
enum prefix { PREFIX_DOUBLING, PREFIX_TREE, PREFIXES };

// Zero-initialised means empty: each kernel is made when it is first used, for one struct words.
struct words_bench {
    struct kernel copy, mark, prefix[PREFIXES];
};

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench);

// Copies the first `count` words of the source into the list, and waits. Reads and writes as
// methods do: through bindings where words fit them, else by address. `ms` by the device's clock;
// 0 where it has none.
bool words_copy_run(
    struct words_bench *bench, struct words *words, uint32_t count, double *ms,
    struct problem *problem);

// Marks the words of the source that stand at `count` places, and waits. Each word must be its own
// place. `ms` as above.
bool words_mark_run(
    struct words_bench *bench, struct words *words, const struct buffer *places, uint32_t count,
    double *ms, struct problem *problem);

// Puts into the list, for each word of the source, how many are kept before it in its block (of the
// size that the words were made for), and waits. `ms` as above.
bool words_prefix_run(
    struct words_bench *bench, struct words *words, enum prefix prefix, double *ms,
    struct problem *problem);
