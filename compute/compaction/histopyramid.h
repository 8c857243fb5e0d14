// HistoPyramid (Ziegler 2006; told as in "Stream Compaction in WebGL"): a pyramid of counts over
// the stream, reduced 4 : 1, then every output searches its own element from the top down. In two
// forms: with counts, and with four partial sums per node.
#pragma once

#include "compute/compaction/compaction.h"

// Their passes, and kernels, one per stream each. A short stream has one pass for all.
enum pyramid_pass {
    PYRAMID_BASE,
    PYRAMID_REDUCE,
    PYRAMID_APEX,
    PYRAMID_TRAVERSE,
    PYRAMID_SHORT, // not of cells: only the device knows how many rows
};
extern const struct kernel_info pyramid_base[STREAMS], pyramid_reduce[STREAMS],
    pyramid_apex[STREAMS], pyramid_traverse[STREAMS], pyramid_short[STREAMS];
extern const struct kernel_info pyramid_base_vec4[STREAMS], pyramid_reduce_vec4[STREAMS],
    pyramid_apex_vec4[STREAMS], pyramid_traverse_vec4[STREAMS], pyramid_short_vec4[STREAMS];
bool histopyramid_needs(const struct gpu *gpu, uint32_t pass, enum stream stream, uint32_t lanes);

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

// CONSTANT_APEX on this device.
uint32_t histopyramid_apex_lanes(const struct gpu *gpu);

struct compaction_scratch
histopyramid_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

void histopyramid_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
