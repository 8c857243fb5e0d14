#include "compute/gpu/result.h"

#include <stdio.h>
#include <string.h>

static const char *result_name(VkResult result)
{
    switch (result) {
    case VK_NOT_READY:
        return "VK_NOT_READY";
    case VK_TIMEOUT:
        return "VK_TIMEOUT";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
        return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_SURFACE_LOST_KHR:
        return "VK_ERROR_SURFACE_LOST_KHR";
    case VK_ERROR_OUT_OF_DATE_KHR:
        return "VK_ERROR_OUT_OF_DATE_KHR";
    default:
        return "an error";
    }
}

bool gpu_refused(
    VkResult result, const char *call, const char *file, int line, struct problem *problem)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(call, "("), call);
    switch (result) {
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return problem_set(
            problem, PROBLEM_DEVICE_MEMORY, "the device is out of memory (%s)", name);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory (%s)", name);
    case VK_ERROR_DEVICE_LOST:
        return problem_set(
            problem, PROBLEM_DEVICE_LOST, "the device was lost (%s): start again, or try --device",
            name);
    default:
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "%s returned %s (%d) at %s:%d", name, result_name(result),
            result, file, line);
    }
}
