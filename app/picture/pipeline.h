// A graphics pipeline for dynamic rendering. What all pipelines of the viewer share is filled in.
#pragma once

#include "compute/gpu/gpu.h"
#include "shaders/shader.h"

struct pipeline_params {
    const char *name; // for tools, see label.h
    const struct shader *vertex, *fragment;
    VkPipelineLayout layout;
    VkFormat format;
    VkFormat depth; // 0: no depth attachment
    bool depth_test;
    bool depth_kept;               // the test changes no depth
    bool culls;                    // by the state of the command buffer; else nothing
    VkSampleCountFlagBits samples; // 0: one
    VkPrimitiveTopology topology;
    VkPolygonMode polygon;
    bool blend; // straight alpha, over the existing colour
    const VkVertexInputBindingDescription *bindings;
    const VkVertexInputAttributeDescription *attributes;
    uint32_t binding_count, attribute_count;
};

// Viewport and scissor are dynamic. Nothing is culled.
bool pipeline_create(
    struct gpu *gpu, const struct pipeline_params *params, VkPipeline *out,
    struct problem *problem);
