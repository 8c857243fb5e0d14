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
    .patience = 4,
    .shuffles = true,
    .apex_lanes = 32,
    .box_lanes = 8,
    .cast_lanes = 256,
    .transfer_half = 2 << 20,
    .short_pyramids = true,
    .cast_texels = true,
    .stamps_twice = true,
    .loop_turns = 65535, // of llvmpipe
};

// Not measured, but derived from the compilers' figures (tests/bench/results) and the number of
// workgroups of a step. AMD's shuffles across more than 32 lanes are emulated. Atomics on the same
// word take about a clock each.
#define TRAITS_OF_A_GPU(fours)                                                                     \
    {                                                                                              \
        .classify_rows = 1, .vertices_each = 1, .triangles_cells = 1, .most_each = 16,             \
        .fewest_groups = 1024, .shared_fours = (fours), .group_appends = true, .folds = true,      \
        .apex_lanes = 256, .box_lanes = 256, .cast_lanes = 64, .transfer_half = 8 << 20,           \
        .patience = 64, .subgroup_size = 32,                                                       \
    }
const struct traits traits_gpu = TRAITS_OF_A_GPU(32);
static const struct traits traits_gpu_16 = TRAITS_OF_A_GPU(64);
static const struct traits traits_gpu_8 = TRAITS_OF_A_GPU(128);

const struct traits *traits_of(bool cpu, VkDriverId driver, uint32_t lanes)
{
    if (cpu) {
        return &traits_cpu;
    }
    // They report 32, and take 16 for most kernels (tests/bench/results).
    if (driver == VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA ||
        driver == VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS) {
        lanes = 16;
    }
    return lanes >= 32 ? &traits_gpu : lanes >= 16 ? &traits_gpu_16 : &traits_gpu_8;
}
