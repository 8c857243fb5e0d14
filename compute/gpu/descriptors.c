#include "compute/gpu/descriptors.h"

#include "compute/gpu/label.h"

#include <assert.h>

static const VkDescriptorType descriptors_types[] = {
    [SHADER_STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    [SHADER_UNIFORM] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    [SHADER_TEXELS] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    [SHADER_STORAGE_TEXELS] = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    [SHADER_IMAGE] = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    [SHADER_SAMPLED] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
};

static void descriptors_add_shader(
    struct descriptors *descriptors, const struct shader *shader, VkShaderStageFlags stage,
    VkDescriptorSetLayoutBinding layouts[DESCRIPTORS_MOST])
{
    for (uint32_t i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *own = &shader->bindings[i];
        uint32_t k = 0;
        while (k < descriptors->count && descriptors->bindings[k].number != own->number) {
            k++;
        }
        assert(k < DESCRIPTORS_MOST);
        if (k == descriptors->count) {
            descriptors->bindings[descriptors->count++] = *own;
            layouts[k] = (VkDescriptorSetLayoutBinding){
                .binding = own->number,
                .descriptorType = descriptors_types[own->kind],
                .descriptorCount = 1,
            };
        }
        layouts[k].stageFlags |= stage;
    }
    if (shader->push_size > 0) {
        const uint32_t size = shader->push_size;
        descriptors->push_stages |= stage;
        descriptors->push_size = size > descriptors->push_size ? size : descriptors->push_size;
    }
}

static bool descriptors_create_set(
    struct gpu *gpu, const VkDescriptorSetLayoutBinding *layouts, const char *name,
    struct descriptors *out, struct problem *problem)
{
    VkDescriptorPoolSize sizes[DESCRIPTORS_MOST];
    for (uint32_t i = 0; i < out->count; i++) {
        sizes[i] = (VkDescriptorPoolSize){ layouts[i].descriptorType, 1 };
    }
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = out->count,
        .pBindings = layouts,
    };
    VK_TRY(vkCreateDescriptorSetLayout(gpu->device, &layout, NULL, &out->layout));
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = out->count,
        .pPoolSizes = sizes,
    };
    VK_TRY(vkCreateDescriptorPool(gpu->device, &pool, NULL, &out->pool));
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = out->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &out->layout,
    };
    VK_TRY(vkAllocateDescriptorSets(gpu->device, &set, &out->set));
    label_object(gpu, VK_OBJECT_TYPE_DESCRIPTOR_SET, out->set, name);
    return true;
fail:
    return false;
}

bool descriptors_create(
    struct gpu *gpu, const struct shader *const shaders[], uint32_t count, const char *name,
    struct descriptors *out, struct problem *problem)
{
    static const VkShaderStageFlags drawn[] = { VK_SHADER_STAGE_VERTEX_BIT,
                                                VK_SHADER_STAGE_FRAGMENT_BIT };
    VkDescriptorSetLayoutBinding layouts[DESCRIPTORS_MOST];
    *out = (struct descriptors){ 0 };
    for (uint32_t i = 0; i < count; i++) {
        descriptors_add_shader(
            out, shaders[i], count == 1 ? VK_SHADER_STAGE_COMPUTE_BIT : drawn[i], layouts);
    }
    if (out->count > 0 && !descriptors_create_set(gpu, layouts, name, out, problem)) {
        goto fail;
    }
    const VkPushConstantRange push = { .stageFlags = out->push_stages, .size = out->push_size };
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = out->count > 0,
        .pSetLayouts = &out->layout,
        .pushConstantRangeCount = out->push_size > 0,
        .pPushConstantRanges = &push,
    };
    VK_TRY(vkCreatePipelineLayout(gpu->device, &layout, NULL, &out->pipeline_layout));
    label_object(gpu, VK_OBJECT_TYPE_PIPELINE_LAYOUT, out->pipeline_layout, name);
    return true;
fail:
    descriptors_destroy(gpu, out);
    return false;
}

void descriptors_destroy(struct gpu *gpu, struct descriptors *descriptors)
{
    if (gpu->device && !gpu->lost) {
        vkDestroyPipelineLayout(gpu->device, descriptors->pipeline_layout, NULL);
        vkDestroyDescriptorPool(gpu->device, descriptors->pool, NULL);
        vkDestroyDescriptorSetLayout(gpu->device, descriptors->layout, NULL);
    }
    *descriptors = (struct descriptors){ 0 };
}

static bool descriptors_is_image(const struct shader_binding *own)
{
    return own->kind == SHADER_IMAGE || own->kind == SHADER_SAMPLED;
}

