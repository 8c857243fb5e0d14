#include "app/picture/renderer.h"

#include "app/picture/backs.h"
#include "app/picture/drawable.h"
#include "app/picture/listed.h"
#include "app/picture/planes.h"
#include "app/settings/table.h"

#include <assert.h>
#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

// The table of drawables. Within one layer, they are drawn in this order.
static const struct drawable *const drawables[RENDERER_DRAWABLES] = {
    &drawable_background, &drawable_surface, &drawable_surface_occluded, &drawable_surface_lines,
    &drawable_planes,     &drawable_rays,    &drawable_rays_draft,       &drawable_bricks,
    &drawable_cells,      &drawable_levels,  &drawable_slices,           &drawable_box,
};

// Creates the pipelines of this way to cut that are not there yet.
static bool renderer_create_pipelines(
    struct renderer *renderer, enum cut cut, bool late, struct problem *problem)
{
    bool fine = true;
    for (int i = 0; fine && i < RENDERER_DRAWABLES; i++) {
        struct pipeline_params params = drawables[i]->pipeline;
        struct pipeline *pipeline = &renderer->pipelines[i][cut];
        params.format = renderer->format;
        params.depth = VK_FORMAT_D32_SFLOAT;
        params.samples = params.samples ? params.samples : renderer->samples;
        params.drafts = true;
        if (cut != CUT_NOT) {
            params.vertex = drawables[i]->cut[cut].vertex;
            params.fragment = drawables[i]->cut[cut].fragment;
            params.by_sample = cut == CUT_DISCARD;
        }
        fine = (drawables[i]->late && !late) ||
               (params.polygon == VK_POLYGON_MODE_LINE && !renderer->lines) || !params.vertex ||
               pipeline->full || pipeline_create(renderer->gpu, &params, pipeline, problem);
    }
    return fine;
}

// How the device cuts.
static enum cut renderer_cut(const struct renderer *renderer, const struct cuts *cuts)
{
    return cuts->count == 0                                           ? CUT_NOT
           : renderer->gpu->clips && (!cuts->all || cuts->count == 1) ? CUT_CLIP
                                                                      : CUT_DISCARD;
}

bool renderer_prepare(
    struct renderer *renderer, const struct scene *scene, uint64_t pixels, struct problem *problem)
{
    const bool shown = planes_are_shown(scene);
    struct cuts cuts;
    view_cuts(scene->view, scene->placement, &cuts);
    return renderer_create_pipelines(renderer, renderer_cut(renderer, &cuts), false, problem) &&
           (!shown ||
            (renderer_create_pipelines(renderer, CUT_NOT, true, problem) &&
             section_fit(renderer->gpu, &renderer->section, scene->atlas, pixels, problem)));
}

// The pipeline of a row, or NULL if the device cannot have it. Without renderer_prepare, that of
// what is not cut.
static struct pipeline *renderer_pipeline(const struct renderer *renderer, int row, enum cut cut)
{
    const struct pipeline *own = &renderer->pipelines[row][cut];
    return (struct pipeline *)(own->full ? own : &renderer->pipelines[row][CUT_NOT]);
}

static const struct buffer_params renderer_block = {
    .name = "picture block",
    .size = sizeof(struct picture_block),
    .memory = BUFFER_UPLOAD,
    .purpose = PURPOSE_PICTURE,
};

uint64_t renderer_bytes(const struct gpu *gpu)
{
    return buffer_bytes(gpu, &renderer_block);
}

bool renderer_create(
    struct gpu *gpu, VkFormat format, uint32_t samples, struct renderer *out,
    struct problem *problem)
{
    *out = (struct renderer){ .gpu = gpu, .format = format, .lines = gpu->wireframe };
    if (!picture_samples(gpu, samples, &out->samples, problem)) {
        return false;
    }
    if (!buffer_create(gpu, &renderer_block, &out->block, problem) ||
        !light_create(gpu, &out->light, problem) || !cast_show_create(gpu, &out->rays, problem) ||
        !renderer_create_pipelines(out, CUT_NOT, false, problem)) {
        renderer_destroy(gpu, out);
        return false;
    }
    return true;
}

