#include "compute/descriptors.h"

static VkDescriptorType descriptors_type(uint32_t binding)
{
    return binding == BINDING_SAMPLES        ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
           : binding <= BINDING_KEYS32       ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
           : binding < BINDING_OUT_ROW_MASKS ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                             : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

bool descriptors_create(struct gpu *gpu, struct descriptors *out, struct problem *problem)
{
    *out = (struct descriptors){ 0 };
    VkDescriptorSetLayoutBinding slots[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++) {
        slots[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = descriptors_type(i),
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = slots,
    };
    VK_TRY(vkCreateDescriptorSetLayout(gpu->device, &layout, NULL, &out->layout));
    const VkDescriptorPoolSize sizes[] = {
        { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1 },
        { VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, BINDING_BLOCKS - BINDING_KEYS8 },
        { VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, BINDING_OUT_ROW_MASKS - BINDING_BLOCKS },
        { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDINGS - BINDING_OUT_ROW_MASKS },
    };
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = sizeof sizes / sizeof *sizes,
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
    return true;
fail:
    descriptors_destroy(gpu, out);
    return false;
}

void descriptors_destroy(struct gpu *gpu, struct descriptors *descriptors)
{
    if (!gpu->lost && gpu->device) {
        for (uint32_t i = 0; i < BINDINGS; i++) {
            vkDestroyBufferView(gpu->device, descriptors->views[i], NULL);
        }
        vkDestroyDescriptorPool(gpu->device, descriptors->pool, NULL);
        vkDestroyDescriptorSetLayout(gpu->device, descriptors->layout, NULL);
    }
    *descriptors = (struct descriptors){ 0 };
}

static uint32_t descriptors_texel_bytes(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_R8_UINT:
        return 1;
    case VK_FORMAT_R16_UINT:
        return 2;
    case VK_FORMAT_R32_UINT:
        return 4;
    case VK_FORMAT_R32G32_UINT:
        return 8;
    default:
        return 16;
    }
}

bool descriptors_reach(const struct gpu *gpu, uint64_t bytes)
{
    return bytes <= gpu->properties.limits.maxStorageBufferRange &&
           bytes / sizeof(uint32_t) <= gpu->properties.limits.maxTexelBufferElements;
}

bool descriptors_hold(
    const struct gpu *gpu, const char *name, uint64_t bytes, VkFormat format,
    struct problem *problem)
{
    const uint64_t texels = buffer_rounded(bytes) / descriptors_texel_bytes(format);
    const uint32_t most = gpu->properties.limits.maxTexelBufferElements;
    return format == VK_FORMAT_UNDEFINED || texels <= most ||
           problem_set(
               problem, PROBLEM_LIMIT,
               "the %s has %llu elements, this device reads at most %u of one texel buffer", name,
               (unsigned long long)texels, most);
}

bool descriptors_set_buffer(
    struct gpu *gpu, struct descriptors *descriptors, uint32_t binding, const struct buffer *buffer,
    VkFormat format, struct problem *problem)
{
    return descriptors_hold(gpu, buffer->name, buffer->size, format, problem) &&
           descriptors_set_part(gpu, descriptors, binding, buffer, format, problem);
}

bool descriptors_set_part(
    struct gpu *gpu, struct descriptors *descriptors, uint32_t binding, const struct buffer *buffer,
    VkFormat format, struct problem *problem)
{
    if (descriptors->serials[binding] == buffer->serial) {
        return true;
    }
    const uint64_t most = gpu->properties.limits.maxTexelBufferElements;
    const uint64_t all = buffer->size / descriptors_texel_bytes(format),
                   texels = all < most ? all : most;
    VkBufferView view = VK_NULL_HANDLE;
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer->handle,
        .format = format,
        .range = texels * descriptors_texel_bytes(format),
    };
    VK_TRY(vkCreateBufferView(gpu->device, &info, NULL, &view));
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = descriptors->set,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = descriptors_type(binding),
        .pTexelBufferView = &view,
    };
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    vkDestroyBufferView(gpu->device, descriptors->views[binding], NULL);
    descriptors->views[binding] = view;
    descriptors->serials[binding] = buffer->serial;
    return true;
fail:
    return false;
}

void descriptors_set_image(
    struct gpu *gpu, struct descriptors *descriptors, const struct image *image)
{
    const VkDescriptorImageInfo info = {
        .imageView = image->view,
        .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = descriptors->set,
        .dstBinding = BINDING_SAMPLES,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .pImageInfo = &info,
    };
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
}

void descriptors_set_storage(
    struct gpu *gpu, struct descriptors *descriptors, uint32_t binding, const struct buffer *buffer)
{
    const VkDeviceSize most = gpu->properties.limits.maxStorageBufferRange;
    const VkDescriptorBufferInfo info = {
        .buffer = buffer->handle,
        .range = buffer->size < most ? buffer->size : most,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = descriptors->set,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &info,
    };
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
}
