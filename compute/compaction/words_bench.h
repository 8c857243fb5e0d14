// What bench runs beside the methods on a stream of words: the yardstick, a kernel that only
// copies; and one that marks words as not kept, by a list.
#pragma once

#include "compute/compaction/words.h"

struct words_bench {
    struct kernel copies[2]; // written by address, through bindings
    struct kernel mark;
};

// For streams of these words, which must outlive it. On false `out` is empty.
bool words_bench_create(
    const struct words *words, struct words_bench *out, struct problem *problem);
void words_bench_destroy(struct gpu *gpu, struct words_bench *bench);

// Copies the first `count` words of the source into the list, and waits. Reads and writes as
// methods do: through bindings where words fit them, else by address. `ms` by the device's clock; 0
// where it has none.
bool words_copy_run(
    const struct words_bench *bench, struct words *words, uint32_t count, double *ms,
    struct problem *problem);

// Marks the words of the source that stand at `count` places, and waits. Each word must be its own
// place. `ms` as above.
bool words_mark_run(
    const struct words_bench *bench, struct words *words, const struct buffer *places,
    uint32_t count, double *ms, struct problem *problem);
