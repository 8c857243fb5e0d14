// The pipelines that a device has made. Kernels with the same shader, constants and subgroup size
// share one, and it stays for a while after the last of them. A list begins as NULL.
#pragma once

#include "shaders/shader.h"
#include "shaders/shared/extraction.h"

#include <stdbool.h>
#include <volk.h>

struct made_pipeline {
    struct made_pipeline *next;
    const struct shader *shader;
    uint32_t constants[CONSTANTS];
    bool has_constants;     // false: the shader has its own, and those here are 0
    uint32_t subgroup_size; // 0: the device decides
    uint32_t kernels;       // that use it now
    VkPipeline pipeline;
};

// The one that is made like the wanted one; it becomes the first of the list. NULL: there is none.
struct made_pipeline *
pipelines_find(struct made_pipeline **list, const struct made_pipeline *wanted);

// Puts a copy of it at the front of the list, which owns the pipeline from then on. NULL: out of
// memory.
struct made_pipeline *pipelines_add(struct made_pipeline **list, const struct made_pipeline *made);

// Destroys those that no kernel uses, except the `most` that were found or added last. NULL: the
// device is lost, so its pipelines stay.
void pipelines_forget(struct made_pipeline **list, VkDevice device, uint32_t most);
