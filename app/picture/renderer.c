#include "app/picture/renderer.h"

#include "app/picture/pipeline.h"
#include "app/picture/sides.h"
#include "shaders.h"
#include "shaders/shared/picture.h"

#include <assert.h>
#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

// The least that every device offers.
static_assert(sizeof(struct surface_push) <= 128, "surface_push is over 128 bytes");
static_assert(sizeof(struct background_push) <= sizeof(struct surface_push), "the layout has room");
static_assert(sizeof(struct box_push) <= sizeof(struct surface_push), "the layout has room");

static const VkVertexInputBindingDescription bindings[] = { { .stride = VERTEX_BYTES } };
static const VkVertexInputAttributeDescription attributes[] = {
    { .location = 0, .format = VK_FORMAT_R32G32B32_SFLOAT },
    { .location = 1, .format = VK_FORMAT_R32G32B32_SFLOAT, .offset = VERTEX_BYTES / 2 },
};

static bool renderer_create_pipelines(
    struct gpu *gpu, const struct renderer *renderer, VkSampleCountFlagBits samples,
    struct renderer_pipelines *out, struct problem *problem)
{
    const struct pipeline_params background = {
        .name = "background",
        .vertex = &shader_background_vert,
        .fragment = &shader_background_frag,
        .layout = renderer->layout,
        .format = renderer->format,
        .depth = VK_FORMAT_D32_SFLOAT,
        .samples = samples,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const struct pipeline_params lit = {
        .name = "surface",
        .vertex = &shader_surface_vert,
        .fragment = &shader_surface_frag,
        .layout = renderer->layout,
        .format = renderer->format,
        .depth = VK_FORMAT_D32_SFLOAT,
        .depth_test = true,
        .culls = true,
        .samples = samples,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .bindings = bindings,
        .attributes = attributes,
        .binding_count = 1,
        .attribute_count = 2,
    };
    const struct pipeline_params box = {
        .name = "box",
        .vertex = &shader_box_vert,
        .fragment = &shader_box_frag,
        .layout = renderer->layout,
        .format = renderer->format,
        .depth = VK_FORMAT_D32_SFLOAT,
        .depth_test = true,
        .depth_kept = true,
        .blend = true,
        .samples = samples,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    struct pipeline_params occluded = lit;
    occluded.name = "surface with occlusion";
    occluded.vertex = &shader_surface_occluded_vert;
    occluded.fragment = &shader_surface_occluded_frag;
    occluded.layout = renderer->light_layout;
    struct pipeline_params lines = lit;
    lines.name = "lines of the surface";
    lines.polygon = VK_POLYGON_MODE_LINE;
    return pipeline_create(gpu, &background, &out->background, problem) &&
           pipeline_create(gpu, &lit, &out->lit, problem) &&
           pipeline_create(gpu, &occluded, &out->occluded, problem) &&
           pipeline_create(gpu, &box, &out->box, problem) &&
           listed_create_pipelines(
               gpu, &renderer->listed, renderer->format, samples, &out->listed, problem) &&
           (!gpu->wireframe || pipeline_create(gpu, &lines, &out->lines, problem));
}

static void renderer_destroy_pipelines(struct gpu *gpu, const struct renderer_pipelines *pipelines)
{
    vkDestroyPipeline(gpu->device, pipelines->background, NULL);
    vkDestroyPipeline(gpu->device, pipelines->lit, NULL);
    vkDestroyPipeline(gpu->device, pipelines->occluded, NULL);
    vkDestroyPipeline(gpu->device, pipelines->lines, NULL);
    vkDestroyPipeline(gpu->device, pipelines->box, NULL);
    listed_destroy_pipelines(gpu, &pipelines->listed);
}

bool renderer_create(
    struct gpu *gpu, VkFormat format, uint32_t samples, struct renderer *out,
    struct problem *problem)
{
    *out = (struct renderer){ .gpu = gpu, .format = format, .lines = gpu->wireframe };
    if (!picture_samples(gpu, samples, &out->samples, problem)) {
        return false;
    }
    const VkPushConstantRange range = {
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .size = sizeof(struct surface_push),
    };
    if (!light_create(gpu, &out->light, problem) || !listed_create(gpu, &out->listed, problem) ||
        !cast_show_create(gpu, format, &out->rays, problem)) {
        goto fail;
    }
    VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VK_TRY(vkCreatePipelineLayout(gpu->device, &layout, NULL, &out->layout));
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &out->light.descriptors.layout;
    VK_TRY(vkCreatePipelineLayout(gpu->device, &layout, NULL, &out->light_layout));
    if (!renderer_create_pipelines(gpu, out, out->samples, &out->full, problem) ||
        !renderer_create_pipelines(gpu, out, VK_SAMPLE_COUNT_1_BIT, &out->draft, problem)) {
        goto fail;
    }
    return true;
fail:
    renderer_destroy(gpu, out);
    return false;
}

void renderer_destroy(struct gpu *gpu, struct renderer *renderer)
{
    if (gpu->device && !gpu->lost) {
        renderer_destroy_pipelines(gpu, &renderer->full);
        renderer_destroy_pipelines(gpu, &renderer->draft);
        vkDestroyPipelineLayout(gpu->device, renderer->layout, NULL);
        vkDestroyPipelineLayout(gpu->device, renderer->light_layout, NULL);
    }
    light_destroy(gpu, &renderer->light);
    listed_destroy(gpu, &renderer->listed);
    cast_show_destroy(gpu, &renderer->rays);
    *renderer = (struct renderer){ 0 };
}

bool scene_is_transparent(const struct scene *scene)
{
    return scene->for_file && scene->view->background == BACKGROUND_TRANSPARENT;
}

// Whether the surface is drawn: not where only lists are.
static bool renderer_draws_surface(const struct scene *scene)
{
    const enum show show = listed_shows(scene->view, scene->lists);
    return show == SHOW_SURFACE || show == SHOW_LEVELS;
}

// Whether the surface is drawn with occlusion.
static bool renderer_occludes(const struct renderer *renderer, const struct scene *scene)
{
    const struct cubes *cubes = scene->light.cubes;
    return cubes && scene->placement && !scene->draft && !scene->view->wireframe &&
           renderer_draws_surface(scene) && scene->view->light == LIGHT_OCCLUSION &&
           light_fits(&renderer->light, cubes);
}

static bool renderer_has_samples(const struct picture *picture, const struct scene *scene)
{
    return picture->samples > VK_SAMPLE_COUNT_1_BIT && !scene->draft && !scene->by_rays;
}

// The pixels of the picture that are drawn.
static VkRect2D renderer_within(const struct picture *picture, const struct scene *scene)
{
    const VkRect2D all = { .extent = { picture->width, picture->height } };
    return scene->within.extent.width > 0 ? scene->within : all;
}

static void
renderer_begin(VkCommandBuffer cmd, const struct picture *picture, const struct scene *scene)
{
    const bool multi = renderer_has_samples(picture, scene);
    const bool resolves = multi && !scene->unfinished;
    const struct image *depth_image =
        multi || !picture->draft_depth.handle ? &picture->depth : &picture->draft_depth;
    const VkPipelineStageFlags2 output = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkPipelineStageFlags2 tests =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    struct image_turn resolved = {
        .image = picture->resolved.handle,
        .from_stage =
            VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | output,
        .from_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .to_stage = output,
        .to_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT,
        .to = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    };
    struct image_turn colour = resolved;
    colour.image = picture->colour.handle;
    colour.from_stage = output;
    struct image_turn depth = {
        .image = depth_image->handle,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
        .from_stage = tests,
        .from_access = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        .to_stage = tests,
        .to_access = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                     VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
        .to = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
    };
    if (scene->within.extent.width > 0) {
        resolved.from = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    }
    if (scene->continued) {
        (multi ? &colour : &resolved)->from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        depth.from = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    }
    image_turn(cmd, &resolved);
    image_turn(cmd, &depth);
    if (multi) {
        image_turn(cmd, &colour);
    }

    const VkRenderingAttachmentInfo target = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = multi ? picture->colour.view : picture->resolved.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = resolves ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = resolves ? picture->resolved.view : VK_NULL_HANDLE,
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = scene->continued              ? VK_ATTACHMENT_LOAD_OP_LOAD
                  : scene_is_transparent(scene) ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                                : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = resolves ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingAttachmentInfo depths = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = depth_image->view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .loadOp = scene->continued ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp =
            scene->unfinished ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .clearValue.depthStencil.depth = 1,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = renderer_within(picture, scene),
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &target,
        .pDepthAttachment = &depths,
    };
    vkCmdBeginRendering(cmd, &info);
}

// The area may reach beyond the picture, and beyond what is drawn of it.
static void renderer_set_area(
    VkCommandBuffer cmd, const struct picture *picture, const struct scene *scene,
    const VkRect2D area)
{
    const VkViewport viewport = {
        .x = (float)area.offset.x,
        .y = (float)area.offset.y,
        .width = (float)area.extent.width,
        .height = (float)area.extent.height,
        .maxDepth = 1,
    };
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    const VkRect2D inside = picture_area(picture, area), within = renderer_within(picture, scene);
    const VkRect2D both = picture_both(inside, within);
    vkCmdSetScissor(cmd, 0, 1, &both);
}

static void
renderer_push(VkPipelineLayout layout, VkCommandBuffer cmd, const void *data, size_t size)
{
    vkCmdPushConstants(
        cmd, layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, (uint32_t)size,
        data);
}

static void renderer_draw_mesh(VkCommandBuffer cmd, const struct surface *surface, uint32_t command)
{
    vkCmdBindVertexBuffers(cmd, 0, 1, &surface->vertices.handle, &(VkDeviceSize){ 0 });
    vkCmdBindIndexBuffer(cmd, surface->indices.handle, 0, VK_INDEX_TYPE_UINT32);
    const uint32_t stride = sizeof(VkDrawIndexedIndirectCommand);
    vkCmdDrawIndexedIndirect(cmd, surface->draw.handle, command * stride, 1, stride);
}

static void renderer_draw_meshes(VkCommandBuffer cmd, const struct scene *scene)
{
    for (uint32_t i = 0; scene->surface && i <= scene->further; i++) {
        if (scene->surface[i].draw.handle) {
            renderer_draw_mesh(cmd, &scene->surface[i], 0);
        }
    }
}

static void renderer_draw_surfaces(
    const struct renderer *renderer, const struct renderer_pipelines *pipelines,
    VkCommandBuffer cmd, const struct scene *scene, struct surface_push *constants, int style,
    const struct sides *sides)
{
    const bool occludes = style == SURFACE_LIT && renderer_occludes(renderer, scene);
    const VkPipelineLayout layout = occludes ? renderer->light_layout : renderer->layout;
    constants->style = (constants->style & ~(uint32_t)SURFACE_STYLES) | (uint32_t)style;
    vkCmdBindPipeline(
        cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
        occludes               ? pipelines->occluded
        : style == SURFACE_LIT ? pipelines->lit
                               : pipelines->lines);
    if (occludes) {
        vkCmdBindDescriptorSets(
            cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &renderer->light.descriptors.set, 0,
            NULL);
    }
    renderer_push(layout, cmd, constants, sizeof *constants);
    vkCmdSetCullMode(cmd, VK_CULL_MODE_NONE);
    if (scene->fallback && scene->fallback->draw.handle) {
        renderer_draw_mesh(cmd, scene->fallback, 1);
    }
    vkCmdSetCullMode(cmd, sides->culled);
    renderer_draw_meshes(cmd, scene);
    if (sides->again) {
        vkCmdSetCullMode(cmd, sides->again);
        vkCmdSetScissor(cmd, 0, 1, &sides->within);
        renderer_draw_meshes(cmd, scene);
        vkCmdSetScissor(cmd, 0, 1, &sides->whole);
    }
}

static void renderer_draw_styles(
    const struct renderer *renderer, const struct renderer_pipelines *pipelines,
    VkCommandBuffer cmd, const struct scene *scene, struct surface_push *constants,
    const struct sides *sides)
{
    struct scene without;
    if (!renderer_draws_surface(scene)) {
        // The lists are drawn instead. Where they are not whole, nothing of them is, but the
        // fallback.
        without = *scene;
        without.surface = NULL;
        scene = &without;
    }
    if (scene->view->wireframe && renderer->lines) {
        const struct sides both = { VK_CULL_MODE_NONE };
        renderer_draw_surfaces(renderer, pipelines, cmd, scene, constants, SURFACE_LINES, &both);
        return;
    }
    renderer_draw_surfaces(renderer, pipelines, cmd, scene, constants, SURFACE_LIT, sides);
    if (scene->view->edges && renderer->lines) {
        renderer_draw_surfaces(renderer, pipelines, cmd, scene, constants, SURFACE_EDGES, sides);
    }
}

static void renderer_draw_lists(
    const struct renderer *renderer, const struct renderer_pipelines *pipelines,
    VkCommandBuffer cmd, const struct scene *scene, const struct surface_push *constants,
    mat4 projection)
{
    struct listed_scene listed = {
        .view = scene->view,
        .placement = scene->placement,
        .lists = scene->lists,
        .width = (float)scene->area.extent.width,
        .height = (float)scene->area.extent.height,
        .samples = pipelines == &renderer->full ? renderer->samples : 1,
    };
    memcpy(listed.clip, constants->clip, sizeof listed.clip);
    memcpy(listed.projection, projection, sizeof listed.projection);
    for (int c = 0; c < 3; c++) {
        memcpy(listed.normal[c], constants->normal[c], sizeof listed.normal[c]);
    }
    listed_draw(&renderer->listed, &pipelines->listed, cmd, &listed);
}

// As in struct surface_push. No picture is larger than 16384 pixels.
static uint32_t renderer_centre(const VkRect2D *area)
{
    const int32_t x = 2 * area->offset.x + (int32_t)area->extent.width;
    const int32_t y = 2 * area->offset.y + (int32_t)area->extent.height;
    assert(x == (int16_t)x && y == (int16_t)y);
    return (uint32_t)y << 16 | (uint16_t)x;
}

// As in struct surface_push.
static uint32_t renderer_colour(const struct colour *colour)
{
    uint32_t packed = colour->set ? SURFACE_CHOSEN : 0;
    for (int c = 0; colour->set && c < 3; c++) {
        packed |= (uint32_t)(sqrt(colour_linear(colour->rgb[c])) * 1023 + 0.5) << (20 - 10 * c);
    }
    return packed;
}

// What the shaders of a scene's surface get, and the matrices that it is made of.
struct renderer_surface {
    struct surface_push push;
    mat4 projection, model_view;
};

static void renderer_surface(const struct scene *scene, struct renderer_surface *out)
{
    const struct placement *placement = scene->placement;
    const VkExtent2D extent = scene->area.extent;
    struct camera_matrices matrices;
    camera_matrices(&scene->view->camera, (float)extent.width, (float)extent.height, &matrices);

    mat4 view, model, clip;
    memcpy(view, matrices.view, sizeof view);
    memcpy(out->projection, matrices.projection, sizeof out->projection);
    memcpy(model, placement->model, sizeof model);
    glm_mat4_mul(view, model, out->model_view);
    glm_mat4_mul(out->projection, out->model_view, clip);

    struct surface_push *push = &out->push;
    *push = (struct surface_push){
        .style = (uint32_t)scene->view->look << SURFACE_LOOK |
                 (placement->mirrored ? SURFACE_MIRRORED : 0) |
                 (scene->view->flat ? SURFACE_FLAT : 0),
        .centre = renderer_centre(&scene->area),
        .pixel = 2 / (out->projection[0][0] * (float)extent.width),
        .colour = renderer_colour(&scene->view->colour),
    };
    memcpy(push->clip, clip, sizeof push->clip);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            for (int i = 0; i < 3; i++) {
                push->normal[c][r] += view[i][r] * placement->normal[c][i];
            }
        }
    }
    push->normal[0][3] = 1 / out->projection[0][0];
    push->normal[1][3] = 1 / out->projection[1][1];
    push->normal[2][3] = scene->view->camera.ortho ? 1 / out->projection[2][2] : 1;
}

