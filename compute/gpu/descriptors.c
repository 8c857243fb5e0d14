#include "compute/gpu/descriptors.h"

#include "compute/gpu/label.h"

#include <assert.h>

bool descriptors_create(
    struct gpu *gpu, const VkDescriptorSetLayoutBinding *bindings, uint32_t count, const char *name,
    struct descriptors *out, struct problem *problem)
{
    *out = (struct descriptors){ 0 };
    VkDescriptorPoolSize sizes[DESCRIPTORS_MOST];
    assert(count > 0 && count <= DESCRIPTORS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        sizes[i] =
            (VkDescriptorPoolSize){ bindings[i].descriptorType, bindings[i].descriptorCount };
    }
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings,
    };
    VK_TRY(vkCreateDescriptorSetLayout(gpu->device, &layout, NULL, &out->layout));
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = count,
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
    descriptors_destroy(gpu, out);
    return false;
}

void descriptors_destroy(struct gpu *gpu, struct descriptors *descriptors)
{
    if (gpu->device && !gpu->lost) {
        vkDestroyDescriptorPool(gpu->device, descriptors->pool, NULL);
        vkDestroyDescriptorSetLayout(gpu->device, descriptors->layout, NULL);
    }
    *descriptors = (struct descriptors){ 0 };
}
