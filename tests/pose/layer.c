// A Vulkan layer under which every device says that it is a discrete GPU. So llvmpipe goes the ways
// that the program takes on a GPU:
//
//     VK_LAYER_PATH=DIR VK_INSTANCE_LAYERS=VK_LAYER_CUBIST_pose
#include <pthread.h>
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

static VKAPI_ATTR void VKAPI_CALL
pose_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *out)
{
    link_of(physical)->properties(physical, out);
    out->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

static VKAPI_ATTR void VKAPI_CALL
pose_properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    link_of(physical)->properties2(physical, out);
    out->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
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
        links[link_count++] = (struct link){
            .key = key_of(*out),
            .get = get,
            .properties =
                (PFN_vkGetPhysicalDeviceProperties)get(*out, "vkGetPhysicalDeviceProperties"),
            .properties2 =
                (PFN_vkGetPhysicalDeviceProperties2)get(*out, "vkGetPhysicalDeviceProperties2"),
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
        { "vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)pose_properties },
        { "vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)pose_properties2 },
        { "vkGetPhysicalDeviceProperties2KHR", (PFN_vkVoidFunction)pose_properties2 },
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