static void renderer_draw_scene(
    const struct renderer *renderer, const struct renderer_pipelines *pipelines,
    VkCommandBuffer cmd, const struct picture *picture, const struct scene *scene)
{
    const struct placement *placement = scene->placement;
    const VkExtent2D extent = scene->area.extent;
    struct renderer_surface surface;
    renderer_surface(scene, &surface);
    struct backs_view seen = {
        .dim = { placement->dim[0], placement->dim[1], placement->dim[2] },
        .ortho = scene->view->camera.ortho,
    };
    memcpy(seen.camera, surface.model_view, sizeof seen.camera);
    memcpy(seen.clip, surface.push.clip, sizeof seen.clip);
    const bool twice = renderer->gpu->software && !renderer_occludes(renderer, scene);
    renderer_set_area(cmd, picture, scene, scene->area);
    if (scene->casting) {
        cast_show_draw(
            &renderer->rays, cmd, &surface.push, scene->casting, &scene->cast, &scene->cast_place);
    } else {
        const struct sides sides =
            sides_of(&scene->light, &seen, placement->mirrored, picture, scene->area, twice);
        renderer_draw_styles(renderer, pipelines, cmd, scene, &surface.push, &sides);
        renderer_draw_lists(renderer, pipelines, cmd, scene, &surface.push, surface.projection);
    }
    // After the last part: where surface and box are equally near, the surface is seen, however it
    // is divided.
    if (scene->view->box && !scene->unfinished) {
        struct box_push box = {
            .pixel = { 2 / (float)extent.width, 2 / (float)extent.height },
        };
        memcpy(box.clip, surface.push.clip, sizeof box.clip);
        for (int i = 0; i < 3; i++) {
            box.extent[i] = (float)(placement->dim[i] - 1);
        }
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines->box);
        renderer_push(renderer->layout, cmd, &box, sizeof box);
        vkCmdDraw(cmd, 72, 1, 0, 0);
    }
}

