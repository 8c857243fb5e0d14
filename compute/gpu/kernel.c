#include "compute/gpu/kernel.h"

bool kernel_create(
    struct gpu *gpu, const struct kernel_info *info, const struct kernel_params *params,
    struct kernel *out, struct problem *problem)
{
    *out = (struct kernel){ .info = info, .has_set = params->set_layout != VK_NULL_HANDLE };
    VkShaderModule module = VK_NULL_HANDLE;
    if (interrupted) { // a driver may take long to build a kernel
        problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
        goto fail;
    }
    if (info->push_size > 128 || params->constant_count > KERNEL_CONSTANTS) {
        problem_set(
            problem, PROBLEM_INTERNAL,
            "the kernel %s has a push struct of %u bytes and %u "
            "constants: at most 128 and %d can be",
            info->name, info->push_size, params->constant_count, KERNEL_CONSTANTS);
        goto fail;
    }
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = info->code_size,
        .pCode = info->code,
    };
    VK_TRY(vkCreateShaderModule(gpu->device, &module_info, NULL, &module));

    const VkPushConstantRange push = {
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .size = info->push_size,
    };
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = params->set_layout ? 1 : 0,
        .pSetLayouts = &params->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    VK_TRY(vkCreatePipelineLayout(gpu->device, &layout, NULL, &out->layout));

    VkSpecializationMapEntry entries[KERNEL_CONSTANTS];
    const uint32_t word = sizeof *params->constants;
    for (uint32_t i = 0; i < params->constant_count; i++) {
        entries[i] = (VkSpecializationMapEntry){ i, i * word, word };
    }
    const VkSpecializationInfo specialization = {
        .mapEntryCount = params->constant_count,
        .pMapEntries = entries,
        .dataSize = params->constant_count * word,
        .pData = params->constants,
    };
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = params->subgroup_size,
    };
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = params->subgroup_size ? &subgroup : NULL,
            .flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = module,
            .pName = "main",
            .pSpecializationInfo = &specialization,
        },
        .layout = out->layout,
    };
    VK_TRY(
        vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &out->pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
    return true;
fail:
    vkDestroyShaderModule(gpu->device, module, NULL);
    kernel_destroy(gpu, out);
    return false;
}

void kernel_destroy(struct gpu *gpu, struct kernel *kernel)
{
    if (!gpu->lost && kernel->layout) {
        vkDestroyPipeline(gpu->device, kernel->pipeline, NULL);
        vkDestroyPipelineLayout(gpu->device, kernel->layout, NULL);
    }
    *kernel = (struct kernel){ 0 };
}
