#include "app/picture/pipeline.h"

#include "compute/gpu/label.h"

static bool pipeline_module_create(
    struct gpu *gpu, const struct shader *shader, VkShaderModule *out, struct problem *problem)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = shader->code_size,
        .pCode = shader->code,
    };
    VK_TRY(vkCreateShaderModule(gpu->device, &info, NULL, out));
    return true;
fail:
    return false;
}

// Creates the pipeline for one number of samples per pixel.
static bool pipeline_create_one(
    struct gpu *gpu, const struct pipeline_params *params, VkSampleCountFlagBits samples,
    VkPipelineLayout pipeline_layout, VkPipeline *out, struct problem *problem)
{
    if (interrupted) { // see kernel_create()
        return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
    }
    VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
    if (!pipeline_module_create(gpu, params->vertex, &vertex, problem) ||
        !pipeline_module_create(gpu, params->fragment, &fragment, problem)) {
        goto fail;
    }
    const VkPipelineShaderStageCreateInfo stages[] = {
        {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_VERTEX_BIT,
            .module = vertex,
            .pName = "main",
        },
        {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
            .module = fragment,
            .pName = "main",
        },
    };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = params->binding_count,
        .pVertexBindingDescriptions = params->bindings,
        .vertexAttributeDescriptionCount = params->attribute_count,
        .pVertexAttributeDescriptions = params->attributes,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = params->polygon,
        .cullMode = VK_CULL_MODE_NONE,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .lineWidth = 1,
    };
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = samples,
        .sampleShadingEnable =
            params->by_sample && samples > VK_SAMPLE_COUNT_1_BIT && gpu->shades_samples,
        .minSampleShading = 1,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = params->depth_test,
        .depthWriteEnable = params->depth_test && !params->depth_kept,
        .depthCompareOp = VK_COMPARE_OP_LESS,
    };
    const VkPipelineColorBlendAttachmentState attachment = {
        .blendEnable = params->blend,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .colorWriteMask = 0xf,
    };
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
    };
    const VkDynamicState states[] = {
        VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
        VK_DYNAMIC_STATE_CULL_MODE, // where params->culls
    };
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = params->culls ? 3 : 2,
        .pDynamicStates = states,
    };
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &params->format,
        .depthAttachmentFormat = params->depth,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &multisample,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = pipeline_layout,
    };
    VK_TRY(vkCreateGraphicsPipelines(gpu->device, gpu->pipelines, 1, &info, NULL, out));
    label_object(gpu, VK_OBJECT_TYPE_PIPELINE, *out, params->name);
fail:
    vkDestroyShaderModule(gpu->device, vertex, NULL);
    vkDestroyShaderModule(gpu->device, fragment, NULL);
    return *out != VK_NULL_HANDLE;
}

bool pipeline_create(
    struct gpu *gpu, const struct pipeline_params *params, struct pipeline *out,
    struct problem *problem)
{
    const struct shader *const shaders[] = { params->vertex, params->fragment };
    const VkSampleCountFlagBits samples = params->samples ? params->samples : VK_SAMPLE_COUNT_1_BIT;
    *out = (struct pipeline){ 0 };
    const VkPipelineLayout *layout = &out->descriptors.pipeline_layout;
    if (descriptors_create(gpu, shaders, 2, params->name, &out->descriptors, problem) &&
        pipeline_create_one(gpu, params, samples, *layout, &out->full, problem) &&
        (!params->drafts || samples == VK_SAMPLE_COUNT_1_BIT ||
         pipeline_create_one(gpu, params, VK_SAMPLE_COUNT_1_BIT, *layout, &out->draft, problem))) {
        return true;
    }
    pipeline_destroy(gpu, out);
    return false;
}

void pipeline_destroy(struct gpu *gpu, struct pipeline *pipeline)
{
    if (gpu->device && !gpu->lost) {
        vkDestroyPipeline(gpu->device, pipeline->full, NULL);
        vkDestroyPipeline(gpu->device, pipeline->draft, NULL);
    }
    descriptors_destroy(gpu, &pipeline->descriptors);
    *pipeline = (struct pipeline){ 0 };
}

void pipeline_use(
    const struct pipeline *pipeline, VkCommandBuffer cmd, bool draft, const void *push)
{
    const VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS;
    vkCmdBindPipeline(cmd, point, draft && pipeline->draft ? pipeline->draft : pipeline->full);
    descriptors_use(&pipeline->descriptors, cmd, point, push);
}