static void renderer_draw_background(
    const struct renderer *renderer, const struct renderer_pipelines *pipelines,
    VkCommandBuffer cmd, const struct picture *picture, const struct scene *scene)
{
    static const struct background_push looks[] = {
        [BACKGROUND_DARK] = { { 0.235f, 0.262f, 0.302f, 1 }, { 0.082f, 0.090f, 0.106f, 0 } },
        [BACKGROUND_LIGHT] = { { 0.945f, 0.953f, 0.965f, 1 }, { 0.792f, 0.808f, 0.832f, 0 } },
        [BACKGROUND_WHITE] = { { 1, 1, 1, 0 }, { 1, 1, 1, 0 } },
        [BACKGROUND_TRANSPARENT] = { { 0.32f, 0.32f, 0.32f, 0 }, { 0.25f, 0.25f, 0.25f, 12 } },
        [BACKGROUND_COLOUR] = { { 0 } },
    };
    struct background_push push = looks[scene->view->background];
    for (int i = 0; scene->view->background == BACKGROUND_COLOUR && i < 3; i++) {
        push.top[i] = push.bottom[i] = (float)scene->view->background_colour.rgb[i] / 255;
    }
    // The gradient goes over the whole of a picture of which only a part is drawn.
    const bool part = scene->area.offset.x < 0 || scene->area.offset.y < 0 ||
                      scene->area.extent.width > picture->width ||
                      scene->area.extent.height > picture->height;
    const VkRect2D all = { .extent = { picture->width, picture->height } };
    renderer_set_area(cmd, picture, scene, part ? scene->area : all);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines->background);
    renderer_push(renderer->layout, cmd, &push, sizeof push);
    vkCmdDraw(cmd, 3, 1, 0, 0);
}

