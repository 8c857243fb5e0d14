#include "app/viewer/panel/ui_draw.h"

#include "app/picture/picture.h"
#include "compute/gpu/label.h"
#include "shaders.h"
#include "shaders/shared/picture.h"

#include <string.h>

bool ui_draw_create(
    struct gpu *gpu, VkFormat format, bool linear, struct ui_draw *out, struct problem *problem)
{
    *out = (struct ui_draw){ .linear = linear };
    const VkSamplerCreateInfo sampler = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    };
    VK_TRY(vkCreateSampler(gpu->device, &sampler, NULL, &out->sampler));
    const VkVertexInputBindingDescription binding = { .stride = sizeof(struct ui_vertex) };
    const VkVertexInputAttributeDescription attributes[] = {
        { 0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct ui_vertex, position) },
        { 1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct ui_vertex, place) },
        { 2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct ui_vertex, tint) },
    };
    const struct pipeline_params params = {
        .name = "panel",
        .vertex = &shader_overlay_vert,
        .fragment = &shader_overlay_frag,
        .format = format,
        .blend = true,
        .bindings = &binding,
        .attributes = attributes,
        .binding_count = 1,
        .attribute_count = 3,
    };
    if (!pipeline_create(gpu, &params, &out->pipeline, problem)) {
        goto fail;
    }
    return true;
fail:
    ui_draw_destroy(gpu, out);
    return false;
}

void ui_draw_destroy(struct gpu *gpu, struct ui_draw *draw)
{
    pipeline_destroy(gpu, &draw->pipeline);
    if (gpu->device && !gpu->lost) {
        vkDestroySampler(gpu->device, draw->sampler, NULL);
    }
    image_destroy(gpu, &draw->glyphs);
    buffer_destroy(gpu, &draw->vertices);
    buffer_destroy(gpu, &draw->indices);
    *draw = (struct ui_draw){ 0 };
}

