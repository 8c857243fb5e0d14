#include "app/picture/picture.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool picture_samples(
    const struct gpu *gpu, uint32_t wanted, VkSampleCountFlagBits *out, struct problem *problem)
{
    const VkSampleCountFlags both = gpu->properties.limits.framebufferColorSampleCounts &
                                    gpu->properties.limits.framebufferDepthSampleCounts;
    // Each bit has the value of its number of samples.
    *out = both & VK_SAMPLE_COUNT_4_BIT ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
    if (wanted == 0 || wanted == 1) {
        *out = wanted ? VK_SAMPLE_COUNT_1_BIT : *out;
        return true;
    }
    if (both & wanted) {
        *out = (VkSampleCountFlagBits)wanted;
        return true;
    }
    char offered[40] = "1";
    for (uint32_t count = 2; count <= 8; count *= 2) {
        const size_t length = strlen(offered);
        if (both & count) {
            snprintf(offered + length, sizeof offered - length, ", %u", count);
        }
    }
    return problem_set(
        problem, PROBLEM_UNSUPPORTED, "%s does not draw %u samples per pixel, only: %s",
        gpu->properties.deviceName, wanted, offered);
}

VkFormat picture_bytes_format(VkFormat format)
{
    return format == VK_FORMAT_B8G8R8A8_SRGB ? VK_FORMAT_B8G8R8A8_UNORM : VK_FORMAT_R8G8B8A8_UNORM;
}

#define IMAGES 4

// The images of a picture: the resolved colour and the depth. With several samples per pixel also
// the multisampled colour, and the depth of drafts. Returns how many there are.
static int picture_images_of(
    const struct picture_params *params, VkSampleCountFlagBits samples,
    struct image_params out[IMAGES])
{
    // Usage of the images that hold samples.
    const VkImageUsageFlags held =
        params->composited ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
    const VkFormat bytes = picture_bytes_format(params->format);
    const bool one = samples == VK_SAMPLE_COUNT_1_BIT;
    const struct image_params plain = {
        .purpose = PURPOSE_PICTURE,
        .name = "picture",
        .format = params->format,
        .width = params->width,
        .height = params->height,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    struct image_params resolved = plain;
    resolved.usage |=
        params->sampled ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    resolved.bytes = params->sampled ? bytes : 0;
    if (one && params->composited) {
        resolved.usage |= held;
        resolved.bytes = bytes;
    }
    struct image_params depth = plain;
    depth.name = "depth";
    depth.format = VK_FORMAT_D32_SFLOAT;
    depth.samples = samples;
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | held;
    depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    struct image_params colour = plain;
    colour.name = "picture, multisampled";
    colour.samples = samples;
    colour.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | held;
    colour.bytes = params->composited ? bytes : 0;
    struct image_params draft_depth = depth;
    draft_depth.name = "depth of drafts";
    draft_depth.samples = VK_SAMPLE_COUNT_1_BIT;
    out[0] = resolved;
    out[1] = depth;
    out[2] = colour;
    out[3] = draft_depth;
    return one ? 2 : IMAGES;
}

static VkSampleCountFlagBits picture_samples_of(const struct picture_params *params)
{
    return params->coarse || !params->samples ? VK_SAMPLE_COUNT_1_BIT : params->samples;
}

uint64_t picture_bytes(const struct gpu *gpu, const struct picture_params *params)
{
    struct image_params images[IMAGES];
    const int count = picture_images_of(params, picture_samples_of(params), images);
    uint64_t bytes = 0;
    for (int i = 0; i < count; i++) {
        bytes += image_bytes(gpu, &images[i]);
    }
    return bytes;
}

bool picture_create(
    struct gpu *gpu, const struct picture_params *params, struct picture *out,
    struct problem *problem)
{
    *out = (struct picture){
        .width = params->width,
        .height = params->height,
        .format = params->format,
        .samples = picture_samples_of(params),
        .sampled = params->sampled,
    };
    const uint32_t width = params->width, height = params->height;
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (width < 1 || height < 1 || width > limit || height > limit) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "a picture of %ux%u pixels is too large for the device (at most %ux%u)", width, height,
            limit, limit);
    }
    struct image_params images[IMAGES];
    struct image *const to[IMAGES] = {
        &out->resolved,
        &out->depth,
        &out->colour,
        &out->draft_depth,
    };
    const int count = picture_images_of(params, out->samples, images);
    for (int i = 0; i < count; i++) {
        if (!image_create(gpu, &images[i], to[i], problem)) {
            picture_destroy(gpu, out);
            return false;
        }
    }
    return true;
}

void picture_coarsen(struct gpu *gpu, struct picture *picture)
{
    assert(picture->draft_depth.handle);
    image_destroy(gpu, &picture->colour);
    image_destroy(gpu, &picture->depth);
    picture->depth = picture->draft_depth;
    picture->draft_depth = (struct image){ 0 };
    picture->samples = VK_SAMPLE_COUNT_1_BIT;
}

void picture_destroy(struct gpu *gpu, struct picture *picture)
{
    image_destroy(gpu, &picture->colour);
    image_destroy(gpu, &picture->depth);
    image_destroy(gpu, &picture->draft_depth);
    image_destroy(gpu, &picture->resolved);
    *picture = (struct picture){ 0 };
}

void image_turn(VkCommandBuffer cmd, const struct image_turn *turn)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = turn->from_stage,
        .srcAccessMask = turn->from_access,
        .dstStageMask = turn->to_stage,
        .dstAccessMask = turn->to_access,
        .oldLayout = turn->from,
        .newLayout = turn->to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = turn->image,
        .subresourceRange = {
            .aspectMask = turn->aspect ? turn->aspect : VK_IMAGE_ASPECT_COLOR_BIT,
            .levelCount = 1,
            .layerCount = VK_REMAINING_ARRAY_LAYERS,
        },
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(cmd, &dependency);
}

VkRect2D picture_inside(
    const struct picture *picture, int64_t left, int64_t top, int64_t right, int64_t bottom)
{
    left = left > 0 ? left : 0;
    top = top > 0 ? top : 0;
    right = right < picture->width ? right : picture->width;
    bottom = bottom < picture->height ? bottom : picture->height;
    return right > left && bottom > top
               ? (VkRect2D){ { (int32_t)left, (int32_t)top },
                             { (uint32_t)(right - left), (uint32_t)(bottom - top) } }
               : (VkRect2D){ 0 };
}

VkRect2D picture_both(VkRect2D a, VkRect2D b)
{
    const struct picture inside = { .width = (uint32_t)a.offset.x + a.extent.width,
                                    .height = (uint32_t)a.offset.y + a.extent.height };
    const int64_t left = a.offset.x > b.offset.x ? a.offset.x : b.offset.x;
    const int64_t top = a.offset.y > b.offset.y ? a.offset.y : b.offset.y;
    return picture_inside(
        &inside, left, top, (int64_t)b.offset.x + b.extent.width,
        (int64_t)b.offset.y + b.extent.height);
}

VkRect2D picture_area(const struct picture *picture, VkRect2D area)
{
    return picture_inside(
        picture, area.offset.x, area.offset.y, (int64_t)area.offset.x + area.extent.width,
        (int64_t)area.offset.y + area.extent.height);
}
