#include "compute/gpu/kernel.h"

#include "compute/gpu/label.h"
#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

#include <assert.h>
#include <stdlib.h>

static bool kernel_make_module(
    struct gpu *gpu, const struct shader *shader, VkShaderModule *out, struct problem *problem)
{
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = shader->code_size,
        .pCode = shader->code,
    };
    uint32_t *asking = NULL;
    if (gpu->reconvergence != RECONVERGENCE_NONE) {
        uint32_t size;
        asking = reconvergence_ask(shader, gpu->reconvergence, &size);
        if (!asking) {
            return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a kernel");
        }
        info.codeSize = size;
        info.pCode = asking;
    }
    VK_TRY(vkCreateShaderModule(gpu->device, &info, NULL, out));
    free(asking);
    return true;
fail:
    free(asking);
    return false;
}

// The subgroup size to request; 0: the device decides.
static uint32_t kernel_subgroup_size(const struct gpu *gpu, const struct kernel_params *params)
{
    const uint32_t wanted = gpu->traits->subgroup_size;
    const bool offered = wanted >= gpu->subgroup_least && wanted < gpu->subgroup_most &&
                         GROUP <= wanted * gpu->subgroups_most;
    return params->subgroup_size ? params->subgroup_size : offered ? wanted : 0;
}

bool kernel_create(
    struct gpu *gpu, const struct kernel_params *params, struct kernel *out,
    struct problem *problem)
{
    const struct shader *shader = params->shader;
    *out = (struct kernel){
        .name = params->name,
        .shader = shader,
        .bound_count = params->alternates ? KERNEL_BOUND : 1,
    };
    VkShaderModule module = VK_NULL_HANDLE;
    if (interrupted) { // a driver may take long to build a kernel
        problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
        goto fail;
    }
    if (shader->push_size > 128 || shader->binding_count > KERNEL_BINDINGS) {
        problem_set(
            problem, PROBLEM_INTERNAL,
            "the kernel %s has push constants of %u bytes and %u bindings: at most 128 and %d can "
            "be",
            params->name, shader->push_size, shader->binding_count, KERNEL_BINDINGS);
        goto fail;
    }
    for (uint32_t i = 0; i < out->bound_count; i++) {
        if (!descriptors_create(
                gpu, &shader, 1, params->name, &out->bound[i].descriptors, problem)) {
            goto fail;
        }
    }
    if (!kernel_make_module(gpu, shader, &module, problem)) {
        goto fail;
    }

    VkSpecializationMapEntry entries[CONSTANTS];
    const uint32_t word = sizeof *params->constants, constants = params->constants ? CONSTANTS : 0;
    for (uint32_t i = 0; i < constants; i++) {
        entries[i] = (VkSpecializationMapEntry){ i, i * word, word };
    }
    const VkSpecializationInfo specialization = {
        .mapEntryCount = constants,
        .pMapEntries = entries,
        .dataSize = constants * word,
        .pData = params->constants,
    };
    const uint32_t subgroup_size = kernel_subgroup_size(gpu, params);
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = subgroup_size,
    };
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = subgroup_size ? &subgroup : NULL,
            .flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = module,
            .pName = "main",
            .pSpecializationInfo = &specialization,
        },
        .layout = out->bound[0].descriptors.pipeline_layout, // all sets have the same layout
    };
    VK_TRY(
        vkCreateComputePipelines(gpu->device, gpu->pipelines, 1, &pipeline, NULL, &out->pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
    label_object(gpu, VK_OBJECT_TYPE_PIPELINE, out->pipeline, params->name);
    return true;
fail:
    vkDestroyShaderModule(gpu->device, module, NULL);
    kernel_destroy(gpu, out);
    return false;
}

void kernel_destroy(struct gpu *gpu, struct kernel *kernel)
{
    if (!gpu->lost && kernel->shader) {
        vkDestroyPipeline(gpu->device, kernel->pipeline, NULL);
        for (uint32_t i = 0; i < kernel->bound_count; i++) {
            descriptors_destroy(gpu, &kernel->bound[i].descriptors);
        }
    }
    if (kernel->shader) {
        *kernel = (struct kernel){ 0 };
    }
}

bool kernels_create(
    struct gpu *gpu, const struct kernel_row *rows, uint32_t count, const uint32_t *constants,
    struct kernel *out, struct problem *problem)
{
    bool made = true;
    for (uint32_t i = 0; made && i < count; i++) {
        const struct kernel_params params = {
            .alternates = rows[i].alternates,
            .name = rows[i].name,
            .shader = rows[i].shader,
            .constants = constants,
        };
        made = kernel_create(gpu, &params, &out[i], problem);
    }
    return made;
}

void kernels_destroy(struct gpu *gpu, struct kernel *kernels, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kernel_destroy(gpu, &kernels[i]);
    }
}

static enum access kernel_access(const struct shader_binding *binding)
{
    return !binding->writes ? ACCESS_READ : binding->reads ? ACCESS_READ_WRITE : ACCESS_WRITE;
}

// Notes what the kernel accesses.
static void kernel_note(
    const struct shader *shader, struct kernel_bound *bound, const struct binding table[BINDINGS])
{
    for (uint32_t i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *own = &shader->bindings[i];
        const struct binding *what = descriptors_find(&bound->descriptors, own, table);
        bound->uses[i] = (struct kernel_use){ 0 };
        if (what->buffer && descriptors_has(own, table)) {
            bound->uses[i] = (struct kernel_use){
                .place = buffer_place(what->buffer, (uint64_t)what->slot * BUFFER_SLOT),
                .name = what->buffer->name,
                .access = kernel_access(own),
            };
        }
    }
}

struct kernel_bound *kernel_bind(
    struct gpu *gpu, struct kernel *kernel, const struct binding table[BINDINGS], uint64_t run)
{
    struct kernel_bound *found = NULL;
    for (uint32_t i = 0; i < kernel->bound_count; i++) {
        struct kernel_bound *bound = &kernel->bound[i];
        if (descriptors_hold(&bound->descriptors, table)) {
            found = bound;
            break;
        }
        found = found || bound->run == run ? found : bound;
    }
    if (found) {
        descriptors_bind(gpu, &found->descriptors, table);
        kernel_note(kernel->shader, found, table);
        found->run = run;
    }
    return found;
}
