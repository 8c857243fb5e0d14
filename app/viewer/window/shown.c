#include "app/viewer/window/shown.h"

#include "app/picture/pipeline.h"
#include "shaders.h"

bool shown_create(
    struct gpu *gpu, VkFormat format, bool linear, struct shown *out, struct problem *problem)
{
    *out = (struct shown){ .linear = linear };
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
    };
    if (!descriptors_create(gpu, &binding, 1, "shown", &out->descriptors, problem)) {
        return false;
    }
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &out->descriptors.layout,
    };
    VK_TRY(vkCreatePipelineLayout(gpu->device, &layout, NULL, &out->layout));
    const struct pipeline_params params = {
        .name = "shown",
        .vertex = &shader_whole_vert,
        .fragment = &shader_shown_frag,
        .layout = out->layout,
        .format = format,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    if (pipeline_create(gpu, &params, &out->pipeline, problem)) {
        return true;
    }
fail:
    shown_destroy(gpu, out);
    return false;
}

void shown_destroy(struct gpu *gpu, struct shown *shown)
{
    if (gpu->device && !gpu->lost) {
        vkDestroyPipeline(gpu->device, shown->pipeline, NULL);
        vkDestroyPipelineLayout(gpu->device, shown->layout, NULL);
    }
    descriptors_destroy(gpu, &shown->descriptors);
    *shown = (struct shown){ 0 };
}

void shown_record(
    struct gpu *gpu, const struct shown *shown, VkCommandBuffer cmd, const struct picture *picture)
{
    // Bytes stay as they are: the picture is stored as sRGB, and the window shows sRGB.
    const VkDescriptorImageInfo info = {
        .imageView = shown->linear ? picture->resolved.view : picture->resolved.bytes,
        .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = shown->descriptors.set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .pImageInfo = &info,
    };
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    const VkRect2D all = { .extent = { picture->width, picture->height } };
    const VkViewport viewport = {
        .width = (float)picture->width,
        .height = (float)picture->height,
        .maxDepth = 1,
    };
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, shown->pipeline);
    vkCmdBindDescriptorSets(
        cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, shown->layout, 0, 1, &shown->descriptors.set, 0,
        NULL);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &all);
    vkCmdDraw(cmd, 3, 1, 0, 0);
}
