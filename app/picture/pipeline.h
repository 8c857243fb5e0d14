// A graphics pipeline for dynamic rendering, with the set of what its shaders read. What all
// pipelines share is filled in.
#pragma once

#include "compute/gpu/descriptors.h"

struct pipeline_params {
    const char *name; // for tools, see label.h
    const struct shader *vertex, *fragment;
    VkFormat format;
    VkFormat depth; // 0: no depth attachment
    bool depth_test;
    bool depth_kept;               // the test changes no depth
    bool culls;                    // by the state of the command buffer; else nothing
    VkSampleCountFlagBits samples; // 0: one
    bool drafts;                   // it is also used with one sample
    VkPolygonMode polygon;
    bool blend; // straight alpha, over the existing colour
    const VkVertexInputBindingDescription *bindings;
    const VkVertexInputAttributeDescription *attributes;
    uint32_t binding_count, attribute_count;
};

// Zero-initialised means empty.
struct pipeline {
    struct descriptors descriptors; // descriptors_bind, before rendering begins
    VkPipeline full, draft;         // draft: null where `full` has one sample
};

// Viewport and scissor are dynamic. On false `out` is empty.
bool pipeline_create(
    struct gpu *gpu, const struct pipeline_params *params, struct pipeline *out,
    struct problem *problem);
void pipeline_destroy(struct gpu *gpu, struct pipeline *pipeline);

// Records that triangles are drawn by it from now on. `draft`: with one sample per pixel. `push`:
// the push constants of its shaders; NULL if they have none.
void pipeline_use(
    const struct pipeline *pipeline, VkCommandBuffer cmd, bool draft, const void *push);