void renderer_destroy(struct gpu *gpu, struct renderer *renderer)
{
    for (int i = 0; i < RENDERER_DRAWABLES; i++) {
        for (int cut = 0; cut < CUTS; cut++) {
            pipeline_destroy(gpu, &renderer->pipelines[i][cut]);
        }
    }
    buffer_destroy(gpu, &renderer->block);
    light_destroy(gpu, &renderer->light);
    cast_show_destroy(gpu, &renderer->rays);
    section_destroy(gpu, &renderer->section);
    *renderer = (struct renderer){ 0 };
}

// Whether the surface is drawn. It is not where only lists are shown.
static bool renderer_draws_surface(const struct scene *scene)
{
    const enum show show = listed_draws(scene->view, scene->lists);
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
        .renderArea = drawing_within(picture, scene),
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &target,
        .pDepthAttachment = &depths,
    };
    vkCmdBeginRendering(cmd, &info);
}

// Converts a side's colour to linear light, in the steps in which colours of rays are stored. Keep
// the order of the products: it decides the last bit, and so a few bytes of pictures.
static void renderer_colour(const struct colour *colour, float out[4])
{
    for (int c = 0; c < 3; c++) {
        const float root = (float)(uint32_t)(sqrt(colour_linear(colour->rgb[c])) * 1023 + 0.5);
        out[c] = root * (root * (1 / (1023.0f * 1023.0f)));
    }
}

static void renderer_fill_look(const struct view *view, struct picture_block *out)
{
    static const struct {
        float front[4], back[4], gloss, rim, ambient;
    } looks[LOOKS] = {
        [LOOK_BONE] = { { 0.700f, 0.560f, 0.385f }, { 0.130f, 0.235f, 0.330f }, 0.11f, 0.25f, 1 },
        [LOOK_CLAY] = { { 0.560f, 0.255f, 0.150f }, { 0.220f, 0.200f, 0.190f }, 0, 0, 1.3f },
        [LOOK_SCAN] = { { 0.800f, 0.790f, 0.770f }, { 0.330f, 0.160f, 0.110f }, 0.22f, 0.35f, 2 },
    };
    static const struct {
        float top[4], bottom[4];
    } skies[] = {
        [BACKGROUND_DARK] = { { 0.235f, 0.262f, 0.302f, 1 }, { 0.082f, 0.090f, 0.106f, 0 } },
        [BACKGROUND_LIGHT] = { { 0.945f, 0.953f, 0.965f, 1 }, { 0.792f, 0.808f, 0.832f, 0 } },
        [BACKGROUND_WHITE] = { { 1, 1, 1, 0 }, { 1, 1, 1, 0 } },
        [BACKGROUND_TRANSPARENT] = { { 0.32f, 0.32f, 0.32f, 0 }, { 0.25f, 0.25f, 0.25f, 12 } },
        [BACKGROUND_COLOUR] = { { 0 }, { 0 } },
    };
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        const struct colour colour = view_colour(view, i);
        if (colour.set) {
            renderer_colour(&colour, out->front[i]);
        } else {
            memcpy(out->front[i], looks[view->look].front, sizeof out->front[i]);
        }
    }
    memcpy(out->back, looks[view->look].back, sizeof out->back);
    out->gloss = looks[view->look].gloss;
    out->rim = looks[view->look].rim;
    out->ambient = looks[view->look].ambient;
    memcpy(out->sky_top, skies[view->background].top, sizeof out->sky_top);
    memcpy(out->sky_bottom, skies[view->background].bottom, sizeof out->sky_bottom);
    for (int i = 0; view->background == BACKGROUND_COLOUR && i < 3; i++) {
        out->sky_top[i] = out->sky_bottom[i] = (float)view->background_colour.rgb[i] / 255;
    }
}

