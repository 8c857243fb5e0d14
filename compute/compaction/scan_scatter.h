// Scan and scatter, the way of Thrust before 2024: flags to memory, an exclusive scan of them all
// in memory, and then the elements to where the scan says. What the papers compare themselves with.
#pragma once

#include "compute/compaction/compaction.h"

// Kernels, one per stream each: flags, a level of the scan (two ways), its sums added back,
// scatter.
extern const struct kernel_info scatter_flags[STREAMS], scatter_scan_hs[STREAMS],
    scatter_scan_bl[STREAMS], scatter_add[STREAMS], scatter_write[STREAMS];

struct compaction_scratch
scan_scatter_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

// For rows whose passes are: flags, scan, add, scatter.
void scan_scatter_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
