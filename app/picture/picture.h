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
    struct image draft_depth; // depth with one sample; empty if `depth` has one sample
    bool sampled;             // see struct picture_params
    struct image resolved;
};

// The number of samples per pixel: `wanted`. If that is 0: four if the device has them for colour
// and depth, otherwise one. PROBLEM_UNSUPPORTED if the device lacks the wanted number.
bool picture_samples(
    const struct gpu *gpu, uint32_t wanted, VkSampleCountFlagBits *out, struct problem *problem);

// The format of an image view that gives the stored bytes of one of the sRGB formats below.
VkFormat picture_bytes_format(VkFormat format);

struct picture_params {
    uint32_t width, height;
    VkFormat format; // VK_FORMAT_R8G8B8A8_SRGB or VK_FORMAT_B8G8R8A8_SRGB
    bool sampled;    // shaders read the resolved picture, also its bytes; otherwise it is copied
    VkSampleCountFlagBits samples; // from picture_samples
    bool coarse;     // one sample, a fifth of the memory; the picture looks like a draft
    bool composited; // samples are read and replaced, see composite.h
};

// The device memory that a picture needs.
uint64_t picture_bytes(const struct gpu *gpu, const struct picture_params *params);

// On false `out` is empty.
bool picture_create(
    struct gpu *gpu, const struct picture_params *params, struct picture *out,
    struct problem *problem);
// Makes a picture with several samples coarse, and frees the memory that a coarse one does not
// need. Keeps the resolved picture.
void picture_coarsen(struct gpu *gpu, struct picture *picture);
void picture_destroy(struct gpu *gpu, struct picture *picture);

// A barrier of one image (all its layers), with the stages and accesses before and after it.
struct image_turn {
    VkImage image;
    VkImageAspectFlags aspect; // 0: colour
    VkPipelineStageFlags2 from_stage, to_stage;
    VkAccessFlags2 from_access, to_access;
    VkImageLayout from, to;
};
void image_turn(VkCommandBuffer cmd, const struct image_turn *turn);

// The part of a rectangle in pixels that is inside the picture; its extent may be 0.
VkRect2D picture_inside(
    const struct picture *picture, int64_t left, int64_t top, int64_t right, int64_t bottom);

// The intersection of two rectangles of a picture; its extent may be 0.
VkRect2D picture_both(VkRect2D a, VkRect2D b);

// The part of an area that is inside the picture.
VkRect2D picture_area(const struct picture *picture, VkRect2D area);