// Fills what depends on the placement and the camera. `samples`: per pixel, for lists.
static void renderer_fill_space(
    const struct scene *scene, float samples, mat4 model_view, struct picture_block *out)
{
    const struct placement *placement = scene->placement;
    const VkExtent2D extent = scene->area.extent;
    struct camera_matrices matrices;
    camera_matrices(&scene->view->camera, (float)extent.width, (float)extent.height, &matrices);
    mat4 view, model, projection, clip;
    memcpy(view, matrices.view, sizeof view);
    memcpy(projection, matrices.projection, sizeof projection);
    memcpy(model, placement->model, sizeof model);
    glm_mat4_mul(view, model, model_view);
    glm_mat4_mul(projection, model_view, clip);
    memcpy(out->clip, clip, sizeof out->clip);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            for (int i = 0; i < 3; i++) {
                out->normal[c][r] += view[i][r] * placement->normal[c][i];
            }
        }
        out->extent[c] = (float)(placement->dim[c] - 1);
    }
    out->view[0] = 1 / projection[0][0];
    out->view[1] = 1 / projection[1][1];
    out->view[2] = 2 / (projection[0][0] * (float)extent.width);
    out->view[3] = scene->view->camera.ortho ? 1 / projection[2][2] : 1;
    out->style = (placement->mirrored ? SURFACE_MIRRORED : 0) | settings_style(scene->view);
    for (uint32_t i = 0; i < view_contours(scene->view); i++) {
        const bool solid = view_shows(scene->view, i) && scene->view->transparencies[i] == 0;
        out->solid |= (uint32_t)solid << i;
    }
    if (scene->casting) {
        out->style |= (scene->cast.shadow ? SURFACE_SHADOWED : 0) |
                      (casting_by_pixel(scene->casting, &scene->cast) ? SURFACE_BY_PIXEL : 0);
        out->samples = cast_layered(&scene->cast) ? 0
                       : scene->cast.edges        ? scene->casting->edges.samples
                                                  : 1;
    } else if (listed_shows(scene->view, scene->lists) != SHOW_SURFACE) {
        listed_fill(scene, samples, (float[2]){ projection[0][0], projection[1][1] }, out);
    }
}

// Writes the block that all shaders read. All that is recorded for one submission reads one block.
static void renderer_write(struct renderer *renderer, const struct picture_block *block)
{
    assert(
        renderer->written != renderer->gpu->runs ||
        memcmp(renderer->block.mapped, block, sizeof *block) == 0);
    renderer->written = renderer->gpu->runs;
    memcpy(renderer->block.mapped, block, sizeof *block);
}

// Converts `within` to pixels of the picture: rounded outwards, and one pixel larger.
static VkRect2D
renderer_seen_backs(const struct picture *picture, const VkRect2D *area, const float within[4])
{
    const double across = area->extent.width / 2.0, down = area->extent.height / 2.0;
    const double left = area->offset.x + (within[0] + 1) * across;
    const double top = area->offset.y + (within[1] + 1) * down;
    const double right = area->offset.x + (within[2] + 1) * across;
    const double bottom = area->offset.y + (within[3] + 1) * down;
    return picture_inside(
        picture, (int64_t)left - 2, (int64_t)top - 2, (int64_t)right + 2, (int64_t)bottom + 2);
}

// `mirrored`: the affine mirrors. `area`: what the camera sees. `twice`: the surface may be drawn
// twice, which is faster where a CPU draws, because pixels cost more there than vertices.
static struct sides renderer_sides(
    const struct cubes *cubes, double iso, const struct backs_view *view, bool mirrored,
    const struct picture *picture, VkRect2D area, bool twice)
{
    const VkCullModeFlags backs = mirrored ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT;
    const VkCullModeFlags fronts = mirrored ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_FRONT_BIT;
    float within[4];
    struct sides sides = { .whole = picture_area(picture, area) };
    const enum backs seen = cubes ? backs_of(cubes, iso, view, within) : BACKS_SEEN;
    if (seen == BACKS_HIDDEN) {
        sides.culled = backs;
    } else if (seen == BACKS_WITHIN && twice) {
        sides.culled = backs;
        sides.within = renderer_seen_backs(picture, &area, within);
        sides.again = sides.within.extent.width > 0 ? fronts : VK_CULL_MODE_NONE;
    }
    return sides;
}