void scene_set_cast(struct scene *scene, VkRect2D pixels, uint32_t scale)
{
    const struct view *view = scene->view;
    struct cast *cast = &scene->cast;
    const bool full = scale == 1 && !scene->draft;
    const bool edges = full && scene->casting->edges.samples > 1;
    const bool shadow = view->shadow && scene->casting->has_shadow;
    // Pixels around, so that edges and shadows do not depend on how a picture is divided.
    const uint32_t border = full && shadow ? CAST_BORDER : edges;
    pixels.offset.x -= (int32_t)border;
    pixels.offset.y -= (int32_t)border;
    pixels.extent.width += 2 * border;
    pixels.extent.height += 2 * border;
    *cast = (struct cast){
        .caster = view_caster(view),
        .method = view->method,
        .rounds = view->rounds,
        .iso = view->iso,
        .x = (pixels.offset.x - scene->area.offset.x) / (int32_t)scale,
        .y = (pixels.offset.y - scene->area.offset.y) / (int32_t)scale,
        .width = (pixels.extent.width + scale - 1) / scale,
        .height = (pixels.extent.height + scale - 1) / scale,
        .edges = edges,
        .border = border,
        .shadow = shadow,
    };
    scene->by_rays = true;
    scene->cast_place = (struct cast_place){ pixels.offset.x, pixels.offset.y, scale };
    cast_show_rays(
        &view->camera, scene->placement, scene->area.extent.width, scene->area.extent.height,
        &cast->rays, &cast->light);
    for (int i = 0; i < 3; i++) { // a ray goes through the centre of its square
        cast->rays.across[i] *= (float)scale;
        cast->rays.down[i] *= (float)scale;
    }
}

