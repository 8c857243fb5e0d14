// HistoPyramid (Ziegler 2006; told as in "Stream Compaction in WebGL"): a 2D pyramid of counts over
// the atlas, reduced 4 : 1, then every output searches its own element from the top down.
#pragma once

#include "compute/compaction/compaction.h"

// Its kernels, one per stream each.
extern const struct kernel_info pyramid_base[STREAMS], pyramid_reduce[STREAMS],
    pyramid_apex[STREAMS], pyramid_traverse[STREAMS];

// Words of all levels over a base of this size.
uint64_t histopyramid_words(uint32_t width, uint32_t height);

struct compaction_scratch
histopyramid_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

void histopyramid_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
