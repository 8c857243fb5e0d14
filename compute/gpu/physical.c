#include "compute/gpu/physical.h"

#include "compute/gpu/result.h"
#include "shaders.h"
#include "shaders/shared/glue.h"
#include "volumes/base/printable.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

uint32_t physical_validation_version(void)
{
    uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, NULL);
    VkLayerProperties *layers = calloc(count ? count : 1, sizeof *layers);
    uint32_t version = 0;
    if (layers && vkEnumerateInstanceLayerProperties(&count, layers) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            if (strcmp(layers[i].layerName, VALIDATION_LAYER) == 0) {
                version = layers[i].specVersion;
            }
        }
    }
    free(layers);
    return version;
}

static VkResult
physical_extensions(VkPhysicalDevice physical, uint32_t *count, VkExtensionProperties *out)
{
    return physical ? vkEnumerateDeviceExtensionProperties(physical, NULL, count, out)
                    : vkEnumerateInstanceExtensionProperties(NULL, count, out);
}

bool physical_has_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    physical_extensions(physical, &count, NULL);
    VkExtensionProperties *extensions = calloc(count ? count : 1, sizeof *extensions);
    bool found = false;
    if (extensions && physical_extensions(physical, &count, extensions) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            found |= strcmp(extensions[i].extensionName, name) == 0;
        }
    }
    free(extensions);
    return found;
}

bool physical_create_instance(
    const struct gpu_params *params, VkInstance *out, struct problem *problem)
{
    *out = VK_NULL_HANDLE;
    if (volkInitialize() != VK_SUCCESS) {
        return problem_set(
            problem, PROBLEM_NO_DEVICE,
            "no Vulkan loader (libvulkan.so.1) on this system: install libvulkan1");
    }
    if (volkGetInstanceVersion() < VK_API_VERSION_1_3) {
        const uint32_t version = volkGetInstanceVersion();
        return problem_set(
            problem, PROBLEM_NO_DEVICE,
            "the Vulkan loader supports version %u.%u, but 1.3 is needed",
            VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
    }
    if (params->validate && !physical_validation_version()) {
        return problem_set(
            problem, PROBLEM_NO_DEVICE,
            "--validate needs the layer " VALIDATION_LAYER ": install vulkan-validationlayers");
    }

    const char *extensions[32];
    uint32_t extension_count = 0;
    for (uint32_t i = 0; i < params->extension_count && extension_count < 31; i++) {
        extensions[extension_count++] = params->extensions[i];
    }
    if (params->validate || physical_has_extension(NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) {
        extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    }
    const char *layers[] = { VALIDATION_LAYER };
    const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
    };
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enabled,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "cubist",
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = params->validate ? &features : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = params->validate ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    const VkResult result = vkCreateInstance(&info, NULL, out);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        return problem_set(
            problem, PROBLEM_NO_DEVICE,
            "no Vulkan driver found: install one for your GPU, or mesa-vulkan-drivers to run on "
            "the CPU");
    }
    if (result != VK_SUCCESS) {
        return gpu_refused(result, "vkCreateInstance", __FILE__, __LINE__, problem);
    }
    volkLoadInstance(*out);
    return true;
}

bool physical_list(
    VkInstance instance, VkPhysicalDevice **out, uint32_t *count, struct problem *problem)
{
    *out = NULL;
    *count = 0;
    VkResult result = vkEnumeratePhysicalDevices(instance, count, NULL);
    if (result == VK_ERROR_INITIALIZATION_FAILED || (result >= 0 && *count == 0)) {
        *count = 0;
        return true;
    }
    if (result >= 0) {
        *out = calloc(*count, sizeof **out);
        if (!*out) {
            return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory listing devices");
        }
        result = vkEnumeratePhysicalDevices(instance, count, *out);
    }
    if (result < 0) {
        free(*out);
        *out = NULL;
        return gpu_refused(result, "vkEnumeratePhysicalDevices", __FILE__, __LINE__, problem);
    }
    return true;
}

uint32_t physical_queue_family(VkPhysicalDevice physical, bool draws)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32, computes = UINT32_MAX;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = count; i-- > 0;) {
        const VkQueueFlags flags = families[i].queueFlags;
        computes = flags & VK_QUEUE_COMPUTE_BIT ? i : computes;
    }
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & both) == both) {
            return i;
        }
    }
    return draws ? UINT32_MAX : computes;
}

