#include "app/picture/listed.h"

#include "app/picture/pipeline.h"
#include "shaders.h"
#include "shaders/shared/picture.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

static const float LEAST_POINT = 1.2f; // half its size in pixels
static const float CELL_SHARE = 0.42f; // of a cell's shortest side that is half a point's size

_Static_assert(sizeof(struct bricks_push) <= 128, "bricks_push is over 128 bytes");
_Static_assert(sizeof(struct cells_push) <= 128, "cells_push is over 128 bytes");
_Static_assert(sizeof(struct levels_push) <= 128, "levels_push is over 128 bytes");

// What the shaders read, by the numbers of bindings.h: texels, or a slot of the control buffer.
static const uint32_t numbers[LISTED_BINDINGS] = {
    TEXELS(BINDING_BRICKS),    TEXELS(BINDING_CELLS), TEXELS(BINDING_SLOTS),
    TEXELS(BINDING_ROW_MASKS), TEXELS(BINDING_MASKS), TEXELS(BINDING_PARTIALS),
    BINDING_BRICKS_COUNTER,    BINDING_CELLS_COUNTER,
};
#define COUNTERS 2 // at their end

bool listed_create(struct gpu *gpu, struct listed *out, struct problem *problem)
{
    *out = (struct listed){ 0 };
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    VkDescriptorSetLayoutBinding bindings[LISTED_BINDINGS];
    for (uint32_t i = 0; i < LISTED_BINDINGS; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = numbers[i],
            .descriptorType = i < LISTED_BINDINGS - COUNTERS
                                  ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                  : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = stages,
        };
    }
    if (!descriptors_create(gpu, bindings, LISTED_BINDINGS, "lists", &out->descriptors, problem)) {
        return false;
    }
    const VkPushConstantRange range = { .stageFlags = stages, .size = 128 };
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &out->descriptors.layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VK_TRY(vkCreatePipelineLayout(gpu->device, &layout, NULL, &out->layout));
    return true;
fail:
    listed_destroy(gpu, out);
    return false;
}

void listed_destroy(struct gpu *gpu, struct listed *listed)
{
    if (gpu->device && !gpu->lost) {
        vkDestroyPipelineLayout(gpu->device, listed->layout, NULL);
    }
    descriptors_destroy(gpu, &listed->descriptors);
    *listed = (struct listed){ 0 };
}

bool listed_create_pipelines(
    struct gpu *gpu, const struct listed *listed, VkFormat format, VkSampleCountFlagBits samples,
    struct listed_pipelines *out, struct problem *problem)
{
    const struct pipeline_params bricks = {
        .name = "active bricks",
        .vertex = &shader_bricks_vert,
        .fragment = &shader_bricks_frag,
        .layout = listed->layout,
        .format = format,
        .depth = VK_FORMAT_D32_SFLOAT,
        .depth_test = true,
        .samples = samples,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    struct pipeline_params cells = bricks, levels = bricks;
    cells.name = "active cells";
    cells.vertex = &shader_cells_vert;
    cells.fragment = &shader_cells_frag;
    levels.name = "levels of the pyramid";
    levels.vertex = &shader_levels_vert;
    levels.fragment = &shader_levels_frag;
    return pipeline_create(gpu, &bricks, &out->bricks, problem) &&
           pipeline_create(gpu, &cells, &out->cells, problem) &&
           pipeline_create(gpu, &levels, &out->levels, problem);
}

void listed_destroy_pipelines(struct gpu *gpu, const struct listed_pipelines *pipelines)
{
    vkDestroyPipeline(gpu->device, pipelines->bricks, NULL);
    vkDestroyPipeline(gpu->device, pipelines->cells, NULL);
    vkDestroyPipeline(gpu->device, pipelines->levels, NULL);
}

enum show listed_shows(const struct view *view, const struct extraction_lists *lists)
{
    return lists && (view->show != SHOW_LEVELS || lists->levels) ? view->show : SHOW_SURFACE;
}

void listed_bind(struct gpu *gpu, struct listed *listed, const struct extraction_lists *lists)
{
    // Without a pyramid nothing reads what its bindings were before.
    const struct buffer *const buffers[] = {
        lists->bricks, lists->cells,  lists->slots,   lists->row_masks,
        lists->masks,  lists->levels, lists->control, lists->control,
    };
    const uint32_t slots[COUNTERS] = { lists->bricks_counter, lists->cells_counter };
    VkWriteDescriptorSet writes[LISTED_BINDINGS];
    VkDescriptorBufferInfo infos[COUNTERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < LISTED_BINDINGS; i++) {
        const bool texels = i < LISTED_BINDINGS - COUNTERS;
        const uint32_t counter = texels ? 0 : i - (LISTED_BINDINGS - COUNTERS);
        const uint64_t offset = texels ? 0 : (uint64_t)slots[counter] * BUFFER_SLOT;
        if (!buffers[i] || listed->bound[i] == buffer_place(buffers[i], offset)) {
            continue;
        }
        listed->bound[i] = buffer_place(buffers[i], offset);
        infos[counter] = (VkDescriptorBufferInfo){ buffers[i]->handle, offset, BUFFER_SLOT };
        writes[count++] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = listed->descriptors.set,
            .dstBinding = numbers[i],
            .descriptorCount = 1,
            .descriptorType = texels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                     : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &infos[counter],
            // The levels' texels of four words are their second view.
            .pTexelBufferView = &buffers[i]->views[numbers[i] == TEXELS(BINDING_PARTIALS)],
        };
    }
    vkUpdateDescriptorSets(gpu->device, count, writes, 0, NULL);
}

