#include "app/picture/offscreen.h"

#include "app/picture/scene_save.h"
#include "app/ranks/ranks.h"
#include "compute/gpu/label.h"

static bool offscreen_is_composited(void)
{
    return ranks()->count > 1;
}

static struct picture_params
offscreen_picture(const struct offscreen_params *params, const struct bands *bands)
{
    return (struct picture_params){
        .width = bands->columns,
        .height = bands->rows,
        .format = VK_FORMAT_R8G8B8A8_SRGB,
        .samples = params->samples,
        .composited = offscreen_is_composited(),
    };
}

void offscreen_fit(const struct gpu *gpu, struct offscreen_params *params)
{
    const struct bands bands = bands_of(params->width, params->height);
    const struct picture_params picture = offscreen_picture(params, &bands);
    const uint64_t fit = gpu_memory_free(gpu) / 4 / picture_bytes(gpu, &picture);
    uint64_t most = (uint64_t)bands.across * bands.down;
    most = most < OFFSCREEN_AT_ONCE ? most : OFFSCREEN_AT_ONCE;
    params->at_once = (uint32_t)(fit < 1 ? 1 : fit < most ? fit : most);
}

uint64_t offscreen_bytes(const struct gpu *gpu, const struct offscreen_params *params)
{
    const struct bands bands = bands_of(params->width, params->height);
    const struct picture_params picture = offscreen_picture(params, &bands);
    const struct buffer_params pixels = {
        .size = (uint64_t)bands.columns * bands.rows * 4,
        .memory = BUFFER_READBACK,
    };
    return params->at_once * picture_bytes(gpu, &picture) + buffer_bytes(gpu, &pixels) +
           (picture.composited ? composite_bytes(gpu, &bands) : 0) +
           (params->occlusion ? light_bytes(gpu, params->volume->dim) : 0) +
           (params->planes ? section_bytes(gpu, (uint64_t)bands.columns * bands.rows) : 0) +
           renderer_bytes(gpu);
}

bool offscreen_open(
    struct gpu *gpu, const struct view *view, const struct offscreen_params *params,
    struct offscreen *out, struct problem *problem)
{
    *out = (struct offscreen){
        .gpu = gpu,
        .view = *view,
        .cubes = params->cubes,
        .bands = bands_of(params->width, params->height),
        .at_once = params->at_once,
    };
    if ((view->wireframe || view->edges) && !gpu->wireframe) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "%s cannot draw the triangles' edges (it lacks fillModeNonSolid): leave --%s out, or "
            "try "
            "another --device",
            gpu->properties.deviceName, view->wireframe ? "wireframe" : "edges");
    }
    const float width = (float)params->width, height = (float)params->height;
    view_place(&out->view, params->volume, &out->placement);
    view_begin(&out->view, &out->placement, params->cubes, width, height);
    out->scene = (struct scene){
        .view = &out->view,
        .placement = &out->placement,
        .for_file = true,
    };
    const struct picture_params picture = offscreen_picture(params, &out->bands);
    bool fine =
        ranks_share(0, &out->view.camera, sizeof out->view.camera, problem) &&
        renderer_create(gpu, VK_FORMAT_R8G8B8A8_SRGB, view->samples, &out->renderer, problem) &&
        (ranks()->rank > 0 || canvas_create(
                                  params->width, params->height, scene_is_transparent(&out->scene),
                                  &out->canvas, problem)) &&
        scene_band_create(
            gpu, &out->renderer, &out->bands, picture.samples, picture.composited,
            &out->pictures[0], &out->pixels, problem) &&
        (!picture.composited ||
         composite_create(
             gpu, &out->bands, picture.format, picture.samples, &out->composite, problem)) &&
        (!params->occlusion || light_fit(gpu, &out->renderer.light, params->cubes, problem));
    for (uint32_t i = 1; fine && i < out->at_once; i++) {
        fine = picture_create(gpu, &picture, &out->pictures[i], problem);
    }
    if (!fine) {
        offscreen_close(out);
    }
    return fine;
}

// The number of bands that are being drawn. The last time there may be fewer.
static uint32_t offscreen_count(const struct offscreen *offscreen)
{
    const uint32_t left = offscreen->bands.across * offscreen->bands.down - offscreen->first;
    return left < offscreen->at_once ? left : offscreen->at_once;
}

// Sets the isovalues and the light of the scene, which shows no surface yet.
static void offscreen_set(struct offscreen *offscreen)
{
    struct scene *scene = &offscreen->scene;
    for (uint32_t i = 0; i < view_contours(&offscreen->view); i++) {
        scene->contours[i] = (struct scene_contour){ .iso = offscreen->view.isos[i] };
    }
    scene_set_light(scene, offscreen->cubes);
}

