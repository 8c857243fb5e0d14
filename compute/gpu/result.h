// Turns the results of Vulkan calls into problems.
#pragma once

#include "volumes/base/problem.h"

#include <volk.h>

// Turns a VkResult into a problem. Returns false. The message names `call`. For an unexpected
// result, it also names file and line.
bool gpu_refused(
    VkResult result, const char *call, const char *file, int line, struct problem *problem);

// Needs a variable `problem` and a label `fail` in scope.
#define VK_TRY(call)                                                                               \
    do {                                                                                           \
        const VkResult vk_try_ = (call);                                                           \
        if (vk_try_ != VK_SUCCESS) {                                                               \
            gpu_refused(vk_try_, #call, __FILE__, __LINE__, problem);                              \
            goto fail;                                                                             \
        }                                                                                          \
    } while (0)
