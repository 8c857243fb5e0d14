#include "app/offscreen.h"

#include "app/scene_save.h"

bool offscreen_render(
    struct gpu *gpu, const struct surface *surface, const struct volume *volume,
    const struct offscreen_params *params, const char *path, struct problem *problem)
{
    if (params->wireframe && !gpu->wireframe) {
        return problem_set(
            problem, PROBLEM_DEVICE,
            "%s cannot draw a wireframe (it lacks fillModeNonSolid): leave --wireframe out, or try "
            "another --device",
            gpu->properties.deviceName);
    }
    struct renderer renderer;
    struct placement placement;
    struct camera camera = { 0 };
    placement_of(volume, up_of(volume), &placement);
    camera_reset(&camera, placement.corners, (float)params->width, (float)params->height);
    const struct scene scene = {
        .camera = &camera,
        .placement = &placement,
        .surface = surface,
        .area.extent = { params->width, params->height },
        .transparent = params->transparent,
        .wireframe = params->wireframe,
    };
    const bool fine = renderer_create(gpu, VK_FORMAT_R8G8B8A8_SRGB, &renderer, problem) &&
                      scene_save(gpu, &renderer, &scene, path, problem);
    renderer_destroy(gpu, &renderer);
    return fine;
}
