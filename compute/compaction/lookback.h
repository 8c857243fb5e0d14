// Single-pass compaction with decoupled look-back: see shaders/lookback.comp.
#pragma once

#include "compute/compaction/compaction.h"

extern const struct kernel_info lookback[STREAMS];

// A tile's word counts 30 bits.
#define LOOKBACK_LARGEST ((1u << 30) - 1)

struct compaction_scratch
lookback_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

void lookback_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
