#include "compute/gpu/label.h"

void label_object(const struct gpu *gpu, VkObjectType type, const void *handle, const char *name)
{
    if (gpu->labels && handle) {
        const VkDebugUtilsObjectNameInfoEXT info = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = type,
            .objectHandle = (uint64_t)(uintptr_t)handle,
            .pObjectName = name,
        };
        vkSetDebugUtilsObjectNameEXT(gpu->device, &info);
    }
}

void label_begin(const struct gpu *gpu, VkCommandBuffer cmd, const char *name)
{
    if (gpu->labels) {
        const VkDebugUtilsLabelEXT label = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
            .pLabelName = name,
        };
        vkCmdBeginDebugUtilsLabelEXT(cmd, &label);
    }
}

void label_end(const struct gpu *gpu, VkCommandBuffer cmd)
{
    if (gpu->labels) {
        vkCmdEndDebugUtilsLabelEXT(cmd);
    }
}
