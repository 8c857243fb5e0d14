// Asks a driver to bring the lanes of a subgroup together again after they took different branches.
// Vulkan does not promise that by itself, and our kernels use shuffles and ballots in loops.
#pragma once

#include "shaders/shader.h"

enum reconvergence {
    RECONVERGENCE_NONE, // the device offers neither; the kernels' subgroupBarrier() calls have to
                        // do
    RECONVERGENCE_UNIFORM, // VK_KHR_shader_subgroup_uniform_control_flow
    RECONVERGENCE_MAXIMAL, // VK_KHR_shader_maximal_reconvergence
};

// The words of a module that asks for it: *size bytes, which the caller frees. NULL without memory.
uint32_t *reconvergence_ask(const struct shader *shader, enum reconvergence how, uint32_t *size);
