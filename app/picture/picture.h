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
    struct image draft_depth; // with one sample; empty where `depth` already has one
    bool sampled;             // see struct picture_params
    struct image resolved;
};

// How many samples per pixel the device draws: `wanted`, where it is 0 four if the device has them
// for colour and depth, else one. PROBLEM_UNSUPPORTED if the device lacks the wanted number.
bool picture_samples(
    const struct gpu *gpu, uint32_t wanted, VkSampleCountFlagBits *out, struct problem *problem);

// The format of a view that sees the bytes of colours in one of the formats below.
VkFormat picture_bytes_format(VkFormat format);

struct picture_params {
    uint32_t width, height;
    VkFormat format; // VK_FORMAT_R8G8B8A8_SRGB or VK_FORMAT_B8G8R8A8_SRGB
    bool sampled;    // shaders read the resolved picture, also its bytes; otherwise it is copied
    VkSampleCountFlagBits samples; // of picture_samples
    bool coarse;     // one sample, a fifth of the memory; the picture looks like a draft
    bool composited; // its samples are read, and replaced, see composite.h
};

// The device memory that it needs.
uint64_t picture_bytes(const struct gpu *gpu, const struct picture_params *params);

// On false `out` is empty.
bool picture_create(
    struct gpu *gpu, const struct picture_params *params, struct picture *out,
    struct problem *problem);
// Makes a picture with several samples coarse and frees the memory that a coarse one does not need.
// Its content stays.
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

// What of a rectangle in pixels is inside the picture; its extent may be 0.
VkRect2D picture_inside(
    const struct picture *picture, int64_t left, int64_t top, int64_t right, int64_t bottom);

// What is in both rectangles, which are of a picture; its extent may be 0.
VkRect2D picture_both(VkRect2D a, VkRect2D b);

// What of an area is inside the picture.
VkRect2D picture_area(const struct picture *picture, VkRect2D area);
