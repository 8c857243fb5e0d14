// The stream of all cells, compacted by the methods that run on the CPU.
#pragma once

#include "compute/compaction/compaction.h"
#include "compute/reference/reference.h"

// From the stream of all cells of a volume of so many samples to the active ones, by method->cpu on
// so many threads (0: the machine's). `active`, ascending, is the predicate. The stream comes in
// pieces of 4 Mi cells, each a stream of words by itself: a word counts 31 bits, and memory stays
// small. `out` is the caller's to destroy, empty on false: out of memory.
bool cells_by_cpu(
    const struct method *method, const uint32_t dim[3], const struct cell_list *active,
    uint32_t threads, struct cell_list *out, struct problem *problem);
