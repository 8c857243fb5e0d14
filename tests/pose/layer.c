// A Vulkan layer that lies about devices: about limits, features and the device's type.
//
//     VK_LAYER_PATH=DIR VK_INSTANCE_LAYERS=VK_LAYER_CUBIST_pose
//     CUBIST_POSE=NAME=VALUE,NAME=VALUE...    names as below
//     CUBIST_POSE_NAME=TEXT                   only devices with that in their names lie
//     CUBIST_POSE_AS=TEXT                     their name
//
// Without CUBIST_POSE, or with an empty one, every device says that it is a discrete GPU. So
// llvmpipe goes the ways that the program takes on a GPU. Nothing is enforced here: with
// VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation:VK_LAYER_CUBIST_pose, and its folder first in
// VK_LAYER_PATH, the validation layer believes the lies, and reports what goes beyond them.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT    __attribute__((visibility("default")))
#define INSTANCES 64 // that one run makes

static struct link {
    void *key; // what the loader has put into the handle, and into those of its devices
    PFN_vkGetInstanceProcAddr get;
    PFN_vkGetPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties2 properties2;
    PFN_vkGetPhysicalDeviceFeatures features;
    PFN_vkGetPhysicalDeviceFeatures2 features2;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties queues;
    PFN_vkGetPhysicalDeviceImageFormatProperties images;
    PFN_vkGetPhysicalDeviceSurfaceFormatsKHR surfaces;
    PFN_vkGetPhysicalDeviceSurfacePresentModesKHR modes;
    PFN_vkEnumerateDeviceExtensionProperties extensions;
} links[INSTANCES];
static uint32_t link_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *key_of(const void *handle)
{
    return *(void *const *)handle;
}

