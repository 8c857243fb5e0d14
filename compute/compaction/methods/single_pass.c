// One workgroup reads the whole stream once: see shaders/compact/single_pass.comp.

#include "compute/compaction/compaction.h"

// Iterations per STRETCH lanes (shaders/lib/streaming.glsl): one of its own loop; 4 + 1 of the scan
// over the subgroups, if they have 4 lanes; and in the cell stream 8 + 1 for the 32 elements of its
// lanes. Its other loops are unrolled.
#define SINGLE_PASS_TURNS 15

const struct method method_single_pass = {
    .name = "single-pass",
    .summary = "one workgroup reads the whole stream once, order kept",
    .paper = "Bontes and Gain 2024, Redzone stream compaction, 5.1, fig. 5",
    .notes = { "The workgroup has 256 lanes; the paper's block has 1024 threads." },
    .order = ORDER_STREAM,
    .in_place = true,
    .loop = { SINGLE_PASS_TURNS, STRETCH },
    .passes = { { "single pass", STREAM_SHADERS(single_pass), PASS_ONE_GROUP } },
};