void renderer_shade(struct renderer *renderer, const struct scene *scene, struct run *run)
{
    const bool occludes = renderer_occludes(renderer, scene);
    struct renderer_surface surface;
    renderer_surface(scene, &surface);
    if (occludes) {
        light_record(
            &renderer->light, run->cmd, &scene->light, scene->view->light_samples,
            scene->placement);
    }
    cast_show_shade(
        &renderer->rays, run, &surface.push, scene->casting, &scene->cast,
        occludes ? &renderer->light : NULL);
}

void renderer_cast(struct renderer *renderer, const struct scene *scene, struct run *run)
{
    casting_record(scene->casting, run, &scene->cast);
    renderer_shade(renderer, scene, run);
}

void renderer_record(
    struct renderer *renderer, VkCommandBuffer cmd, const struct picture *picture,
    const struct scene *scene)
{
    const struct renderer_pipelines *pipelines =
        renderer_has_samples(picture, scene) ? &renderer->full : &renderer->draft;
    if (scene->casting) {
        cast_show_bind(renderer->gpu, &renderer->rays, scene->casting);
    } else if (renderer_occludes(renderer, scene)) {
        light_record(
            &renderer->light, cmd, &scene->light, scene->view->light_samples, scene->placement);
    }
    if (scene->lists) {
        listed_bind(renderer->gpu, &renderer->listed, scene->lists);
    }
    renderer_begin(cmd, picture, scene);
    if (!scene_is_transparent(scene) && !scene->continued) {
        renderer_draw_background(renderer, pipelines, cmd, picture, scene);
    }
    if (scene->placement) {
        renderer_draw_scene(renderer, pipelines, cmd, picture, scene);
    }
    vkCmdEndRendering(cmd);
    if (scene->unfinished) {
        return;
    }
    struct image_turn done = {
        .image = picture->resolved.handle,
        .from_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .from_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .to_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .to_access = VK_ACCESS_2_TRANSFER_READ_BIT,
        .from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    if (picture->sampled) {
        done.to_stage = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
        done.to_access = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
        done.to = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    }
    image_turn(cmd, &done);
}