static const char *physical_type_name(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

static struct gpu_lack *physical_lack(struct gpu_row *row, bool to_compute)
{
    assert(row->lack_count < GPU_LACKS);
    struct gpu_lack *lack = &row->lacks[row->lack_count++];
    lack->to_compute = to_compute;
    return lack;
}

static void physical_need(struct gpu_row *row, bool there, bool to_compute, const char *name)
{
    if (!there) {
        struct gpu_lack *lack = physical_lack(row, to_compute);
        snprintf(lack->name, sizeof lack->name, "%s", name);
    }
}

static void
physical_need_limit(struct gpu_row *row, const char *name, uint32_t found, uint32_t needed)
{
    if (found < needed) {
        struct gpu_lack *lack = physical_lack(row, true);
        snprintf(lack->name, sizeof lack->name, "%s of %u (it has %u)", name, needed, found);
    }
}

static void physical_need_features(VkPhysicalDevice physical, struct gpu_row *row)
{
    VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    };
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &v13,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v12,
    };
    vkGetPhysicalDeviceFeatures2(physical, &features);
    const bool computes = physical_queue_family(physical, false) != UINT32_MAX;
    const bool draws = physical_queue_family(physical, true) != UINT32_MAX;
    physical_need(row, computes, true, "a compute queue");
    physical_need(row, draws || !computes, false, "a queue that both draws and computes");
    physical_need(row, v13.synchronization2, true, "synchronization2");
    physical_need(row, v13.dynamicRendering, false, "dynamicRendering");
    physical_need(row, v13.maintenance4, true, "maintenance4");
    physical_need(row, v13.subgroupSizeControl, true, "subgroupSizeControl");
    physical_need(row, v13.computeFullSubgroups, true, "computeFullSubgroups");
    physical_need(row, v12.scalarBlockLayout, true, "scalarBlockLayout");
}

static void physical_need_subgroups(struct gpu_row *row, const struct physical_properties *has)
{
    static const struct {
        VkSubgroupFeatureFlagBits bit;
        const char *name;
    } operations[] = {
        { VK_SUBGROUP_FEATURE_BASIC_BIT, "basic subgroup operations" },
        { VK_SUBGROUP_FEATURE_BALLOT_BIT, "subgroup ballot" },
        { VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "subgroup arithmetic" },
        { VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "subgroup shuffle" },
    };
    physical_need(
        row, has->subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT, true,
        "subgroup operations in compute shaders");
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const bool there = has->subgroup.supportedOperations & operations[i].bit;
        physical_need(row, there, true, operations[i].name);
    }
    physical_need_limit(row, "minSubgroupSize", has->sizes.minSubgroupSize, 4);
    physical_need(row, has->sizes.maxSubgroupSize <= 128, true, "maxSubgroupSize of at most 128");
}

// Other limits are not required: they make the parts smaller (compute/extraction/part_size.h).
static void physical_need_limits(struct gpu_row *row, const VkPhysicalDeviceLimits *limits)
{
    const struct {
        const char *name;
        uint32_t found, needed;
    } needs[] = {
        { "maxComputeWorkGroupInvocations", limits->maxComputeWorkGroupInvocations, GROUP },
        { "maxComputeWorkGroupSize", limits->maxComputeWorkGroupSize[0], GROUP },
        { "maxPushConstantsSize", limits->maxPushConstantsSize, SHADERS_PUSH },
        { "maxPerStageDescriptorStorageBuffers", limits->maxPerStageDescriptorStorageBuffers,
          SHADERS_STORAGE },
        { "maxPerStageDescriptorSampledImages", limits->maxPerStageDescriptorSampledImages,
          SHADERS_SAMPLED },
        { "maxPerStageDescriptorStorageImages", limits->maxPerStageDescriptorStorageImages,
          SHADERS_STORAGE_TEXELS },
        { "maxPerStageResources", limits->maxPerStageResources, SHADERS_BINDINGS },
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        physical_need_limit(row, needs[i].name, needs[i].found, needs[i].needed);
    }
}