// The newest: a key may come back.
static const struct link *link_of(const void *handle)
{
    const struct link *found = NULL;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < link_count; i++) {
        found = links[i].key == key_of(handle) ? &links[i] : found;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

// The Vulkan structs whose members the layer can change. A positive number is a struct's sType. The
// structs of Vulkan 1.0 have no sType, so they get these numbers.
enum {
    LIMITS = -1,
    FEATURES = -2,
    TYPE = -3,
    VERSION = -4,
    QUEUES = -5,
    STAMPS = -6,
    IMAGES = -7,
    SURFACES = -8,
    MODES = -9,
    MAXIMAL_RECONVERGENCE = 1000434000, // headers of 2022 do not have it
};

// The members that can be lied about.
#define LIMIT(name)                                                                                \
    {                                                                                              \
#name, LIMITS, offsetof(VkPhysicalDeviceLimits, name), SIZE(VkPhysicalDeviceLimits, name)  \
    }
#define FEATURE(name)                                                                              \
    {                                                                                              \
#name, FEATURES, offsetof(VkPhysicalDeviceFeatures, name), 4                               \
    }
#define MEMBER(type, stype, name)                                                                  \
    {                                                                                              \
#name, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##stype, offsetof(type, name), SIZE(type, name)   \
    }
#define SIZE(type, name) sizeof(((type *)0)->name)
#define FEATURE12(name)  MEMBER(VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, name)
#define FEATURE13(name)  MEMBER(VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES, name)
#define SUBGROUP(name)   MEMBER(VkPhysicalDeviceSubgroupProperties, SUBGROUP_PROPERTIES, name)
#define SIZES(name)                                                                                \
    MEMBER(VkPhysicalDeviceSubgroupSizeControlProperties, SUBGROUP_SIZE_CONTROL_PROPERTIES, name)
// clang-format off
static const struct lie {
    const char *name;
    int32_t where; // the struct's sType, or one of the above
    size_t offset, size;
} lies[] = {
    { "type", TYPE, 0, 0 }, // of the device
    { "apiVersion", VERSION, 0, 0 },
    { "queueFlags", QUEUES, 0, 0 }, // of every family: those that are not here are dropped
    { "timestampValidBits", STAMPS, 0, 0 },
    { "maxResourceSize", IMAGES, 0, 0 }, // bytes of an image
    { "surfaceFormat", SURFACES, 0, 0 }, // the only one, from the second time on that it is asked for
    { "presentMode", MODES, 0, 0 }, // the only one
    // The only extension for reconvergence that the device has. Nothing may use it.
    { "shaderMaximalReconvergence", MAXIMAL_RECONVERGENCE, sizeof(VkBaseOutStructure), 4 },
    LIMIT(maxImageDimension2D), LIMIT(maxImageArrayLayers), LIMIT(maxTexelBufferElements),
    LIMIT(maxStorageBufferRange), LIMIT(maxPushConstantsSize), LIMIT(maxMemoryAllocationCount),
    LIMIT(maxPerStageDescriptorStorageBuffers), LIMIT(maxPerStageDescriptorSampledImages),
    LIMIT(maxPerStageDescriptorStorageImages), LIMIT(maxPerStageResources),
    LIMIT(maxComputeSharedMemorySize), LIMIT(maxComputeWorkGroupInvocations),
    LIMIT(maxComputeWorkGroupSize), LIMIT(maxDrawIndexedIndexValue), LIMIT(maxFramebufferWidth),
    LIMIT(maxFramebufferHeight), LIMIT(minStorageBufferOffsetAlignment),
    LIMIT(minTexelBufferOffsetAlignment), LIMIT(framebufferColorSampleCounts),
    FEATURE(fullDrawIndexUint32), FEATURE(fillModeNonSolid), FEATURE(shaderStorageImageExtendedFormats),
    FEATURE(shaderInt64),
    FEATURE12(scalarBlockLayout), FEATURE12(bufferDeviceAddress),
    FEATURE13(synchronization2), FEATURE13(dynamicRendering), FEATURE13(maintenance4),
    FEATURE13(subgroupSizeControl), FEATURE13(computeFullSubgroups),
    SUBGROUP(supportedStages), SUBGROUP(supportedOperations),
    SIZES(minSubgroupSize), SIZES(maxSubgroupSize), SIZES(maxComputeWorkgroupSubgroups),
    SIZES(requiredSubgroupSizeStages),
    MEMBER(VkPhysicalDeviceDriverProperties, DRIVER_PROPERTIES, driverID),
    MEMBER(VkPhysicalDeviceMaintenance3Properties, MAINTENANCE_3_PROPERTIES, maxMemoryAllocationSize),
    MEMBER(VkPhysicalDeviceMaintenance4Properties, MAINTENANCE_4_PROPERTIES, maxBufferSize),
    MEMBER(VkPhysicalDeviceVulkan11Properties, VULKAN_1_1_PROPERTIES, maxMemoryAllocationSize),
    MEMBER(VkPhysicalDeviceVulkan13Properties, VULKAN_1_3_PROPERTIES, maxBufferSize),
    MEMBER(VkPhysicalDeviceSynchronization2Features, SYNCHRONIZATION_2_FEATURES, synchronization2),
};
// clang-format on

static const char *wanted(void)
{
    const char *text = getenv("CUBIST_POSE");
    return text && *text ? text : "type=2";
}

// Whether this lie is wanted. Every name that is wanted must be known.
static int lie_is_wanted(const struct lie *lie, uint64_t *value)
{
    int found = 0;
    for (const char *at = wanted(); *at;) {
        const size_t length = strcspn(at, "=");
        size_t known = 0;
        for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
            known += strlen(lies[i].name) == length && strncmp(lies[i].name, at, length) == 0;
        }
        if (!known || at[length] != '=') {
            fprintf(stderr, "pose layer: CUBIST_POSE has no lie in '%s'\n", at);
            abort();
        }
        char *end;
        const uint64_t here = strtoull(at + length + 1, &end, 0);
        if (strlen(lie->name) == length && strncmp(lie->name, at, length) == 0) {
            *value = here;
            found = 1;
        }
        at = *end == ',' ? end + 1 : end;
    }
    return found;
}

