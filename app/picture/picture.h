// The images that a scene is drawn into: multisampled colour and depth, and the resolved picture.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/image.h"

struct picture {
    uint32_t width, height;
    VkFormat format; // of colour: 8 bits, sRGB, so that blending and resolving are linear
    VkSampleCountFlagBits samples;
    struct image colour; // empty with one sample
    struct image depth;
    struct image draft_depth; // of one sample; empty where `depth` is that already
    struct image resolved;
};

// Four samples where the device has them for colour and depth, else one.
VkSampleCountFlagBits picture_samples(const struct gpu *gpu);

struct picture_params {
    uint32_t width, height;
    VkFormat format; // VK_FORMAT_R8G8B8A8_SRGB or VK_FORMAT_B8G8R8A8_SRGB
    bool coarse;     // one sample, in a fifth of the memory: what is drawn looks like a draft
};

// Device memory that it takes.
uint64_t picture_bytes(const struct gpu *gpu, const struct picture_params *params);

// On false `out` is empty.
bool picture_create(
    struct gpu *gpu, const struct picture_params *params, struct picture *out,
    struct problem *problem);
// Gives back what it takes more than a coarse one, and is one from now on; what it shows stays. Of
// more than one sample only.
void picture_coarsen(struct gpu *gpu, struct picture *picture);
void picture_destroy(struct gpu *gpu, struct picture *picture);

// A barrier of one image (all its layers). The stages and accesses are what comes before and after.
struct image_turn {
    VkImage image;
    VkImageAspectFlags aspect; // 0: colour
    VkPipelineStageFlags2 from_stage, to_stage;
    VkAccessFlags2 from_access, to_access;
    VkImageLayout from, to;
};
void image_turn(VkCommandBuffer cmd, const struct image_turn *turn);
