#include "app/picture/cast_show.h"

#include "app/picture/pipeline.h"
#include "shaders.h"
#include "shaders/shared/picture.h"

#include <math.h>

// What shaders/draw/rays.* read.
static const uint32_t numbers[] = { BINDING_HITS, BINDING_TILES, BINDING_COLOURS };
#define BOUND (sizeof numbers / sizeof *numbers)

static bool cast_show_create_pipelines(
    struct gpu *gpu, VkFormat format, struct cast_show *show, struct problem *problem)
{
    const struct pipeline_params params = {
        .name = "rays",
        .vertex = &shader_rays_vert,
        .fragment = &shader_rays_frag,
        .layout = show->layout,
        .format = format,
        .depth = VK_FORMAT_D32_SFLOAT,
        .depth_test = true,
        .blend = true,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    struct pipeline_params draft = params;
    draft.name = "draft of rays";
    draft.fragment = &shader_rays_draft_frag;
    return pipeline_create(gpu, &params, &show->pipeline, problem) &&
           pipeline_create(gpu, &draft, &show->draft, problem);
}

static bool
cast_show_create_kernels(struct gpu *gpu, struct cast_show *show, struct problem *problem)
{
    static const struct kernel_params rows[CAST_SHOW_KERNELS][2] = {
        [CAST_SHOW_HITS] = { { .name = "shade", .shader = &shader_cast_shade },
                             { .name = "shade with occlusion",
                               .shader = &shader_cast_shade_occluded } },
        [CAST_SHOW_EDGES] = { { .name = "shade edges", .shader = &shader_cast_shade_edges },
                              { .name = "shade edges with occlusion",
                                .shader = &shader_cast_shade_edges_occluded } },
    };
    for (int i = 0; i < CAST_SHOW_KERNELS; i++) {
        for (int occluded = 0; occluded < 2; occluded++) {
            struct kernel *kernel = &show->kernels[i][occluded];
            if (!kernel_create(gpu, &rows[i][occluded], kernel, problem)) {
                return false;
            }
        }
    }
    const struct kernel_params mean = { .name = "mean of edges", .shader = &shader_cast_edge_mean };
    return kernel_create(gpu, &mean, &show->mean, problem);
}

bool cast_show_create(
    struct gpu *gpu, VkFormat format, struct cast_show *out, struct problem *problem)
{
    *out = (struct cast_show){ 0 };
    VkDescriptorSetLayoutBinding bindings[BOUND];
    for (uint32_t i = 0; i < BOUND; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = numbers[i],
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        };
    }
    if (!descriptors_create(gpu, bindings, BOUND, "hits", &out->descriptors, problem)) {
        return false;
    }
    const VkPushConstantRange range = {
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .size = sizeof(struct surface_push),
    };
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &out->descriptors.layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VK_TRY(vkCreatePipelineLayout(gpu->device, &layout, NULL, &out->layout));
    if (cast_show_create_pipelines(gpu, format, out, problem) &&
        cast_show_create_kernels(gpu, out, problem)) {
        return true;
    }
fail:
    cast_show_destroy(gpu, out);
    return false;
}

void cast_show_destroy(struct gpu *gpu, struct cast_show *show)
{
    if (gpu->device && !gpu->lost) {
        vkDestroyPipeline(gpu->device, show->pipeline, NULL);
        vkDestroyPipeline(gpu->device, show->draft, NULL);
        vkDestroyPipelineLayout(gpu->device, show->layout, NULL);
    }
    for (int i = 0; i < CAST_SHOW_KERNELS; i++) {
        kernel_destroy(gpu, &show->kernels[i][0]);
        kernel_destroy(gpu, &show->kernels[i][1]);
    }
    kernel_destroy(gpu, &show->mean);
    descriptors_destroy(gpu, &show->descriptors);
    *show = (struct cast_show){ 0 };
}

void cast_show_bind(struct gpu *gpu, struct cast_show *show, const struct casting *casting)
{
    struct binding table[BINDINGS] = { 0 };
    casting_bind_hits(casting, table);
    VkWriteDescriptorSet writes[BOUND];
    VkDescriptorBufferInfo infos[BOUND];
    uint32_t count = 0;
    for (uint32_t i = 0; i < BOUND; i++) {
        const struct buffer *buffer = table[numbers[i]].buffer;
        if (show->bound[i] == buffer->serial) {
            continue;
        }
        show->bound[i] = buffer->serial;
        infos[count] = (VkDescriptorBufferInfo){ buffer->handle, 0, VK_WHOLE_SIZE };
        writes[count] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = show->descriptors.set,
            .dstBinding = numbers[i],
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &infos[count],
        };
        count++;
    }
    vkUpdateDescriptorSets(gpu->device, count, writes, 0, NULL);
}

