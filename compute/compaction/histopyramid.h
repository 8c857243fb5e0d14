// HistoPyramid (Ziegler 2006; told as in "Stream Compaction in WebGL"): a pyramid of counts over
// the stream, reduced 4 : 1, then every output searches its own element from the top down. In two
// forms: with counts, and with four partial sums per node.
#pragma once

#include "compute/compaction/compaction.h"

// Their kernels, one per stream each.
extern const struct kernel_info pyramid_base[STREAMS], pyramid_reduce[STREAMS],
    pyramid_apex[STREAMS], pyramid_traverse[STREAMS];
extern const struct kernel_info pyramid_base_vec4[STREAMS], pyramid_reduce_vec4[STREAMS],
    pyramid_apex_vec4[STREAMS], pyramid_traverse_vec4[STREAMS];

// The stored levels over a base with room for so many texels (leaves): how many, and the fours of
// siblings in all of them. Level n, from 1 on, has ceil(leaves / 4^(n + 1)) fours, and follows
// level n - 1.
struct histopyramid_levels {
    uint32_t count;
    uint64_t fours;
};
struct histopyramid_levels histopyramid_levels(uint32_t leaves);

// Texels of the base for so many lanes of a stream.
uint32_t histopyramid_leaves(uint32_t lanes, enum stream stream);

struct compaction_scratch
histopyramid_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

void histopyramid_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