static void renderer_open(struct renderer *renderer, struct drawing *drawing)
{
    const struct scene *scene = drawing->scene;
    const struct placement *placement = scene->placement;
    const VkRect2D area = scene->area;
    struct picture_block *block = &drawing->block;
    block->pixel[0] = 2 / (float)area.extent.width;
    block->pixel[1] = 2 / (float)area.extent.height;
    renderer_fill_look(scene->view, block);
    if (placement) {
        mat4 model_view;
        view_cuts(scene->view, placement, &drawing->cuts);
        drawing->cut = renderer_cut(renderer, &drawing->cuts);
        for (uint32_t i = drawing->cuts.count; i < PLANES_MOST; i++) {
            block->planes[i][3] = // unused: decides nothing
                drawing->cuts.all && drawing->cut == CUT_DISCARD ? -1 : 1;
        }
        memcpy(block->planes, drawing->cuts.at, drawing->cuts.count * sizeof *block->planes);
        renderer_fill_space(
            scene, drawing->draft ? 1 : (float)renderer->samples, model_view, block);
        drawing->push.centre_x = 2 * area.offset.x + (int32_t)area.extent.width;
        drawing->push.centre_y = 2 * area.offset.y + (int32_t)area.extent.height;
        drawing->occludes = renderer_occludes(renderer, scene);
        struct backs_view seen = {
            .dim = { placement->dim[0], placement->dim[1], placement->dim[2] },
            .ortho = scene->view->camera.ortho,
        };
        memcpy(seen.camera, model_view, sizeof seen.camera);
        memcpy(seen.clip, block->clip, sizeof seen.clip);
        for (uint32_t i = 0; !scene->casting && i < CONTOURS_MOST; i++) {
            if (scene->contours[i].surface) {
                const bool cut = drawing->cuts.count && drawing->cuts.contours >> i & 1;
                drawing->sides[i] = renderer_sides(
                    cut ? NULL : scene->light.cubes, scene->contours[i].iso, &seen,
                    placement->mirrored, drawing->picture, area,
                    renderer->gpu->software && !drawing->occludes);
            }
        }
    }
    renderer_write(renderer, block);
}

static bool renderer_draws(const struct drawing *drawing, const struct drawable *row)
{
    const struct scene *scene = drawing->scene;
    const bool layers[LAYERS] = {
        [LAYER_BEHIND] = !scene->continued && !scene_is_transparent(scene),
        [LAYER_OPAQUE] = scene->placement,
        [LAYER_TRANSPARENT] = scene->placement && !scene->unfinished,
    };
    return layers[row->layer] && (!row->when || row->when(drawing)) &&
           (!row->shows || (!scene->casting && row->shows >> drawing->show & 1));
}

static void renderer_bind(
    struct renderer *renderer, const struct drawing *drawing, bool drawn[RENDERER_DRAWABLES])
{
    for (int i = 0; i < RENDERER_DRAWABLES; i++) {
        drawn[i] = renderer_draws(drawing, drawables[i]);
        if (drawn[i]) {
            struct binding table[BINDINGS] = { [BINDING_PICTURE] = { &renderer->block } };
            if (drawables[i]->bind) {
                drawables[i]->bind(drawing, table);
            }
            descriptors_bind(
                renderer->gpu, &renderer_pipeline(renderer, i, drawing->cut)->descriptors, table);
        }
    }
}

static void renderer_draw(
    const struct renderer *renderer, const struct drawing *drawing,
    const bool drawn[RENDERER_DRAWABLES])
{
    for (enum layer layer = 0; layer < LAYERS; layer++) {
        for (int i = 0; i < RENDERER_DRAWABLES; i++) {
            if (drawn[i] && drawables[i]->layer == layer) {
                drawing_set_area(drawing, drawing->scene->area);
                drawables[i]->draw(drawing, renderer_pipeline(renderer, i, drawing->cut));
            }
        }
    }
}

void renderer_shade(struct renderer *renderer, const struct scene *scene, struct run *run)
{
    struct drawing drawing = { .scene = scene };
    renderer_open(renderer, &drawing);
    if (drawing.occludes) {
        light_record(
            &renderer->light, run->cmd, &scene->light, scene->view->light_samples,
            scene->placement);
    }
    cast_show_shade(
        &renderer->rays, run, &renderer->block, scene->casting, &scene->cast,
        drawing.occludes ? &renderer->light : NULL);
}