void cast_show_shade(
    struct cast_show *show, struct run *run, const struct surface_push *surface,
    const struct casting *casting, const struct cast *cast, const struct light *light)
{
    const struct buffer *arguments[CAST_SHOW_KERNELS] = {
        [CAST_SHOW_HITS] = &casting->buffers[CASTING_ARGUMENTS],
        [CAST_SHOW_EDGES] = cast->edges ? &casting->edges.buffers[EDGES_ARGUMENTS] : NULL,
    };
    struct surface_push push = *surface;
    struct binding table[BINDINGS] = { 0 };
    if (!casting->atlas) { // of no part: nothing has been hit
        return;
    }
    if (cast->shadow) {
        push.style |= SURFACE_SHADOWED;
    }
    if (casting_by_pixel(casting, cast)) {
        push.style |= SURFACE_BY_PIXEL;
    }
    if (light) {
        table[BINDING_SOLID] = (struct binding){ &light->solid };
        table[BINDING_LIGHT] = (struct binding){ &light->params };
    }
    casting_bind_hits(casting, table);
    for (int i = 0; i < CAST_SHOW_KERNELS && arguments[i]; i++) {
        struct kernel *kernel = &show->kernels[i][light ? 1 : 0];
        run_dispatch_indirect(run, kernel, table, &push, arguments[i], 0);
    }
    if (cast->edges) {
        push.style |= (casting->edges.samples - 1) << SURFACE_SAMPLES;
        run_dispatch_indirect(run, &show->mean, table, &push, arguments[CAST_SHOW_EDGES], 0);
    }
    for (size_t i = 0; i < BOUND; i++) {
        run_use(run, table[numbers[i]].buffer, ACCESS_SHOW);
    }
}

// The centre of the viewport, see struct surface_push, counted from the first pixel of the cast.
static uint32_t cast_show_centre(uint32_t centre, const struct cast_place *place)
{
    const int32_t x = (int16_t)(uint16_t)centre - 2 * place->x;
    const int32_t y = (int16_t)(uint16_t)(centre >> 16) - 2 * place->y;
    return (uint32_t)y << 16 | (uint16_t)x;
}

void cast_show_draw(
    const struct cast_show *show, VkCommandBuffer cmd, const struct surface_push *surface,
    const struct casting *casting, const struct cast *cast, const struct cast_place *place)
{
    struct surface_push push = *surface;
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    push.style |= place->scale << SURFACE_SCALE | cast->width << SURFACE_COLUMNS;
    if (cast->edges) {
        push.style |= (casting->edges.samples - 1) << SURFACE_SAMPLES;
    }
    push.centre = cast_show_centre(surface->centre, place);
    push.colour = cast->height;
    vkCmdBindPipeline(
        cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, place->scale > 1 ? show->draft : show->pipeline);
    vkCmdBindDescriptorSets(
        cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, show->layout, 0, 1, &show->descriptors.set, 0, NULL);
    vkCmdPushConstants(cmd, show->layout, stages, 0, (uint32_t)sizeof push, &push);
    vkCmdDraw(cmd, 6, casting_tiles(cast), 0, 0); // two triangles a tile
}

static void cast_show_light(const struct rays_camera *from, struct rays_light *out)
{
    double towards[3] = { KEY_LIGHT_X, KEY_LIGHT_Y, KEY_LIGHT_Z };
    const double length = hypot(hypot(towards[0], towards[1]), towards[2]);
    for (int i = 0; i < 3; i++) {
        towards[i] /= length;
    }
    rays_light_of(from, towards, KEY_LIGHT_WIDTH, out);
}

void cast_show_rays(
    const struct camera *camera, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out, struct rays_light *light)
{
    struct camera_matrices matrices;
    camera_matrices(camera, (float)width, (float)height, &matrices);
    const double depth = matrices.projection[2][2], shift = matrices.projection[3][2];
    struct rays_camera from = {
        .half_width = 1 / (double)matrices.projection[0][0],
        .half_height = 1 / fabs((double)matrices.projection[1][1]),
        .ortho = camera->ortho,
        .near_plane = shift / depth,
        .width = width,
        .height = height,
    };
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 4; r++) {
            for (int i = 0; i < 4; i++) {
                from.to_view[c][r] += (double)matrices.view[i][r] * placement->model[c][i];
            }
        }
    }
    rays_of(&from, placement->dim, out);
    if (light) {
        cast_show_light(&from, light);
    }
}
