#include "compute/gpu/kernel.h"

#include "compute/gpu/label.h"
#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

#include <assert.h>
#include <stdlib.h>

static const VkDescriptorType kernel_types[] = {
    [SHADER_STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    [SHADER_TEXELS] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    [SHADER_STORAGE_TEXELS] = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    [SHADER_IMAGE] = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
};

// A descriptor set of the shader's bindings.
static bool kernel_make_set(
    struct gpu *gpu, struct kernel *kernel, struct kernel_bound *bound, struct problem *problem)
{
    const struct shader *shader = kernel->shader;
    VkDescriptorSetLayoutBinding bindings[KERNEL_BINDINGS];
    for (uint32_t i = 0; i < shader->binding_count; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = shader->bindings[i].number,
            .descriptorType = kernel_types[shader->bindings[i].kind],
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    return descriptors_create(
        gpu, bindings, shader->binding_count, kernel->name, &bound->descriptors, problem);
}

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

// The size to ask for; 0: the device decides.
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
    if (shader->push_size > 128 || params->constant_count > KERNEL_CONSTANTS ||
        shader->binding_count > KERNEL_BINDINGS) {
        problem_set(
            problem, PROBLEM_INTERNAL,
            "the kernel %s has push constants of %u bytes, %u constants and %u bindings: at most "
            "128, %d and %d can be",
            params->name, shader->push_size, params->constant_count, shader->binding_count,
            KERNEL_CONSTANTS, KERNEL_BINDINGS);
        goto fail;
    }
    for (uint32_t i = 0; shader->binding_count > 0 && i < out->bound_count; i++) {
        if (!kernel_make_set(gpu, out, &out->bound[i], problem)) {
            goto fail;
        }
    }
    if (!kernel_make_module(gpu, shader, &module, problem)) {
        goto fail;
    }

    const VkPushConstantRange push = {
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .size = shader->push_size,
    };
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        // All sets have the same layout.
        .setLayoutCount = out->bound[0].descriptors.set ? 1 : 0,
        .pSetLayouts = &out->bound[0].descriptors.layout,
        .pushConstantRangeCount = shader->push_size > 0 ? 1 : 0,
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
        .layout = out->layout,
    };
    VK_TRY(
        vkCreateComputePipelines(gpu->device, gpu->pipelines, 1, &pipeline, NULL, &out->pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
    label_object(gpu, VK_OBJECT_TYPE_PIPELINE, out->pipeline, params->name);
    label_object(gpu, VK_OBJECT_TYPE_PIPELINE_LAYOUT, out->layout, params->name);
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
        vkDestroyPipelineLayout(gpu->device, kernel->layout, NULL);
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
            .name = rows[i].name,
            .shader = rows[i].shader,
            .constants = constants,
            .constant_count = CONSTANTS,
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

// The number in bindings.h: a buffer that is read as texels has another one in the shader.
static uint32_t kernel_number(const struct shader_binding *binding)
{
    return binding->kind == SHADER_TEXELS ? binding->number - TEXELS(0) : binding->number;
}

static enum access kernel_access(const struct shader_binding *binding)
{
    return !binding->writes ? ACCESS_READ : binding->reads ? ACCESS_READ_WRITE : ACCESS_WRITE;
}

// The table may leave out a number that the kernel does not access. Vulkan still wants a buffer
// there, so the first suitable one of the table is bound.
static const struct binding *
kernel_placeholder(const struct binding table[BINDINGS], enum shader_binding_kind kind)
{
    for (uint32_t i = 0; i < BINDINGS; i++) {
        if (table[i].buffer && (kind == SHADER_STORAGE || table[i].buffer->views[table[i].view])) {
            return &table[i];
        }
    }
    assert(!"a table has at least one buffer of each kind");
    return NULL;
}

// What a binding of the shader is to be bound to.
static const struct binding *
kernel_binding(const struct shader_binding *own, const struct binding table[BINDINGS])
{
    const struct binding *what = &table[kernel_number(own)];
    return what->buffer || own->kind == SHADER_IMAGE ? what : kernel_placeholder(table, own->kind);
}

static uint64_t kernel_place(const struct binding *what)
{
    return what->image ? what->image->serial
                       : buffer_place(what->buffer, (uint64_t)what->slot * BUFFER_SLOT);
}

// Whether the table's buffers and image are bound already.
static bool kernel_is_bound(
    const struct shader *shader, const struct kernel_bound *bound,
    const struct binding table[BINDINGS])
{
    for (uint32_t i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *own = &shader->bindings[i];
        const uint64_t is = own->kind == SHADER_IMAGE ? bound->image : bound->uses[i].bound;
        if (is != kernel_place(kernel_binding(own, table))) {
            return false;
        }
    }
    return true;
}

// Writes what differs into the descriptor set, and notes what the kernel uses.
static void kernel_write(
    struct gpu *gpu, const struct shader *shader, struct kernel_bound *bound,
    const struct binding table[BINDINGS])
{
    VkWriteDescriptorSet writes[KERNEL_BINDINGS];
    VkDescriptorBufferInfo buffers[KERNEL_BINDINGS];
    VkDescriptorImageInfo images[KERNEL_BINDINGS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *own = &shader->bindings[i];
        const struct binding *what = kernel_binding(own, table);
        const uint64_t place = kernel_place(what);
        if (own->kind == SHADER_IMAGE) {
            if (bound->image == place) {
                continue;
            }
            bound->image = place;
            images[i] = (VkDescriptorImageInfo){
                .imageView = what->image->view,
                .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
            };
        } else {
            const bool there = table[kernel_number(own)].buffer;
            const struct buffer *buffer = what->buffer;
            const uint64_t size = !there ? 16 : buffer->slots ? BUFFER_SLOT : buffer->size;
            const bool same = bound->uses[i].bound == place;
            bound->uses[i] = (struct kernel_use){
                .place = there ? place : 0,
                .bound = place,
                .name = buffer->name,
                .access = kernel_access(own),
            };
            if (same) {
                continue;
            }
            buffers[i] = (VkDescriptorBufferInfo){ buffer->handle,
                                                   (uint64_t)what->slot * BUFFER_SLOT, size };
        }
        writes[count++] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = bound->descriptors.set,
            .dstBinding = own->number,
            .descriptorCount = 1,
            .descriptorType = kernel_types[own->kind],
            .pImageInfo = &images[i],
            .pBufferInfo = &buffers[i],
            .pTexelBufferView = what->buffer ? &what->buffer->views[what->view] : NULL,
        };
    }
    vkUpdateDescriptorSets(gpu->device, count, writes, 0, NULL);
}

struct kernel_bound *kernel_bind(
    struct gpu *gpu, struct kernel *kernel, const struct binding table[BINDINGS], uint64_t run)
{
    struct kernel_bound *found = NULL;
    for (uint32_t i = 0; i < kernel->bound_count; i++) {
        struct kernel_bound *bound = &kernel->bound[i];
        if (kernel_is_bound(kernel->shader, bound, table)) {
            found = bound;
            break;
        }
        found = found || bound->run == run ? found : bound;
    }
    if (found) {
        kernel_write(gpu, kernel->shader, found, table);
        found->run = run;
    }
    return found;
}
