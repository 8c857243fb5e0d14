#include "compute/gpu/kernel.h"

#include "compute/gpu/label.h"
#include "compute/gpu/pipelines.h"
#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

#define KERNEL_PIPELINES 512 // so many stay without a kernel

static bool kernel_make_pipeline(
    struct gpu *gpu, const struct kernel_params *params, VkPipelineLayout layout,
    struct made_pipeline *out, struct problem *problem)
{
    VkShaderModule module = VK_NULL_HANDLE;
    if (!kernel_make_module(gpu, params->shader, &module, problem)) {
        return false;
    }
    VkSpecializationMapEntry entries[CONSTANTS];
    const uint32_t word = sizeof *out->constants, constants = out->has_constants ? CONSTANTS : 0;
    for (uint32_t i = 0; i < constants; i++) {
        entries[i] = (VkSpecializationMapEntry){ i, i * word, word };
    }
    const VkSpecializationInfo specialization = {
        .mapEntryCount = constants,
        .pMapEntries = entries,
        .dataSize = constants * word,
        .pData = out->constants,
    };
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = out->subgroup_size,
    };
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = out->subgroup_size ? &subgroup : NULL,
            .flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = module,
            .pName = "main",
            .pSpecializationInfo = &specialization,
        },
        .layout = layout,
    };
    VK_TRY(
        vkCreateComputePipelines(gpu->device, gpu->pipelines, 1, &pipeline, NULL, &out->pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
    label_object(gpu, VK_OBJECT_TYPE_PIPELINE, out->pipeline, params->name);
    return true;
fail:
    vkDestroyShaderModule(gpu->device, module, NULL);
    return false;
}

// The pipeline of the kernel, from gpu->made if it is there. NULL: see the problem.
static struct made_pipeline *kernel_find_pipeline(
    struct gpu *gpu, const struct kernel_params *params, VkPipelineLayout layout,
    struct problem *problem)
{
    struct made_pipeline wanted = {
        .shader = params->shader,
        .has_constants = params->constants != NULL,
        .subgroup_size = kernel_subgroup_size(gpu, params),
    };
    if (params->constants) {
        memcpy(wanted.constants, params->constants, sizeof wanted.constants);
    }
    struct made_pipeline *found = pipelines_find(&gpu->made, &wanted);
    if (!found && kernel_make_pipeline(gpu, params, layout, &wanted, problem)) {
        found = pipelines_add(&gpu->made, &wanted);
        if (!found) {
            vkDestroyPipeline(gpu->device, wanted.pipeline, NULL);
            problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a kernel");
        }
    }
    if (found) {
        found->kernels++;
    }
    return found;
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
    // All sets have the same layout.
    out->made =
        kernel_find_pipeline(gpu, params, out->bound[0].descriptors.pipeline_layout, problem);
    if (!out->made) {
        goto fail;
    }
    out->pipeline = out->made->pipeline;
    return true;
fail:
    kernel_destroy(gpu, out);
    return false;
}

void kernel_destroy(struct gpu *gpu, struct kernel *kernel)
{
    if (kernel->made) {
        kernel->made->kernels--;
    }
    pipelines_forget(&gpu->made, gpu->lost ? NULL : gpu->device, KERNEL_PIPELINES);
    if (!gpu->lost && kernel->shader) {
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
