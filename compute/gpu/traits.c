#include "compute/gpu/traits.h"

// Measured on llvmpipe. It runs the lanes of a workgroup one subgroup after the other, and
// processes subgroup arithmetic lane by lane, but has an instruction for shuffles.
const struct traits traits_cpu = {
    .classify_rows = 4,
    .vertices_each = 4,
    .triangles_cells = 8,
    .most_each = 16,
    .fewest_groups = 0,
    .shared_fours = 256,
    .shuffles = true,
    .apex_lanes = 32,
    .box_lanes = 8,
    .short_pyramids = true,
    .cast_texels = true,
    .stamps_twice = true,
    .loop_turns = 65535, // of llvmpipe
};

// Not measured, but derived from the compilers' figures (tests/bench/results) and the number of
// workgroups of a step. AMD's shuffles across more than 32 lanes are emulated. Atomics on the same
// word take about a clock each.
const struct traits traits_gpu = {
    .classify_rows = 1,
    .vertices_each = 1,
    .triangles_cells = 1,
    .most_each = 16,
    .fewest_groups = 1024,
    .shared_fours = 32,
    .group_appends = true,
    .apex_lanes = 256,
    .box_lanes = 256,
    .subgroup_size = 32,
};
