#include "app/picture/drawable.h"
#include "compute/extraction/extraction.h"
#include "shaders.h"

static bool surface_is_lines(const struct drawing *drawing)
{
    return drawing->scene->view->wireframe && drawing->lines;
}

static void surface_draw_mesh(VkCommandBuffer cmd, const struct surface *surface, uint32_t command)
{
    vkCmdBindVertexBuffers(cmd, 0, 1, &surface->vertices.handle, &(VkDeviceSize){ 0 });
    vkCmdBindIndexBuffer(cmd, surface->indices.handle, 0, VK_INDEX_TYPE_UINT32);
    const uint32_t stride = sizeof(VkDrawIndexedIndirectCommand);
    vkCmdDrawIndexedIndirect(cmd, surface->draw.handle, command * stride, 1, stride);
}

// Draws nothing where lists are shown instead. If meshes are not whole, only the fallback is drawn.
static void surface_draw_meshes(const struct drawing *drawing, const struct scene_contour *contour)
{
    const bool shown = drawing->show == SHOW_SURFACE || drawing->show == SHOW_LEVELS;
    for (uint32_t i = 0; shown && contour->surface && i <= contour->further; i++) {
        if (contour->surface[i].draw.handle) {
            surface_draw_mesh(drawing->cmd, &contour->surface[i], 0);
        }
    }
}

static void surface_draw_contour(
    const struct drawing *drawing, const struct scene_contour *contour, const struct sides *sides)
{
    VkCommandBuffer cmd = drawing->cmd;
    vkCmdSetCullMode(cmd, VK_CULL_MODE_NONE);
    if (contour->fallback && contour->fallback->draw.handle) {
        surface_draw_mesh(cmd, contour->fallback, 1);
    }
    vkCmdSetCullMode(cmd, sides->culled);
    surface_draw_meshes(drawing, contour);
    if (sides->again) {
        vkCmdSetCullMode(cmd, sides->again);
        vkCmdSetScissor(cmd, 0, 1, &sides->within);
        surface_draw_meshes(drawing, contour);
        vkCmdSetScissor(cmd, 0, 1, &sides->whole);
    }
}

// `sides`: of all contours; NULL: each one's own.
static void surface_draw_style(
    const struct drawing *drawing, const struct pipeline *pipeline, uint32_t style,
    const struct sides *sides)
{
    const struct scene *scene = drawing->scene;
    struct picture_push push = drawing->push;
    push.style = style;
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        const struct scene_contour *contour = &scene->contours[i];
        push.contour = i;
        push.cut = drawing->cuts.contours >> i & 1;
        if (contour->surface || contour->fallback) {
            pipeline_use(pipeline, drawing->cmd, drawing->draft, &push);
            surface_draw_contour(drawing, contour, sides ? sides : &drawing->sides[i]);
        }
    }
}

static bool surface_is_lit(const struct drawing *drawing)
{
    return !drawing->scene->casting && !surface_is_lines(drawing) && !drawing->occludes;
}

static bool surface_is_occluded(const struct drawing *drawing)
{
    return !drawing->scene->casting && drawing->occludes;
}

static void surface_bind_light(const struct drawing *drawing, struct binding table[BINDINGS])
{
    light_bind(drawing->light, table);
}

static void surface_draw_lit(const struct drawing *drawing, const struct pipeline *pipeline)
{
    surface_draw_style(drawing, pipeline, SURFACE_LIT, NULL);
}

static bool surface_has_lines(const struct drawing *drawing)
{
    return !drawing->scene->casting && drawing->lines &&
           (drawing->scene->view->wireframe || drawing->scene->view->edges);
}

static void surface_draw_lines(const struct drawing *drawing, const struct pipeline *pipeline)
{
    const struct sides both = { VK_CULL_MODE_NONE };
    const bool alone = surface_is_lines(drawing);
    surface_draw_style(
        drawing, pipeline, alone ? SURFACE_LINES : SURFACE_EDGES, alone ? &both : NULL);
}

static const VkVertexInputBindingDescription bindings[] = { { .stride = VERTEX_BYTES } };
static const VkVertexInputAttributeDescription attributes[] = {
    { .location = 0, .format = VK_FORMAT_R32G32B32_SFLOAT },
    { .location = 1, .format = VK_FORMAT_R32G32B32_SFLOAT, .offset = VERTEX_BYTES / 2 },
};

#define SURFACE                                                                                    \
    .depth_test = true, .culls = true, .bindings = bindings, .attributes = attributes,             \
    .binding_count = 1, .attribute_count = 2

#define LIT_CUTS                                                                                   \
    {                                                                                              \
        [CUT_CLIP] = { &shader_surface_clip_vert, &shader_surface_frag },                          \
        [CUT_DISCARD] = { &shader_surface_discard_vert, &shader_surface_discard_frag },            \
    }

const struct drawable drawable_surface = {
    .pipeline = {
        .name = "surface",
        .vertex = &shader_surface_vert,
        .fragment = &shader_surface_frag,
        SURFACE,
    },
    .cut = LIT_CUTS,
    .layer = LAYER_OPAQUE,
    .when = surface_is_lit,
    .draw = surface_draw_lit,
};

const struct drawable drawable_surface_occluded = {
    .pipeline = {
        .name = "surface with occlusion",
        .vertex = &shader_surface_occluded_vert,
        .fragment = &shader_surface_occluded_frag,
        SURFACE,
    },
    .cut = {
        [CUT_CLIP] = { &shader_surface_clip_occluded_vert, &shader_surface_occluded_frag },
        [CUT_DISCARD] = { &shader_surface_discard_occluded_vert,
                          &shader_surface_discard_occluded_frag },
    },
    .layer = LAYER_OPAQUE,
    .when = surface_is_occluded,
    .bind = surface_bind_light,
    .draw = surface_draw_lit,
};

const struct drawable drawable_surface_lines = {
    .pipeline = {
        .name = "lines of the surface",
        .vertex = &shader_surface_vert,
        .fragment = &shader_surface_frag,
        .polygon = VK_POLYGON_MODE_LINE,
        SURFACE,
    },
    .cut = LIT_CUTS,
    .layer = LAYER_OPAQUE,
    .when = surface_has_lines,
    .draw = surface_draw_lines,
};
