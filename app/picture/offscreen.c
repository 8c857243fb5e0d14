#include "app/picture/offscreen.h"

#include "app/picture/scene_save.h"
#include "compute/gpu/label.h"

uint64_t offscreen_bytes(const struct gpu *gpu, const struct offscreen_params *params)
{
    const struct picture_params picture = {
        .width = params->width,
        .height = params->height,
        .format = VK_FORMAT_R8G8B8A8_SRGB,
        .samples = params->samples,
    };
    const struct buffer_params pixels = {
        .size = (uint64_t)params->width * params->height * 4,
        .memory = BUFFER_READBACK,
    };
    return picture_bytes(gpu, &picture) + buffer_bytes(gpu, &pixels);
}

bool offscreen_open(
    struct gpu *gpu, const struct volume *volume, const struct cubes *cubes,
    const struct view *view, const struct offscreen_params *params, struct offscreen *out,
    struct problem *problem)
{
    *out = (struct offscreen){ .gpu = gpu, .view = *view };
    if ((view->wireframe || view->edges) && !gpu->wireframe) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "%s cannot draw the triangles' edges (it lacks fillModeNonSolid): leave --%s out, or "
            "try "
            "another --device",
            gpu->properties.deviceName, view->wireframe ? "wireframe" : "edges");
    }
    const float width = (float)params->width, height = (float)params->height;
    view_place(&out->view, volume, &out->placement);
    view_begin(&out->view, &out->placement, cubes, width, height);
    out->scene = (struct scene){
        .view = &out->view,
        .placement = &out->placement,
        .area.extent = { params->width, params->height },
        .for_file = true,
    };
    if (!renderer_create(gpu, VK_FORMAT_R8G8B8A8_SRGB, view->samples, &out->renderer, problem) ||
        !scene_pixels(
            gpu, &out->renderer, params->width, params->height, &out->picture, &out->pixels,
            problem)) {
        offscreen_close(out);
        return false;
    }
    return true;
}

bool offscreen_add(
    struct offscreen *offscreen, const struct surface *surface, struct problem *problem)
{
    struct gpu *gpu = offscreen->gpu;
    struct scene *scene = &offscreen->scene;
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    scene->surface = surface;
    scene->unfinished = true;
    label_begin(gpu, cmd, "picture");
    renderer_record(&offscreen->renderer, cmd, &offscreen->picture, scene);
    label_end(gpu, cmd);
    if (!gpu_submit_and_wait(gpu, cmd, problem)) {
        return false; // nothing was drawn; the caller may try again
    }
    scene->continued = true;
    return true;
}

bool offscreen_save(
    struct offscreen *offscreen, const struct surface *surface, const char *path, char *placed,
    struct problem *problem)
{
    offscreen->scene.surface = surface;
    offscreen->scene.unfinished = false;
    return scene_write(
        offscreen->gpu, &offscreen->renderer, &offscreen->scene, &offscreen->picture,
        &offscreen->pixels, path, placed, problem);
}

void offscreen_close(struct offscreen *offscreen)
{
    struct gpu *gpu = offscreen->gpu;
    if (gpu) {
        buffer_destroy(gpu, &offscreen->pixels);
        picture_destroy(gpu, &offscreen->picture);
        renderer_destroy(gpu, &offscreen->renderer);
    }
    *offscreen = (struct offscreen){ 0 };
}