void renderer_cast(struct renderer *renderer, const struct scene *scene, struct run *run)
{
    casting_record(scene->casting, run, &scene->cast);
    renderer_shade(renderer, scene, run);
}

#define LAYERS_AT_ONCE 8 // layers of a submission

void renderer_record_layers(
    struct renderer *renderer, const struct scene *scene, struct run *run, uint32_t count)
{
    const struct light *light = renderer_occludes(renderer, scene) ? &renderer->light : NULL;
    struct casting *casting = scene->casting;
    struct cast_show *rays = &renderer->rays;
    const bool begun = casting->at != LAYERS_NONE, ended = begun && !casting_layers_left(casting);
    if (ended && casting->at == LAYERS_OF_PIXELS) {
        casting_find_samples(casting, run, &scene->cast);
        return;
    }
    if (ended && casting->at == LAYERS_OF_SAMPLES) {
        casting_end_samples(casting);
        cast_show_mean(rays, run, &renderer->block, casting);
        return;
    }
    if (casting->at == LAYERS_FOUND) {
        casting_record_samples(casting, run, &scene->cast);
        cast_show_shade(rays, run, &renderer->block, casting, &scene->cast, light);
    }
    for (uint32_t i = 0; i < count; i++) {
        casting_record_layer(casting, run, &scene->cast);
        cast_show_shade(rays, run, &renderer->block, casting, &scene->cast, light);
    }
    casting_record_left(casting, run);
}

bool renderer_cast_layers(
    struct renderer *renderer, const struct scene *scene, bool *again, struct problem *problem)
{
    struct gpu *gpu = renderer->gpu;
    struct casting *casting = scene->casting;
    struct run run;
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    run_begin(&run, gpu, cmd, NULL);
    renderer_cast(renderer, scene, &run);
    bool fine = gpu_submit_and_wait(gpu, cmd, problem);
    *again = false;
    // This ends: on each ray a crossing follows the one before.
    while (fine && !*again && casting_layers_go_on(casting, &scene->cast)) {
        cmd = gpu_begin(gpu, problem);
        if (!cmd) {
            return false;
        }
        run_begin(&run, gpu, cmd, NULL);
        renderer_record_layers(renderer, scene, &run, LAYERS_AT_ONCE);
        fine = gpu_submit_and_wait(gpu, cmd, problem) &&
               (casting->at != LAYERS_FOUND || casting_again(casting, again, problem));
    }
    return fine;
}

void renderer_section(
    struct renderer *renderer, struct run *run, const struct picture *picture,
    const struct scene *scene)
{
    const uint32_t samples = scene->draft     ? 1
                             : scene->casting ? scene->casting->edges.samples
                                              : renderer->samples;
    struct section_params params;
    if (planes_are_shown(scene)) {
        const VkRect2D area = picture_area(picture, scene->area);
        planes_params(
            scene, picture_both(area, drawing_within(picture, scene)), samples ? samples : 1,
            &params);
        section_record(&renderer->section, run, scene->atlas, &renderer->block, &params);
    }
}

void renderer_record(
    struct renderer *renderer, VkCommandBuffer cmd, const struct picture *picture,
    const struct scene *scene)
{
    struct drawing drawing = {
        .cmd = cmd,
        .picture = picture,
        .scene = scene,
        .light = &renderer->light,
        .section = &renderer->section,
        .lines = renderer->lines,
        .draft = !renderer_has_samples(picture, scene),
        .show = listed_draws(scene->view, scene->lists),
    };
    bool drawn[RENDERER_DRAWABLES];
    renderer_open(renderer, &drawing);
    if (drawing.occludes && !scene->casting) {
        light_record(
            &renderer->light, cmd, &scene->light, scene->view->light_samples, scene->placement);
    }
    renderer_bind(renderer, &drawing, drawn);
    renderer_begin(cmd, picture, scene);
    renderer_draw(renderer, &drawing, drawn);
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