static void
ui_draw_record_upload(VkCommandBuffer cmd, const struct buffer *staging, const struct image *to)
{
    const struct image_turn before = {
        .image = to->handle,
        .to_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .to_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
    };
    image_turn(cmd, &before);
    const VkBufferImageCopy region = {
        .imageSubresource = { .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1 },
        .imageExtent = { to->width, to->height, 1 },
    };
    vkCmdCopyBufferToImage(
        cmd, staging->handle, to->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    const struct image_turn after = {
        .image = to->handle,
        .from_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .from_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .to_stage = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .to_access = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
        .from = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    image_turn(cmd, &after);
}

static bool
ui_draw_upload_glyphs(struct gpu *gpu, struct ui_draw *draw, struct ui *ui, struct problem *problem)
{
    uint32_t width, height, generation;
    const uint8_t *pixels = ui_glyphs(ui, &width, &height, &generation);
    if (draw->glyphs.handle && draw->generation == generation) {
        return true;
    }
    struct image glyphs = { 0 };
    struct buffer staging = { 0 };
    const struct image_params image = {
        .purpose = PURPOSE_PICTURE,
        .name = "glyphs",
        .format = VK_FORMAT_R8_UNORM,
        .width = width,
        .height = height,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    const struct buffer_params buffer = {
        .purpose = PURPOSE_PICTURE,
        .name = "glyphs on their way",
        .size = (uint64_t)width * height,
        .memory = BUFFER_UPLOAD,
    };
    if (!image_create(gpu, &image, &glyphs, problem) ||
        !buffer_create(gpu, &buffer, &staging, problem)) {
        goto fail;
    }
    memcpy(staging.mapped, pixels, (size_t)width * height);
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        goto fail;
    }
    ui_draw_record_upload(cmd, &staging, &glyphs);
    if (!gpu_submit_and_wait(gpu, cmd, problem)) {
        goto fail;
    }
    buffer_destroy(gpu, &staging);
    image_destroy(gpu, &draw->glyphs);
    draw->glyphs = glyphs;
    draw->generation = generation;
    const struct binding table[BINDINGS] = {
        [BINDING_GLYPHS] = { .image = &draw->glyphs, .sampler = draw->sampler },
    };
    descriptors_bind(gpu, &draw->pipeline.descriptors, table);
    return true;
fail:
    image_destroy(gpu, &glyphs);
    buffer_destroy(gpu, &staging);
    return false;
}

static bool ui_draw_make_room(
    struct gpu *gpu, struct buffer *buffer, const char *name, uint64_t size,
    struct problem *problem)
{
    if (buffer->size >= size) {
        return true;
    }
    buffer_destroy(gpu, buffer);
    const struct buffer_params params = {
        .purpose = PURPOSE_PICTURE,
        .name = name,
        .size = size + size / 2 + 4096,
        .memory = BUFFER_UPLOAD,
    };
    return buffer_create(gpu, &params, buffer, problem);
}

VkRect2D ui_draw_area(const struct ui *ui, const struct settings *settings, VkExtent2D window)
{
    const uint32_t panel = (uint32_t)ui_panel_width(ui, settings);
    VkRect2D area = { .extent = window };
    if (panel + 16 < window.width) {
        area.offset.x = (int32_t)panel;
        area.extent.width -= panel;
    }
    return area;
}

bool ui_draw_prepare(struct gpu *gpu, struct ui_draw *draw, struct ui *ui, struct problem *problem)
{
    struct ui_drawing drawing;
    ui_drawing_get(ui, &drawing);
    if (!ui_draw_upload_glyphs(gpu, draw, ui, problem) ||
        !ui_draw_make_room(
            gpu, &draw->vertices, "panel vertices", drawing.vertex_count * sizeof(struct ui_vertex),
            problem) ||
        !ui_draw_make_room(
            gpu, &draw->indices, "panel indices", drawing.index_count * sizeof(uint16_t),
            problem)) {
        return false;
    }
    ui_drawing_write(ui, draw->vertices.mapped, draw->indices.mapped);
    return true;
}

static uint32_t ui_draw_clamp(float value, uint32_t most)
{
    return value <= 0 ? 0 : value >= (float)most ? most : (uint32_t)value;
}

void ui_draw_record(
    const struct ui_draw *draw, VkCommandBuffer cmd, struct ui *ui, VkExtent2D extent)
{
    struct ui_drawing drawing;
    ui_drawing_get(ui, &drawing);
    if (drawing.index_count == 0 || drawing.size[0] <= 0 || drawing.size[1] <= 0) {
        return;
    }
    const struct overlay_push constants = {
        .scale = { 2 / drawing.size[0], 2 / drawing.size[1] },
        .origin = { drawing.origin[0], drawing.origin[1] },
        .linear = draw->linear,
    };
    const VkViewport viewport = {
        .width = (float)extent.width,
        .height = (float)extent.height,
        .maxDepth = 1,
    };
    const VkDeviceSize offset = 0;
    pipeline_use(&draw->pipeline, cmd, false, &constants);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdBindVertexBuffers(cmd, 0, 1, &draw->vertices.handle, &offset);
    vkCmdBindIndexBuffer(cmd, draw->indices.handle, 0, VK_INDEX_TYPE_UINT16);
    for (uint32_t i = 0; i < drawing.command_count; i++) {
        const struct ui_command *command = &drawing.commands[i];
        const uint32_t left = ui_draw_clamp(command->clip[0], extent.width);
        const uint32_t top = ui_draw_clamp(command->clip[1], extent.height);
        const uint32_t right = ui_draw_clamp(command->clip[2], extent.width);
        const uint32_t bottom = ui_draw_clamp(command->clip[3], extent.height);
        if (right <= left || bottom <= top) {
            continue;
        }
        const VkRect2D scissor = {
            .offset = { (int32_t)left, (int32_t)top },
            .extent = { right - left, bottom - top },
        };
        vkCmdSetScissor(cmd, 0, 1, &scissor);
        vkCmdDrawIndexed(
            cmd, command->index_count, 1, command->first_index, command->vertex_offset, 0);
    }
}
