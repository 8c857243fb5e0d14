#include "app/picture/scene_save.h"

#include "app/picture/png.h"
#include "compute/gpu/label.h"

#include <math.h>
#include <string.h>

static double scene_decode(uint8_t byte)
{
    const double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static uint8_t scene_encode(double value)
{
    value = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
    return (uint8_t)(fmin(fmax(value, 0), 1) * 255 + 0.5);
}

// Converts the pixels. Where the background is transparent they become R, G, B, A: resolved colours
// are multiplied by coverage, and PNG needs them without it. Otherwise they become R, G, B.
static void scene_arrange(uint8_t *pixels, uint64_t count, bool swapped, bool transparent)
{
    for (uint64_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + 4 * i;
        if (swapped) {
            const uint8_t red = pixel[2];
            pixel[2] = pixel[0];
            pixel[0] = red;
        }
        if (transparent && pixel[3] > 0 && pixel[3] < 255) {
            for (int c = 0; c < 3; c++) {
                pixel[c] = scene_encode(scene_decode(pixel[c]) * 255 / pixel[3]);
            }
        }
        if (!transparent) {
            memmove(pixels + 3 * i, pixel, 3);
        }
    }
}

bool scene_pixels(
    struct gpu *gpu, const struct renderer *renderer, uint32_t width, uint32_t height,
    struct picture *picture, struct buffer *pixels, struct problem *problem)
{
    const struct buffer_params params = {
        .name = "picture's pixels",
        .size = (uint64_t)width * height * 4,
        .memory = BUFFER_READBACK,
        .purpose = PURPOSE_PICTURE,
    };
    *pixels = (struct buffer){ 0 };
    const struct picture_params picture_params = {
        .width = width,
        .height = height,
        .format = renderer->format,
        .samples = renderer->samples,
    };
    if (!picture_create(gpu, &picture_params, picture, problem)) {
        return false;
    }
    if (!buffer_create(gpu, &params, pixels, problem)) {
        picture_destroy(gpu, picture);
        return false;
    }
    return true;
}

bool scene_write(
    struct gpu *gpu, const struct renderer *renderer, const struct scene *scene,
    const struct picture *picture, const struct buffer *pixels, const char *path, char *placed,
    struct problem *problem)
{
    const VkExtent2D extent = scene->area.extent;
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL); // the surface may be from the submission before
    label_begin(gpu, cmd, "picture");
    renderer_record(renderer, cmd, picture, scene);
    label_end(gpu, cmd);
    const VkBufferImageCopy region = {
        .imageSubresource = { .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1 },
        .imageExtent = { extent.width, extent.height, 1 },
    };
    run_use(&run, pixels, ACCESS_COPY_TO); // for the copy that follows
    vkCmdCopyImageToBuffer(
        cmd, picture->resolved.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels->handle, 1,
        &region);
    run_use(&run, pixels, ACCESS_HOST);
    if (!gpu_submit_and_wait(gpu, cmd, problem)) {
        return false;
    }
    scene_arrange(
        pixels->mapped, (uint64_t)extent.width * extent.height,
        picture->format == VK_FORMAT_B8G8R8A8_SRGB, scene_is_transparent(scene));
    return png_write(
        path, placed, extent.width, extent.height, scene_is_transparent(scene) ? 4 : 3,
        pixels->mapped, problem);
}

bool scene_save(
    struct gpu *gpu, const struct renderer *renderer, const struct scene *scene, const char *path,
    char *placed, struct problem *problem)
{
    const VkExtent2D extent = scene->area.extent;
    struct scene whole = *scene;
    whole.area.offset = (VkOffset2D){ 0, 0 };
    struct picture picture;
    struct buffer pixels;
    if (!scene_pixels(gpu, renderer, extent.width, extent.height, &picture, &pixels, problem)) {
        return false;
    }
    const bool fine = scene_write(gpu, renderer, &whole, &picture, &pixels, path, placed, problem);
    buffer_destroy(gpu, &pixels);
    picture_destroy(gpu, &picture);
    return fine;
}
