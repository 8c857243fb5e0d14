// A graphics pipeline for dynamic rendering, with the descriptor set that its shaders read.
// pipeline_create fills in what all pipelines share.
#pragma once

#include "compute/gpu/descriptors.h"

// How the shaders of a pipeline cut the surface by planes.
enum cut {
    CUT_NOT,
    CUT_CLIP,    // by clip distances
    CUT_DISCARD, // by discarding fragments
    CUTS,
};

struct pipeline_params {
    const char *name; // for tools, see label.h
    const struct shader *vertex, *fragment;
    VkFormat format;
    VkFormat depth; // 0: no depth attachment
    bool depth_test;
    bool depth_kept;               // the test writes no depth
    bool culls;                    // vkCmdSetCullMode says which faces; false: none
    VkSampleCountFlagBits samples; // 0: one
    bool by_sample; // with several samples, shaded for each of them where the device can
    bool drafts;    // it is also used with one sample
    VkPolygonMode polygon;
    bool blend; // straight alpha, over the existing colour
    const VkVertexInputBindingDescription *bindings;
    const VkVertexInputAttributeDescription *attributes;
    uint32_t binding_count, attribute_count;
};

// Zero-initialised means empty.
struct pipeline {
    struct descriptors descriptors; // set by descriptors_bind, before rendering begins
    VkPipeline full, draft;         // draft: null where `full` has one sample
};

// Viewport and scissor are dynamic. On false `out` is empty.
bool pipeline_create(
    struct gpu *gpu, const struct pipeline_params *params, struct pipeline *out,
    struct problem *problem);
void pipeline_destroy(struct gpu *gpu, struct pipeline *pipeline);

// Binds the pipeline for the draws that follow. `draft`: with one sample per pixel. `push`: the
// push constants of its shaders; NULL if they have none.
void pipeline_use(
    const struct pipeline *pipeline, VkCommandBuffer cmd, bool draft, const void *push);
