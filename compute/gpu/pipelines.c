#include "compute/gpu/pipelines.h"

#include <string.h>

bool pipelines_fit(const struct gpu *gpu, const void *bytes, size_t size)
{
    const VkPhysicalDeviceProperties *is = &gpu->properties;
    VkPipelineCacheHeaderVersionOne head;
    if (size <= sizeof head) {
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    return head.headerSize == sizeof head &&
           head.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           head.vendorID == is->vendorID && head.deviceID == is->deviceID &&
           memcmp(head.pipelineCacheUUID, is->pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

void pipelines_begin(struct gpu *gpu, const void *bytes, size_t size)
{
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size,
        .pInitialData = bytes,
    };
    gpu->pipelines_loaded = size;
    if (vkCreatePipelineCache(gpu->device, &info, NULL, &gpu->pipelines) != VK_SUCCESS) {
        gpu->pipelines = VK_NULL_HANDLE;
        if (size > 0) {
            pipelines_begin(gpu, NULL, 0);
        }
    }
}

bool pipelines_bytes(struct gpu *gpu, void *bytes, size_t *size)
{
    return gpu->pipelines && !gpu->lost &&
           vkGetPipelineCacheData(gpu->device, gpu->pipelines, size, bytes) == VK_SUCCESS;
}
