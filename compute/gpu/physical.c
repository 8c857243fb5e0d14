#include "compute/gpu/physical.h"

#include "compute/gpu/result.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

static bool physical_has_layer(const char *name)
{
    uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, NULL);
    VkLayerProperties *layers = calloc(count ? count : 1, sizeof *layers);
    bool found = false;
    if (layers && vkEnumerateInstanceLayerProperties(&count, layers) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            found |= strcmp(layers[i].layerName, name) == 0;
        }
    }
    free(layers);
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
    if (params->validate && !physical_has_layer(VALIDATION_LAYER)) {
        return problem_set(
            problem, PROBLEM_NO_DEVICE,
            "--validate needs the layer " VALIDATION_LAYER ": install vulkan-validationlayers");
    }

    const char *extensions[32];
    uint32_t extension_count = 0;
    for (uint32_t i = 0; i < params->extension_count && extension_count < 31; i++) {
        extensions[extension_count++] = params->extensions[i];
    }
    if (params->validate) {
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

uint32_t physical_queue_family(VkPhysicalDevice physical)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & both) == both) {
            return i;
        }
    }
    return UINT32_MAX;
}

bool physical_has_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    VkExtensionProperties *extensions = calloc(count ? count : 1, sizeof *extensions);
    bool found = false;
    if (extensions &&
        vkEnumerateDeviceExtensionProperties(physical, NULL, &count, extensions) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            found |= strcmp(extensions[i].extensionName, name) == 0;
        }
    }
    free(extensions);
    return found;
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

// The first requirement that the device does not meet; NULL when it meets all of them.
static const char *physical_missing(
    VkPhysicalDevice physical, const VkPhysicalDeviceProperties *properties,
    const VkPhysicalDeviceSubgroupProperties *subgroup)
{
    if (properties->apiVersion < VK_API_VERSION_1_3) {
        return "it does not support Vulkan 1.3";
    }
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
    VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 more = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &sizes,
    };
    vkGetPhysicalDeviceProperties2(physical, &more);
    const VkSubgroupFeatureFlags operations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
        VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    const struct {
        bool there;
        const char *reason;
    } needs[] = {
        { physical_queue_family(physical) != UINT32_MAX, "no queue both draws and computes" },
        { v13.synchronization2, "it lacks synchronization2" },
        { v13.dynamicRendering, "it lacks dynamicRendering" },
        { v13.maintenance4, "it lacks maintenance4" },
        { v13.computeFullSubgroups && v13.subgroupSizeControl, "it lacks computeFullSubgroups" },
        { features.features.fullDrawIndexUint32, "it lacks fullDrawIndexUint32" },
        { v12.scalarBlockLayout, "it lacks scalarBlockLayout" },
        { (subgroup->supportedOperations & operations) == operations &&
              (subgroup->supportedStages & VK_SHADER_STAGE_COMPUTE_BIT),
          "it lacks subgroup ballot, arithmetic or shuffle in compute shaders" },
        { sizes.minSubgroupSize >= 4 && sizes.maxSubgroupSize <= 128,
          "its subgroups have fewer than 4 or more than 128 lanes" },
        { properties->limits.maxComputeWorkGroupInvocations >= 256,
          "its workgroups have fewer than 256 invocations" },
        { properties->limits.maxPerStageDescriptorStorageBuffers >= 10,
          "its shaders see fewer than 10 storage buffers" },
        { properties->limits.maxPushConstantsSize >= 128, "it has under 128 push constant bytes" },
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (!needs[i].there) {
            return needs[i].reason;
        }
    }
    return NULL;
}

void physical_describe(VkPhysicalDevice physical, uint32_t index, struct gpu_row *out)
{
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
    };
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
        .pNext = &subgroup,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &driver,
    };
    vkGetPhysicalDeviceProperties2(physical, &properties);
    *out = (struct gpu_row){ .index = index };
    snprintf(out->name, sizeof out->name, "%s", properties.properties.deviceName);
    snprintf(
        out->type, sizeof out->type, "%s", physical_type_name(properties.properties.deviceType));
    snprintf(
        out->driver, sizeof out->driver, "%.120s %.120s", driver.driverName, driver.driverInfo);
    const char *reason = physical_missing(physical, &properties.properties, &subgroup);
    out->usable = !reason;
    snprintf(out->reason, sizeof out->reason, "%s", reason ? reason : "");
}