// The table's entry for a binding. In a shader, a buffer that is read as texels has another number.
static const struct binding *
descriptors_entry(const struct shader_binding *own, const struct binding table[BINDINGS])
{
    return &table[own->kind == SHADER_TEXELS ? own->number - TEXELS(0) : own->number];
}

bool descriptors_has(const struct shader_binding *own, const struct binding table[BINDINGS])
{
    const struct binding *what = descriptors_entry(own, table);
    return what->buffer || what->image;
}

const struct binding *descriptors_find(
    const struct descriptors *descriptors, const struct shader_binding *own,
    const struct binding table[BINDINGS])
{
    if (descriptors_is_image(own) || descriptors_has(own, table)) {
        return descriptors_entry(own, table);
    }
    // The validation layers take it that the shader writes there. A buffer that it does write has
    // barriers for that; the samples, which come first in most tables, have none.
    for (uint32_t i = 0; own->writes && i < descriptors->count; i++) {
        const struct shader_binding *other = &descriptors->bindings[i];
        if (other->writes && other->kind == own->kind && descriptors_has(other, table)) {
            return descriptors_entry(other, table);
        }
    }
    const bool texels = own->kind == SHADER_TEXELS || own->kind == SHADER_STORAGE_TEXELS;
    for (uint32_t i = 0; i < BINDINGS; i++) {
        if (table[i].buffer && (!texels || table[i].buffer->views[table[i].view])) {
            return &table[i];
        }
    }
    assert(!"a table has at least one buffer of each kind");
    return NULL;
}

// A number that differs for each range of each buffer. A buffer that stands for a missing entry is
// bound with a shorter range, so `missing` makes another number.
static uint64_t descriptors_place(const struct binding *what, bool missing)
{
    return what->image ? what->image->serial << 1 | (what->view != 0)
                       : buffer_place(what->buffer, (uint64_t)what->slot * BUFFER_SLOT) + missing;
}

bool descriptors_hold(const struct descriptors *descriptors, const struct binding table[BINDINGS])
{
    for (uint32_t i = 0; i < descriptors->count; i++) {
        const struct shader_binding *own = &descriptors->bindings[i];
        const struct binding *what = descriptors_find(descriptors, own, table);
        if (descriptors->bound[i] != descriptors_place(what, !descriptors_has(own, table))) {
            return false;
        }
    }
    return true;
}

void descriptors_bind(
    struct gpu *gpu, struct descriptors *descriptors, const struct binding table[BINDINGS])
{
    VkWriteDescriptorSet writes[DESCRIPTORS_MOST];
    VkDescriptorBufferInfo buffers[DESCRIPTORS_MOST];
    VkDescriptorImageInfo images[DESCRIPTORS_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < descriptors->count; i++) {
        const struct shader_binding *own = &descriptors->bindings[i];
        const struct binding *what = descriptors_find(descriptors, own, table);
        const bool missing = !descriptors_has(own, table);
        const uint64_t place = descriptors_place(what, missing);
        if (descriptors->bound[i] == place) {
            continue;
        }
        descriptors->bound[i] = place;
        const struct buffer *buffer = what->buffer;
        if (what->image) {
            images[i] = (VkDescriptorImageInfo){
                .sampler = what->sampler,
                .imageView = what->view ? what->image->bytes : what->image->view,
                .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
            };
        } else {
            buffers[i] = (VkDescriptorBufferInfo){
                buffer->handle,
                (uint64_t)what->slot * BUFFER_SLOT,
                missing         ? 16
                : buffer->slots ? BUFFER_SLOT
                                : buffer->size,
            };
        }
        writes[count++] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = descriptors->set,
            .dstBinding = own->number,
            .descriptorCount = 1,
            .descriptorType = descriptors_types[own->kind],
            .pImageInfo = &images[i],
            .pBufferInfo = &buffers[i],
            .pTexelBufferView = buffer ? &buffer->views[what->view] : NULL,
        };
    }
    vkUpdateDescriptorSets(gpu->device, count, writes, 0, NULL);
}

void descriptors_use(
    const struct descriptors *descriptors, VkCommandBuffer cmd, VkPipelineBindPoint point,
    const void *push)
{
    if (descriptors->set) {
        vkCmdBindDescriptorSets(
            cmd, point, descriptors->pipeline_layout, 0, 1, &descriptors->set, 0, NULL);
    }
    if (descriptors->push_size > 0) {
        vkCmdPushConstants(
            cmd, descriptors->pipeline_layout, descriptors->push_stages, 0, descriptors->push_size,
            push);
    }
}
