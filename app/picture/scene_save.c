#include "app/picture/scene_save.h"

#include "compute/casting/cast_pass.h"
#include "compute/gpu/label.h"

bool scene_band_create(
    struct gpu *gpu, const struct renderer *renderer, const struct bands *bands,
    VkSampleCountFlagBits samples, bool composited, struct picture *picture, struct buffer *pixels,
    struct problem *problem)
{
    const struct buffer_params params = {
        .name = "picture's pixels",
        .size = (uint64_t)bands->columns * bands->rows * 4,
        .memory = BUFFER_READBACK,
        .purpose = PURPOSE_PICTURE,
    };
    const struct picture_params picture_params = {
        .width = bands->columns,
        .height = bands->rows,
        .format = renderer->format,
        .samples = samples,
        .composited = composited,
    };
    const uint32_t *most = gpu->properties.limits.maxViewportDimensions;
    *pixels = (struct buffer){ 0 };
    *picture = (struct picture){ 0 };
    if (bands->width > most[0] || bands->height > most[1]) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "a picture of %ux%u pixels is too large for the device (at most %ux%u)", bands->width,
            bands->height, most[0], most[1]);
    }
    if (!picture_create(gpu, &picture_params, picture, problem)) {
        return false;
    }
    if (!buffer_create(gpu, &params, pixels, problem)) {
        picture_destroy(gpu, picture);
        return false;
    }
    return true;
}

void scene_set_band(struct scene *scene, const struct bands *bands, uint32_t index)
{
    const struct band band = band_at(bands, index);
    scene->area.offset = (VkOffset2D){ -(int32_t)band.x, -(int32_t)band.y };
    scene->area.extent = (VkExtent2D){ bands->width, bands->height };
}

// Casts and shades all layers of a scene with transparent contours, and waits.
static bool
scene_cast_layers(struct renderer *renderer, const struct scene *scene, struct problem *problem)
{
    const struct method *method = scene->cast.method;
    const bool other = wavefront_refuses(renderer->gpu, method);
    bool fine, again;
    do {
        fine = casting_prepare_layers(scene->casting, other ? NULL : method, problem) &&
               casting_begin(scene->casting, &scene->cast, problem) &&
               renderer_cast_layers(renderer, scene, &again, problem);
    } while (fine && again); // at most once: then the list is long enough
    return fine;
}

// *again: the list of samples at edges was too short. Now it is longer, and the caller casts again.
static bool scene_try_band(
    struct gpu *gpu, struct renderer *renderer, const struct scene *scene,
    const struct picture *picture, const struct buffer *pixels, const struct band *band,
    struct canvas *canvas, uint32_t *hits, bool *again, struct problem *problem)
{
    struct scene drawn = *scene;
    struct casting *casting = scene->casting;
    const bool in_parts = casting && casting->in_parts;
    bool layered = false;
    if (casting) {
        const VkRect2D all = { .extent = { band->width, band->height } };
        scene_set_cast(&drawn, all, scene->rays_side ? scene->rays_side : 1);
        layered = cast_layered(&drawn.cast);
        if (layered && in_parts) {
            return problem_set(
                problem, PROBLEM_UNSUPPORTED,
                "transparent contours are not drawn of a volume in parts: leave --opacity out, or "
                "give more --memory-budget");
        }
        if (in_parts ? !cast_pass_run(
                           scene->parts, casting, &drawn.cast, scene->view->every_brick,
                           scene->progress, hits, problem)
                     : !casting_set_many(casting, &drawn.cast, problem) ||
                           !(layered ? scene_cast_layers(renderer, &drawn, problem)
                                     : casting_begin(casting, &drawn.cast, problem))) {
            return false;
        }
    }
    if (casting) {
        drawn.atlas = in_parts ? NULL : casting->atlas;
    }
    if (!renderer_prepare(renderer, &drawn, (uint64_t)picture->width * picture->height, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL); // the surface may be from the submission before
    if (in_parts) {
        renderer_shade(renderer, &drawn, &run);
    } else if (casting && !layered) {
        renderer_cast(renderer, &drawn, &run);
    }
    renderer_section(renderer, &run, picture, &drawn);
    label_begin(gpu, cmd, "picture");
    renderer_record(renderer, cmd, picture, &drawn);
    label_end(gpu, cmd);
    const VkBufferImageCopy region = {
        .imageSubresource = { .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1 },
        .imageExtent = { band->width, band->height, 1 },
    };
    run_use(&run, pixels, ACCESS_COPY_TO); // for the copy that follows
    vkCmdCopyImageToBuffer(
        cmd, picture->resolved.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels->handle, 1,
        &region);
    run_use(&run, pixels, ACCESS_HOST);
    if (!gpu_submit_and_wait(gpu, cmd, problem)) {
        return false;
    }
    canvas_take(canvas, band, pixels->mapped, picture->format == VK_FORMAT_B8G8R8A8_SRGB);
    return !casting || in_parts ||
           (casting_collect(casting, hits, problem) && casting_again(casting, again, problem));
}

bool scene_draw_band(
    struct gpu *gpu, struct renderer *renderer, const struct scene *scene,
    const struct picture *picture, const struct buffer *pixels, const struct band *band,
    struct canvas *canvas, uint32_t *hits, struct problem *problem)
{
    bool again = false;
    bool fine =
        scene_try_band(gpu, renderer, scene, picture, pixels, band, canvas, hits, &again, problem);
    return fine && again
               ? scene_try_band(
                     gpu, renderer, scene, picture, pixels, band, canvas, hits, &again, problem)
               : fine;
}

bool scene_draw(
    struct gpu *gpu, struct renderer *renderer, const struct scene *scene,
    const struct bands *bands, const struct picture *picture, const struct buffer *pixels,
    struct canvas *canvas, struct problem *problem)
{
    struct scene part = *scene;
    bool fine = true;
    for (uint32_t i = 0; fine && i < bands->across * bands->down; i++) {
        uint32_t hits;
        const struct band band = band_at(bands, i);
        scene_set_band(&part, bands, i);
        fine =
            scene_draw_band(gpu, renderer, &part, picture, pixels, &band, canvas, &hits, problem);
    }
    return fine;
}

bool scene_save(
    struct gpu *gpu, struct renderer *renderer, const struct scene *scene, uint32_t width,
    uint32_t height, const char *path, char *placed, struct problem *problem)
{
    const struct bands bands = bands_of(width, height);
    struct picture picture;
    struct buffer pixels;
    struct canvas canvas = { 0 };
    const VkSampleCountFlagBits samples =
        scene->casting ? VK_SAMPLE_COUNT_1_BIT : renderer->samples;
    if (!scene_band_create(gpu, renderer, &bands, samples, false, &picture, &pixels, problem)) {
        return false;
    }
    bool fine = canvas_create(width, height, scene_is_transparent(scene), &canvas, problem) &&
                scene_draw(gpu, renderer, scene, &bands, &picture, &pixels, &canvas, problem);
    buffer_destroy(gpu, &pixels);
    picture_destroy(gpu, &picture);
    fine = fine && canvas_write(&canvas, path, placed, problem);
    canvas_destroy(&canvas);
    return fine;
}
