// Draws a scene into a picture: background, surface or lists, box.
#pragma once

#include "app/picture/picture.h"
#include "app/picture/pipeline.h"
#include "app/picture/scene.h"

#define RENDERER_DRAWABLES 10 // rows of its table

struct renderer {
    struct gpu *gpu;
    VkFormat format;
    struct pipeline pipelines[RENDERER_DRAWABLES];
    struct buffer block; // the picture_block of what is recorded
    uint64_t written;    // the run that it was written for
    struct cast_show rays;
    struct light light;            // whoever draws with it makes room for it by light_fit
    VkSampleCountFlagBits samples; // of pictures in full
    bool lines;                    // the device can draw lines of triangles
};

// For pictures of `format` with so many samples per pixel, see picture_samples.
bool renderer_create(
    struct gpu *gpu, VkFormat format, uint32_t samples, struct renderer *out,
    struct problem *problem);
void renderer_destroy(struct gpu *gpu, struct renderer *renderer);

// Device memory that it takes, without its light.
uint64_t renderer_bytes(const struct gpu *gpu);

// Records the cast, for which the casting is prepared and has room, and renderer_shade.
void renderer_cast(struct renderer *renderer, const struct scene *scene, struct run *run);

// Records the colours of the hits that the scene's casting has, of this cast, in the scene's light;
// then the scene can be drawn.
void renderer_shade(struct renderer *renderer, const struct scene *scene, struct run *run);

// Records the drawing, after what was recorded before for this renderer has ended. It begins with
// barriers against earlier uses of the picture. The surfaces' buffers must be ready to be drawn. It
// ends with picture->resolved in TRANSFER_SRC_OPTIMAL, visible to copies; in
// SHADER_READ_ONLY_OPTIMAL, visible to fragment shaders, if the picture is sampled; unless the
// scene is unfinished.
void renderer_record(
    struct renderer *renderer, VkCommandBuffer cmd, const struct picture *picture,
    const struct scene *scene);