void physical_list_lacks(const struct gpu_row *row, bool drawing, char *out, size_t size)
{
    size_t length = 0;
    *out = '\0';
    for (uint32_t i = 0; i < row->lack_count; i++) {
        if (row->lacks[i].to_compute != drawing && length < size) {
            length += (size_t)snprintf(
                out + length, size - length, "%s%s", length ? ", " : "", row->lacks[i].name);
        }
    }
}

void physical_read_properties(VkPhysicalDevice physical, struct physical_properties *out)
{
    *out = (struct physical_properties){
        .device = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &out->driver },
        .driver = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, &out->id },
        .id = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &out->subgroup },
        .subgroup = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &out->sizes },
        .sizes = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
                   &out->allocations },
        .allocations = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
                         &out->buffers },
        .buffers = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES },
        .pci = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT },
        .has_pci = physical_has_extension(physical, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME),
    };
    out->buffers.pNext = out->has_pci ? &out->pci : NULL;
    vkGetPhysicalDeviceProperties2(physical, &out->device);
}

// Vulkan gives the PCI address in four numbers: domain, bus, device, function.
static void
physical_find_place(const struct physical_properties *has, unsigned char place[1 + VK_UUID_SIZE])
{
    const VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = &has->pci;
    const uint32_t address[] = { pci->pciDomain, pci->pciBus, pci->pciDevice, pci->pciFunction };
    place[0] = !has->has_pci;
    for (uint32_t i = 0; i < VK_UUID_SIZE; i++) {
        place[1 + i] = has->has_pci ? (unsigned char)(address[i / 4] >> (24 - i % 4 * 8))
                                    : has->id.deviceUUID[i];
    }
}

uint32_t physical_take_turns(
    const struct gpu_row *rows, uint32_t count, uint32_t best, const struct gpu_params *params)
{
    if (params->processes < 2) {
        return best;
    }
    uint32_t found[64], most = 0;
    for (uint32_t i = 0; i < count && most < 64; i++) {
        const struct gpu_row *row = &rows[i];
        if (row->usable && !row->blind && strcmp(row->type, rows[best].type) == 0) {
            uint32_t at = most++;
            for (; at > 0 && memcmp(rows[found[at - 1]].place, row->place, sizeof row->place) > 0;
                 at--) {
                found[at] = found[at - 1];
            }
            found[at] = i;
        }
    }
    return found[params->process % most];
}

void physical_describe(VkPhysicalDevice physical, uint32_t index, bool draws, struct gpu_row *out)
{
    struct physical_properties properties;
    physical_read_properties(physical, &properties);
    const VkPhysicalDeviceProperties *has = &properties.device.properties;
    *out = (struct gpu_row){ .index = index };
    printable_copy(has->deviceName, out->name, sizeof out->name);
    physical_find_place(&properties, out->place);
    snprintf(out->type, sizeof out->type, "%s", physical_type_name(has->deviceType));
    char text[sizeof out->driver];
    snprintf(
        text, sizeof text, "%.120s %.120s", properties.driver.driverName,
        properties.driver.driverInfo);
    printable_copy(text, out->driver, sizeof out->driver);
    if (has->apiVersion < VK_API_VERSION_1_3) { // such a driver cannot answer the other queries
        struct gpu_lack *lack = physical_lack(out, true);
        snprintf(
            lack->name, sizeof lack->name, "Vulkan 1.3 (it has %u.%u)",
            VK_API_VERSION_MAJOR(has->apiVersion), VK_API_VERSION_MINOR(has->apiVersion));
    } else {
        physical_need_features(physical, out);
        physical_need_subgroups(out, &properties);
        physical_need_limits(out, &has->limits);
    }
    char computing[1500], drawing[500];
    physical_list_lacks(out, false, computing, sizeof computing);
    physical_list_lacks(out, true, drawing, sizeof drawing);
    out->computes = !*computing;
    out->usable = out->computes && !(draws && *drawing);
    if (!out->usable) {
        const bool also = draws && *drawing;
        snprintf(
            out->reason, sizeof out->reason, "it lacks %s%s%s%s", computing,
            *computing && also ? ", " : "", also ? drawing : "", also ? " for drawing" : "");
    }
}
