// The stream of all cells, compacted by the methods that run on the CPU.
#pragma once

#include "compute/compaction/compaction.h"
#include "compute/reference/reference.h"

// Compacts the stream of all cells to the active ones, by method->cpu on `threads` threads (0: all
// of the machine). `dim` is the volume's size in samples. `active`, ascending, is the predicate.
// The stream is made in blocks of 4 Mi cells, each a stream of its own, because a word counts only
// 31 bits and to save memory. The caller destroys `out`. On false, out of memory, `out` is empty.
bool cells_by_cpu(
    const struct method *method, const uint32_t dim[3], const struct cell_list *active,
    uint32_t threads, struct cell_list *out, struct problem *problem);