static void
listed_push(const struct listed *listed, VkCommandBuffer cmd, const void *data, size_t size)
{
    vkCmdPushConstants(
        cmd, listed->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
        (uint32_t)size, data);
}

// Draws as many vertices as the device has written.
static void
listed_draw_list(VkCommandBuffer cmd, const struct extraction_lists *lists, uint32_t command)
{
    const uint32_t stride = sizeof(VkDrawIndirectCommand);
    vkCmdDrawIndirect(
        cmd, lists->control->handle, (uint64_t)lists->draws * BUFFER_SLOT + command * stride, 1,
        stride);
}

// The matrix to clip space from the units of the part that the lists are of.
static void listed_clip(const struct listed_scene *scene, float out[4][4])
{
    const float base[3] = { 0, (float)scene->lists->base_y, (float)scene->lists->base_z };
    memcpy(out, scene->clip, sizeof scene->clip);
    for (int r = 0; r < 4; r++) {
        out[3][r] += out[1][r] * base[1] + out[2][r] * base[2];
    }
}

// How bright a side of a box is that faces along this direction of view space.
static float listed_shade(const float faces[3], float sign)
{
    static const float key[3] = { -0.572f, 0.710f, 0.414f };
    const float size = hypotf(hypotf(faces[0], faces[1]), faces[2]);
    const float lit = sign * (faces[0] * key[0] + faces[1] * key[1] + faces[2] * key[2]) / size;
    return 0.55f + 0.45f * lit;
}

static void listed_draw_bricks(
    const struct listed *listed, const struct listed_pipelines *pipelines, VkCommandBuffer cmd,
    const struct listed_scene *scene)
{
    struct bricks_push push = { .high = { [3] = (float)scene->lists->grid[1] } };
    listed_clip(scene, push.clip);
    mat4 clip, back;
    memcpy(clip, push.clip, sizeof clip);
    glm_mat4_inv(clip, back);
    // The eye is where all rays meet: at w = 0 of clip space, a point or a direction.
    vec4 eye = { 0, 0, scene->view->camera.ortho ? -1 : 1, 0 };
    glm_mat4_mulv(back, eye, eye);
    const float w = scene->view->camera.ortho ? 1 : eye[3];
    for (int i = 0; i < 3; i++) {
        const float base =
            i == 0 ? 0 : (float)(i == 1 ? scene->lists->base_y : scene->lists->base_z);
        push.eye[i] = eye[i] / w;
        push.extent[i] = (float)(scene->placement->dim[i] - 1) - base;
        push.high[i] = listed_shade(scene->normal[i], 1);
        push.low[i] = listed_shade(scene->normal[i], -1);
    }
    push.eye[3] = scene->view->camera.ortho ? 0 : 1;
    push.extent[3] = (float)scene->lists->grid[0];
    push.low[3] = fmaxf(1, fminf(scene->width, scene->height) / 800);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines->bricks);
    listed_push(listed, cmd, &push, sizeof push);
    listed_draw_list(cmd, scene->lists, 0);
}

