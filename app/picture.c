#include "app/picture.h"

VkSampleCountFlagBits picture_samples(const struct gpu *gpu)
{
    const VkSampleCountFlags both = gpu->properties.limits.framebufferColorSampleCounts &
                                    gpu->properties.limits.framebufferDepthSampleCounts;
    return both & VK_SAMPLE_COUNT_4_BIT ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
}

bool picture_create(
    struct gpu *gpu, uint32_t width, uint32_t height, VkFormat format, struct picture *out,
    struct problem *problem)
{
    *out = (struct picture){
        .width = width,
        .height = height,
        .format = format,
        .samples = picture_samples(gpu),
    };
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (width < 1 || height < 1 || width > limit || height > limit) {
        return problem_set(
            problem, PROBLEM_DEVICE,
            "a picture of %ux%u pixels is too large for the device (at most %ux%u)", width, height,
            limit, limit);
    }
    const struct image_params resolved = {
        .purpose = PURPOSE_PICTURE,
        .name = "picture",
        .format = format,
        .width = width,
        .height = height,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    const struct image_params colour = {
        .purpose = PURPOSE_PICTURE,
        .name = "picture, multisampled",
        .format = format,
        .width = width,
        .height = height,
        .samples = out->samples,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT,
    };
    const struct image_params depth = {
        .purpose = PURPOSE_PICTURE,
        .name = "depth",
        .format = VK_FORMAT_D32_SFLOAT,
        .width = width,
        .height = height,
        .samples = out->samples,
        .usage =
            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
    };
    struct image_params draft_depth = depth;
    draft_depth.name = "depth of drafts";
    draft_depth.samples = VK_SAMPLE_COUNT_1_BIT;
    if (!image_create(gpu, &resolved, &out->resolved, problem) ||
        !image_create(gpu, &depth, &out->depth, problem)) {
        goto fail;
    }
    if (out->samples > VK_SAMPLE_COUNT_1_BIT &&
        (!image_create(gpu, &colour, &out->colour, problem) ||
         !image_create(gpu, &draft_depth, &out->draft_depth, problem))) {
        goto fail;
    }
    return true;
fail:
    picture_destroy(gpu, out);
    return false;
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
