// Compaction by workgroups that stream contiguous ranges: Chag's (Billeter, Olsson, Assarsson 2009)
// with some hundred of them, and the single pass with one.
#pragma once

#include "compute/compaction/compaction.h"

// Kernels, one per stream each.
extern const struct kernel_info chag_count[STREAMS], chag_scan[STREAMS], chag_compact[STREAMS],
    chag_ballot_count[STREAMS], chag_ballot_compact[STREAMS], single_pass[STREAMS];

struct compaction_scratch
chag_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);
struct compaction_scratch
chag_ballot_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);
struct compaction_scratch
single_pass_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

// llvmpipe ends loops after 65,535 turns counted over all loops of an invocation, where a loop of n
// turns counts n + 1. Per stretch of STRETCH lanes (shaders/lib/streaming.glsl) the single pass has
// one turn of its own loop; at most 4 + 1 of the scan over the subgroups, where they have 4 lanes;
// and in the cell stream at most 8 + 1 for the 32 elements of its lanes. Its other loops are
// unrolled: 15 in all.
#define SINGLE_PASS_LARGEST (65535 / 15 * STRETCH)