static void listed_draw_cells(
    const struct listed *listed, const struct listed_pipelines *pipelines, VkCommandBuffer cmd,
    const struct listed_scene *scene)
{
    struct cells_push push = { 0 };
    listed_clip(scene, push.clip);
    float cell = INFINITY; // its shortest side
    for (int c = 0; c < 3; c++) {
        const float *side = scene->placement->model[c];
        cell = fminf(cell, hypotf(hypotf(side[0], side[1]), side[2]));
        memcpy(push.normal[c], scene->normal[c], sizeof scene->normal[c]);
    }
    const float samples = (float)scene->samples;
    push.normal[0][3] = (float)scene->lists->grid[0];
    push.normal[1][3] = (float)scene->lists->grid[1];
    push.normal[2][3] = scene->view->show == SHOW_ORDER ? -samples : samples;
    push.point[0] = CELL_SHARE * cell * fabsf(scene->projection[0][0]);
    push.point[1] = CELL_SHARE * cell * fabsf(scene->projection[1][1]);
    push.point[2] = LEAST_POINT * 2 / scene->width;
    push.point[3] = LEAST_POINT * 2 / scene->height;
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines->cells);
    listed_push(listed, cmd, &push, sizeof push);
    listed_draw_list(cmd, scene->lists, 1);
}

void listed_squares(float width, float height, float squares[LISTED_LEVELS][3])
{
    const float scale = fmaxf(0.75f, fminf(width, height) / 800);
    const float gap = floorf(6 * scale), least = floorf(10 * scale), margin = floorf(28 * scale);
    // A power of two, so that all nodes of a level are of one size.
    const float most = exp2f(floorf(log2f(fmaxf(least, fminf(0.34f * height, 0.30f * width)))));
    float bottom = height - margin;
    for (int i = 0; i < LISTED_LEVELS; i++) {
        const float side = fmaxf(least, floorf(most / (float)(1 << i)));
        squares[i][0] = margin + floorf((most - side) / 2);
        squares[i][1] = bottom - side;
        squares[i][2] = side;
        bottom -= side + gap;
    }
}

static void listed_draw_levels(
    const struct listed *listed, const struct listed_pipelines *pipelines, VkCommandBuffer cmd,
    const struct listed_scene *scene)
{
    float squares[LISTED_LEVELS][3];
    listed_squares(scene->width, scene->height, squares);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines->levels);
    for (uint32_t i = 0; i < LISTED_LEVELS; i++) {
        const float *at = squares[i];
        const struct levels_push push = {
            .square = { at[0] / scene->width * 2 - 1, at[1] / scene->height * 2 - 1,
                        (at[0] + at[2]) / scene->width * 2 - 1,
                        (at[1] + at[2]) / scene->height * 2 - 1 },
            .level = i,
            .side = (uint32_t)at[2],
            .leaves = scene->lists->leaves,
            .pyramid = scene->lists->method->pyramid,
        };
        listed_push(listed, cmd, &push, sizeof push);
        vkCmdDraw(cmd, 6, 1, 0, 0);
    }
}

void listed_draw(
    const struct listed *listed, const struct listed_pipelines *pipelines, VkCommandBuffer cmd,
    const struct listed_scene *scene)
{
    const enum show show = listed_shows(scene->view, scene->lists);
    if (show == SHOW_SURFACE) {
        return;
    }
    vkCmdBindDescriptorSets(
        cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, listed->layout, 0, 1, &listed->descriptors.set, 0,
        NULL);
    if (show == SHOW_BRICKS) {
        listed_draw_bricks(listed, pipelines, cmd, scene);
    } else if (show == SHOW_LEVELS) {
        listed_draw_levels(listed, pipelines, cmd, scene);
    } else {
        listed_draw_cells(listed, pipelines, cmd, scene);
    }
}