bool offscreen_add(
    struct offscreen *offscreen, uint32_t contour, const struct surface *surface,
    const struct extraction_lists *lists, struct problem *problem)
{
    struct gpu *gpu = offscreen->gpu;
    struct scene *scene = &offscreen->scene;
    const uint64_t pixels = (uint64_t)offscreen->bands.columns * offscreen->bands.rows;
    if (!renderer_prepare(&offscreen->renderer, scene, pixels, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    offscreen_set(offscreen);
    scene->contours[contour].surface = surface;
    scene->lists = lists;
    scene->unfinished = true;
    label_begin(gpu, cmd, "picture");
    for (uint32_t i = 0; i < offscreen_count(offscreen); i++) {
        scene_set_band(scene, &offscreen->bands, offscreen->first + i);
        renderer_section(&offscreen->renderer, &run, &offscreen->pictures[i], scene);
        renderer_record(&offscreen->renderer, cmd, &offscreen->pictures[i], scene);
    }
    label_end(gpu, cmd);
    if (!gpu_submit_and_wait(gpu, cmd, problem)) {
        return false; // nothing was drawn; the caller may try again
    }
    scene->continued = true;
    return true;
}

// Goes on to the next bands, after `count` bands.
static void offscreen_go_on(struct offscreen *offscreen, uint32_t count, bool *more)
{
    offscreen->first += count;
    *more = offscreen_count(offscreen) > 0;
    offscreen->first = *more ? offscreen->first : 0;
}

bool offscreen_cast(
    struct offscreen *offscreen, struct casting *casting, struct parts *parts,
    const struct progress *progress, uint32_t *hits, bool *more, struct problem *problem)
{
    struct scene *scene = &offscreen->scene;
    const struct band band = band_at(&offscreen->bands, offscreen->first);
    scene->casting = casting;
    scene->parts = parts;
    scene->progress = progress;
    offscreen_set(offscreen);
    scene_set_band(scene, &offscreen->bands, offscreen->first);
    const bool fine = scene_draw_band(
        offscreen->gpu, &offscreen->renderer, scene, &offscreen->pictures[0], &offscreen->pixels,
        &band, &offscreen->canvas, hits, problem);
    offscreen_go_on(offscreen, 1, more);
    return fine;
}

// Puts the nearest samples of all ranks into the bands of rank 0.
static bool offscreen_composite(struct offscreen *offscreen, struct problem *problem)
{
    // A rank without parts has drawn nothing yet. It draws a scene without a surface.
    bool fine = offscreen->scene.continued || offscreen_add(offscreen, 0, NULL, NULL, problem);
    for (uint32_t i = 0; fine && i < offscreen_count(offscreen); i++) {
        const struct band band = band_at(&offscreen->bands, offscreen->first + i);
        fine = composite_band(&offscreen->composite, &offscreen->pictures[i], &band, problem);
    }
    return fine;
}

bool offscreen_finish(struct offscreen *offscreen, bool *more, struct problem *problem)
{
    struct scene *scene = &offscreen->scene;
    const uint32_t count = offscreen_count(offscreen);
    if (offscreen_is_composited() && !offscreen_composite(offscreen, problem)) {
        return false;
    }
    offscreen_set(offscreen);
    scene->lists = NULL;
    scene->unfinished = false;
    for (uint32_t i = 0; ranks()->rank == 0 && i < count; i++) {
        uint32_t hits;
        const struct band band = band_at(&offscreen->bands, offscreen->first + i);
        scene_set_band(scene, &offscreen->bands, offscreen->first + i);
        if (!scene_draw_band(
                offscreen->gpu, &offscreen->renderer, scene, &offscreen->pictures[i],
                &offscreen->pixels, &band, &offscreen->canvas, &hits, problem)) {
            return false;
        }
    }
    scene->continued = false;
    offscreen_go_on(offscreen, count, more);
    return true;
}

void offscreen_close(struct offscreen *offscreen)
{
    struct gpu *gpu = offscreen->gpu;
    if (gpu) {
        buffer_destroy(gpu, &offscreen->pixels);
        composite_destroy(&offscreen->composite);
        for (uint32_t i = 0; i < offscreen->at_once; i++) {
            picture_destroy(gpu, &offscreen->pictures[i]);
        }
        renderer_destroy(gpu, &offscreen->renderer);
    }
    canvas_destroy(&offscreen->canvas);
    *offscreen = (struct offscreen){ 0 };
}