// Whether this device lies.
static int poses(VkPhysicalDevice physical)
{
    const char *name = getenv("CUBIST_POSE_NAME");
    VkPhysicalDeviceProperties is;
    link_of(physical)->properties(physical, &is);
    return !name || strstr(is.deviceName, name);
}

// Tells the lies that belong into a struct of this kind.
static void lie_in(int32_t where, void *out)
{
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        uint64_t value;
        if (lies[i].where == where && lie_is_wanted(&lies[i], &value)) {
            // The machine is little-endian. Of an array it is the first element.
            memcpy((char *)out + lies[i].offset, &value, lies[i].size == 8 ? 8 : 4);
        }
    }
}

static void lie_about_properties(VkPhysicalDeviceProperties *out)
{
    uint64_t value;
    const char *name = getenv("CUBIST_POSE_AS");
    if (name) {
        snprintf(out->deviceName, sizeof out->deviceName, "%s", name);
    }
    out->deviceType =
        lie_is_wanted(&lies[0], &value) ? (VkPhysicalDeviceType)value : out->deviceType;
    out->apiVersion = lie_is_wanted(&lies[1], &value) ? (uint32_t)value : out->apiVersion;
    lie_in(LIMITS, &out->limits);
}

static void lie_in_chain(void *next)
{
    for (VkBaseOutStructure *at = next; at; at = at->pNext) {
        lie_in((int32_t)at->sType, at);
    }
}

static VKAPI_ATTR void VKAPI_CALL
pose_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *out)
{
    link_of(physical)->properties(physical, out);
    if (poses(physical)) {
        lie_about_properties(out);
    }
}

static VKAPI_ATTR void VKAPI_CALL
pose_properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    link_of(physical)->properties2(physical, out);
    if (poses(physical)) {
        lie_about_properties(&out->properties);
        lie_in_chain(out->pNext);
    }
}

static VKAPI_ATTR void VKAPI_CALL
pose_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *out)
{
    link_of(physical)->features(physical, out);
    if (poses(physical)) {
        lie_in(FEATURES, out);
    }
}

static VKAPI_ATTR void VKAPI_CALL
pose_features2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *out)
{
    link_of(physical)->features2(physical, out);
    if (poses(physical)) {
        lie_in(FEATURES, &out->features);
        lie_in_chain(out->pNext);
    }
}

