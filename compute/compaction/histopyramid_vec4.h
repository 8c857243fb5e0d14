// HistoPyramid whose nodes hold the partial sums of their four children (the vec4 form of "Stream
// Compaction in WebGL"): see shaders/lib/partials.glsl.
#pragma once

#include "compute/compaction/compaction.h"

// Its kernels, one per stream each; the base's is for cells only.
extern const struct kernel_info partials_base[STREAMS], partials_first[STREAMS],
    partials_reduce[STREAMS], partials_traverse[STREAMS];

// The levels over a base of this size: how many, and the nodes of all of them. Level 1 comes first.
struct histopyramid_levels {
    uint32_t count;
    uint64_t nodes;
};
struct histopyramid_levels histopyramid_vec4_levels(uint32_t width, uint32_t height);

struct compaction_scratch
histopyramid_vec4_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

void histopyramid_vec4_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
