// Draws a scene into a picture: background, surface or lists, box.
#pragma once

#include "app/picture/picture.h"
#include "app/picture/pipeline.h"
#include "app/picture/scene.h"
#include "compute/casting/section.h"

#define RENDERER_DRAWABLES 12 // rows of the table of drawables

struct renderer {
    struct gpu *gpu;
    VkFormat format;
    // By the way that planes cut. Only those of CUT_NOT are made from the beginning.
    struct pipeline pipelines[RENDERER_DRAWABLES][CUTS];
    struct buffer block; // the picture_block of what is recorded
    uint64_t written;    // gpu->runs when `block` was written
    struct cast_show rays;
    struct section section;        // caps and sections
    struct light light;            // callers that want occlusion call light_fit
    VkSampleCountFlagBits samples; // of full pictures, per pixel
    bool lines;                    // the device can draw triangle edges
};

// For pictures of `format` with so many samples per pixel, see picture_samples.
bool renderer_create(
    struct gpu *gpu, VkFormat format, uint32_t samples, struct renderer *out,
    struct problem *problem);
void renderer_destroy(struct gpu *gpu, struct renderer *renderer);

// The device memory that a renderer takes, without its light.
uint64_t renderer_bytes(const struct gpu *gpu);

// Makes what the scene needs beside what renderer_create makes: pipelines that cut, and what caps
// and sections take in a picture of `pixels` pixels. Call it before a scene with planes is
// recorded; earlier submissions of this renderer must have ended.
bool renderer_prepare(
    struct renderer *renderer, const struct scene *scene, uint64_t pixels, struct problem *problem);

// Records the caps and sections of a scene that renderer_record draws next into this picture.
void renderer_section(
    struct renderer *renderer, struct run *run, const struct picture *picture,
    const struct scene *scene);

// Records the scene's cast, and renderer_shade. The casting must be prepared, with capacity for it.
void renderer_cast(struct renderer *renderer, const struct scene *scene, struct run *run);

// Records what comes next of a scene with transparent contours, after renderer_cast or this call:
// `count` more layers of pixels; then the list of samples at edges, their layers, and their mean.
// After the fence, casting_layers_go_on tells whether there is more. The casting must be prepared
// for layers.
void renderer_record_layers(
    struct renderer *renderer, const struct scene *scene, struct run *run, uint32_t count);

// Casts a scene with transparent contours, and shades all layers; waits for the device. The casting
// must be prepared for layers. *again: as in casting_again.
bool renderer_cast_layers(
    struct renderer *renderer, const struct scene *scene, bool *again, struct problem *problem);

// Records the shading, in the scene's light, of the hits that the scene's casting has of this cast.
// Then the scene can be drawn.
void renderer_shade(struct renderer *renderer, const struct scene *scene, struct run *run);

// Records the drawing. Earlier submissions of this renderer must have ended. Begins with barriers
// against earlier uses of the picture. The surfaces' buffers must be ready to be drawn. Unless the
// scene is unfinished, picture->resolved is then in TRANSFER_SRC_OPTIMAL, visible to copies; if the
// picture is sampled, in SHADER_READ_ONLY_OPTIMAL, visible to fragment shaders.
void renderer_record(
    struct renderer *renderer, VkCommandBuffer cmd, const struct picture *picture,
    const struct scene *scene);