static VKAPI_ATTR void VKAPI_CALL
pose_queues(VkPhysicalDevice physical, uint32_t *count, VkQueueFamilyProperties *out)
{
    link_of(physical)->queues(physical, count, out);
    uint64_t value;
    for (uint32_t i = 0; out && poses(physical) && i < *count; i++) {
        out[i].queueFlags &= lie_is_wanted(&lies[2], &value) ? (VkQueueFlags)value : ~0u;
        out[i].timestampValidBits =
            lie_is_wanted(&lies[3], &value) ? (uint32_t)value : out[i].timestampValidBits;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL pose_images(
    VkPhysicalDevice physical, VkFormat format, VkImageType type, VkImageTiling tiling,
    VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties *out)
{
    const VkResult result =
        link_of(physical)->images(physical, format, type, tiling, usage, flags, out);
    uint64_t value;
    const int lied = poses(physical) && lie_is_wanted(&lies[4], &value);
    out->maxResourceSize = lied ? value : out->maxResourceSize;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL pose_extensions(
    VkPhysicalDevice physical, const char *layer, uint32_t *count, VkExtensionProperties *out)
{
    static const VkExtensionProperties maximal = { "VK_KHR_shader_maximal_reconvergence", 1 };
    static const char uniform[] = VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME;
    const uint32_t room = *count;
    const VkResult result = link_of(physical)->extensions(physical, layer, count, out);
    uint64_t value;
    if (!poses(physical) || !lie_is_wanted(&lies[7], &value)) {
        return result;
    }
    for (uint32_t i = 0; out && i < *count; i++) {
        if (strcmp(out[i].extensionName, uniform) == 0) {
            out[i--] = out[--*count];
        }
    }
    if (!out || *count < room) {
        *count += 1;
    }
    if (out) {
        out[*count - 1] = maximal;
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL pose_surfaces(
    VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *count, VkSurfaceFormatKHR *out)
{
    static uint32_t asked;
    const VkResult result = link_of(physical)->surfaces(physical, surface, count, out);
    uint64_t value;
    if (out && asked++ > 0 && poses(physical) && lie_is_wanted(&lies[5], &value)) {
        out->format = (VkFormat)value;
        *count = 1;
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
pose_modes(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *count, VkPresentModeKHR *out)
{
    const VkResult result = link_of(physical)->modes(physical, surface, count, out);
    uint64_t value;
    if (out && poses(physical) && lie_is_wanted(&lies[6], &value)) {
        *out = (VkPresentModeKHR)value;
        *count = 1;
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL pose_create_instance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *host, VkInstance *out)
{
    // The part of the chain that the loader has put there for this layer.
    VkLayerInstanceCreateInfo *at = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
    while (at && !(at->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                   at->function == VK_LAYER_LINK_INFO)) {
        at = (VkLayerInstanceCreateInfo *)(uintptr_t)at->pNext;
    }
    if (!at) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    const PFN_vkGetInstanceProcAddr get = at->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkCreateInstance next = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    at->u.pLayerInfo = at->u.pLayerInfo->pNext;
    const VkResult result = next(info, host, out);
    if (result == VK_SUCCESS) {
        pthread_mutex_lock(&lock);
        if (link_count == INSTANCES) {
            fputs("pose layer: too many instances\n", stderr);
            abort();
        }
#define NEXT(name) (PFN_vkGetPhysicalDevice##name) get(*out, "vkGetPhysicalDevice" #name)
        links[link_count++] = (struct link){
            .key = key_of(*out),
            .get = get,
            .properties = NEXT(Properties),
            .properties2 = NEXT(Properties2),
            .features = NEXT(Features),
            .features2 = NEXT(Features2),
            .queues = NEXT(QueueFamilyProperties),
            .images = NEXT(ImageFormatProperties),
            .surfaces = NEXT(SurfaceFormatsKHR),
            .modes = NEXT(SurfacePresentModesKHR),
            .extensions = (PFN_vkEnumerateDeviceExtensionProperties)get(
                *out, "vkEnumerateDeviceExtensionProperties"),
        };
        pthread_mutex_unlock(&lock);
    }
    return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
pose_instance_proc(VkInstance instance, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } ours[] = {
        { "vkGetInstanceProcAddr", (PFN_vkVoidFunction)pose_instance_proc },
        { "vkCreateInstance", (PFN_vkVoidFunction)pose_create_instance },
        { "vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)pose_extensions },
#define OURS(name, function) { "vkGetPhysicalDevice" #name, (PFN_vkVoidFunction)function }
        OURS(Properties, pose_properties),
        OURS(Properties2, pose_properties2),
        OURS(Properties2KHR, pose_properties2),
        OURS(Features, pose_features),
        OURS(Features2, pose_features2),
        OURS(Features2KHR, pose_features2),
        OURS(QueueFamilyProperties, pose_queues),
        OURS(ImageFormatProperties, pose_images),
        OURS(SurfaceFormatsKHR, pose_surfaces),
        OURS(SurfacePresentModesKHR, pose_modes),
    };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (strcmp(name, ours[i].name) == 0) {
            return ours[i].function;
        }
    }
    return instance ? link_of(instance)->get(instance, name) : NULL;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *versions)
{
    versions->loaderLayerInterfaceVersion = 2;
    versions->pfnGetInstanceProcAddr = pose_instance_proc;
    versions->pfnGetDeviceProcAddr = NULL; // calls of devices go past this layer
    versions->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
