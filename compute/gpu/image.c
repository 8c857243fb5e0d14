#include "compute/gpu/image.h"

#include "compute/gpu/label.h"
#include "compute/gpu/memory.h"

// The memory is allocated already. So a failure for lack of memory means that the driver limits the
// size of one image without reporting the limit (llvmpipe: 2 GiB).
static bool image_bind(
    const struct gpu *gpu, const struct image_params *params, const struct image *image,
    struct problem *problem)
{
    const VkResult result = vkBindImageMemory(gpu->device, image->handle, image->memory, 0);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "over a limit of the device: the %s of %ux%u needs %.1f MiB in one image, which it "
            "refuses, with %.1f MiB free",
            params->name, params->width, params->height, (double)image->size / 1048576,
            (double)gpu_memory_free(gpu) / 1048576);
    }
    return result == VK_SUCCESS ||
           gpu_refused(result, "vkBindImageMemory", __FILE__, __LINE__, problem);
}

struct image_info {
    VkFormat formats[2];
    VkImageFormatListCreateInfo list;
    VkImageCreateInfo image;
};

// Without the list of its views' formats, drivers do not compress the colours of an image that has
// views of two formats.
static void image_describe(const struct image_params *params, struct image_info *out)
{
    out->formats[0] = params->format;
    out->formats[1] = params->bytes;
    out->list = (VkImageFormatListCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = 2,
        .pViewFormats = out->formats,
    };
    out->image = (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = params->bytes ? &out->list : NULL,
        .flags = params->bytes ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = params->format,
        .extent = { params->width, params->height, 1 },
        .mipLevels = 1,
        .arrayLayers = params->layers ? params->layers : 1,
        .samples = params->samples ? params->samples : VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = params->usage,
    };
}

// Whether the image is within the driver's limit for images. A format that is not listed here
// counts four bytes: add larger formats when they are needed.
static bool image_reaches(const struct gpu *gpu, const struct image_params *params)
{
    const VkFormat format = params->format;
    const uint64_t texel = format == VK_FORMAT_R8_UINT || format == VK_FORMAT_R8_UNORM ? 1
                           : format == VK_FORMAT_R16_UINT                              ? 2
                           : format == VK_FORMAT_R32G32_UINT                           ? 8
                                                                                       : 4;
    const uint64_t layers = params->layers ? params->layers : 1;
    const uint64_t samples = params->samples ? params->samples : 1;
    return texel * params->width * params->height * layers * samples <= gpu->limits.image;
}

uint64_t image_bytes(const struct gpu *gpu, const struct image_params *params)
{
    if (!image_reaches(gpu, params)) {
        return GPU_TOO_MUCH;
    }
    struct image_info info;
    image_describe(params, &info);
    const VkDeviceImageMemoryRequirements asked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info.image,
    };
    VkMemoryRequirements2 needs = { .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2 };
    vkGetDeviceImageMemoryRequirements(gpu->device, &asked, &needs);
    const uint64_t bytes = needs.memoryRequirements.size;
    return bytes <= gpu->limits.allocation ? bytes : GPU_TOO_MUCH;
}

bool image_create(
    struct gpu *gpu, const struct image_params *params, struct image *out, struct problem *problem)
{
    *out = (struct image){
        .format = params->format,
        .width = params->width,
        .height = params->height,
        .layers = params->layers ? params->layers : 1,
        .purpose = params->purpose,
    };
    VkMemoryRequirements needs = { 0 };
    if (!image_reaches(gpu, params)) {
        problem_set(
            problem, PROBLEM_LIMIT,
            "the %s of %ux%u in %u layers is too large: an image may have at most %.1f MiB",
            params->name, params->width, params->height, out->layers,
            (double)gpu->limits.image / 1048576);
        goto fail;
    }
    struct image_info info;
    image_describe(params, &info);
    VK_TRY(vkCreateImage(gpu->device, &info.image, NULL, &out->handle));
    vkGetImageMemoryRequirements(gpu->device, out->handle, &needs);
    if (!memory_allocate(
            gpu, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, params->name, params->purpose,
            &out->memory, problem)) {
        goto fail;
    }
    label_object(gpu, VK_OBJECT_TYPE_IMAGE, out->handle, params->name);
    label_object(gpu, VK_OBJECT_TYPE_DEVICE_MEMORY, out->memory, params->name);
    out->size = needs.size;
    if (!image_bind(gpu, params, out, problem)) {
        goto fail;
    }
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = out->handle,
        .viewType = params->layers ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = params->format,
        .subresourceRange = {
            .aspectMask = params->aspect ? params->aspect : VK_IMAGE_ASPECT_COLOR_BIT,
            .levelCount = 1,
            .layerCount = out->layers,
        },
    };
    VK_TRY(vkCreateImageView(gpu->device, &view, NULL, &out->view));
    out->serial = ++gpu->images_made;
    if (params->bytes) {
        view.format = params->bytes;
        VK_TRY(vkCreateImageView(gpu->device, &view, NULL, &out->bytes));
    }
    label_object(gpu, VK_OBJECT_TYPE_IMAGE_VIEW, out->view, params->name);
    label_object(gpu, VK_OBJECT_TYPE_IMAGE_VIEW, out->bytes, params->name);
    return true;
fail:
    image_destroy(gpu, out);
    return false;
}

void image_destroy(struct gpu *gpu, struct image *image)
{
    if (image->handle && !gpu->lost) {
        vkDestroyImageView(gpu->device, image->bytes, NULL);
        vkDestroyImageView(gpu->device, image->view, NULL);
        vkDestroyImage(gpu->device, image->handle, NULL);
        memory_free(gpu, image->memory, image->size, image->purpose);
    }
    *image = (struct image){ 0 };
}
