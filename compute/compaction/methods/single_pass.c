// One workgroup reads the whole stream once: see shaders/compact/single_pass.comp.

#include "compute/compaction/kernels.h"

#include "single_pass_streams.h"

static COMPACT_KERNELS(
    struct compact_push, "single pass", single_pass, STREAM_PORTS,
    PORT(struct compact_push, counter, ACCESS_READ_WRITE),
    PORT(struct compact_push, list, ACCESS_WRITE));

// llvmpipe ends loops after 65,535 turns counted over all loops of an invocation, where a loop of n
// turns counts n + 1. Per stretch of STRETCH lanes (shaders/lib/streaming.glsl) the single pass has
// one turn of its own loop; at most 4 + 1 of the scan over the subgroups, where they have 4 lanes;
// and in the cell stream at most 8 + 1 for the 32 elements of its lanes. Its other loops are
// unrolled: 15 in all.
#define SINGLE_PASS_LARGEST (65535 / 15 * STRETCH)

const struct method method_single_pass = {
    .name = "single-pass",
    .summary = "one workgroup reads the whole stream once, order kept",
    .paper = "Bontes and Gain 2024, Redzone stream compaction, 5.1, fig. 5",
    .order = ORDER_STREAM,
    .in_place = true,
    .largest = SINGLE_PASS_LARGEST,
    .passes = { { single_pass, PASS_ONE_GROUP } },
};
