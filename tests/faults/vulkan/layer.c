// A Vulkan layer that makes one call fail: sweep_vulkan.py runs cubist once for each call and each
// result that the call may have.
//
//     VK_LAYER_PATH=DIR VK_INSTANCE_LAYERS=VK_LAYER_CUBIST_fault
//     FAULT=NAME:N:RESULT   the N-th call (from 1) of that function returns this VkResult
//     FAULT=NAME:N+:RESULT  that one and all later ones
//     FAULT=*:N:RESULT      the N-th call of all
//     FAULT_LOG=FILE        gets a line per call: "NAME N", and " failed" where it was made to
//     fail;
//                           and "exit handlers" where the process ends by those and not by _exit()
//     FAULT_LINGER=1        it then waits for a second, with the driver's threads at work
//
// A call that fails is not passed on, so nothing of it has happened: except where the specification
// says that it has (see happens_anyway).
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))

// Every function that may fail and that cubist, or GLFW for it, calls: X(name, parameters,
// arguments). The first argument is what the call is dispatched by.
#define INSTANCE_CALLS(X)                                                                          \
    X(vkEnumeratePhysicalDevices, (VkInstance a, uint32_t * count, VkPhysicalDevice * list),       \
      (a, count, list))                                                                            \
    X(vkEnumerateDeviceExtensionProperties,                                                        \
      (VkPhysicalDevice a, const char *layer, uint32_t *count, VkExtensionProperties *list),       \
      (a, layer, count, list))                                                                     \
    X(vkGetPhysicalDeviceToolProperties,                                                           \
      (VkPhysicalDevice a, uint32_t * count, VkPhysicalDeviceToolProperties * list),               \
      (a, count, list))                                                                            \
    X(vkCreateDebugUtilsMessengerEXT,                                                              \
      (VkInstance a, const VkDebugUtilsMessengerCreateInfoEXT *info,                               \
       const VkAllocationCallbacks *host, VkDebugUtilsMessengerEXT *out),                          \
      (a, info, host, out))                                                                        \
    X(vkCreateXcbSurfaceKHR,                                                                       \
      (VkInstance a, const VkXcbSurfaceCreateInfoKHR *info, const VkAllocationCallbacks *host,     \
       VkSurfaceKHR *out),                                                                         \
      (a, info, host, out))                                                                        \
    X(vkCreateXlibSurfaceKHR,                                                                      \
      (VkInstance a, const VkXlibSurfaceCreateInfoKHR *info, const VkAllocationCallbacks *host,    \
       VkSurfaceKHR *out),                                                                         \
      (a, info, host, out))                                                                        \
    X(vkGetPhysicalDeviceImageFormatProperties,                                                    \
      (VkPhysicalDevice a, VkFormat format, VkImageType type, VkImageTiling tiling,                \
       VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties * out),          \
      (a, format, type, tiling, usage, flags, out))                                                \
    X(vkGetPhysicalDeviceSurfaceSupportKHR,                                                        \
      (VkPhysicalDevice a, uint32_t family, VkSurfaceKHR surface, VkBool32 * out),                 \
      (a, family, surface, out))                                                                   \
    X(vkGetPhysicalDeviceSurfaceCapabilitiesKHR,                                                   \
      (VkPhysicalDevice a, VkSurfaceKHR surface, VkSurfaceCapabilitiesKHR * out),                  \
      (a, surface, out))                                                                           \
    X(vkGetPhysicalDeviceSurfaceFormatsKHR,                                                        \
      (VkPhysicalDevice a, VkSurfaceKHR surface, uint32_t * count, VkSurfaceFormatKHR * list),     \
      (a, surface, count, list))

#define CREATE(X, what, type)                                                                      \
    X(vkCreate##what##type,                                                                        \
      (VkDevice a, const Vk##what##CreateInfo##type *info, const VkAllocationCallbacks *host,      \
       Vk##what##type *out),                                                                       \
      (a, info, host, out))

#define PIPELINES(X, kind)                                                                         \
    X(vkCreate##kind##Pipelines,                                                                   \
      (VkDevice a, VkPipelineCache cache, uint32_t count,                                          \
       const Vk##kind##PipelineCreateInfo *info, const VkAllocationCallbacks *host,                \
       VkPipeline *out),                                                                           \
      (a, cache, count, info, host, out))

#define DEVICE_CALLS(X)                                                                            \
    X(vkSetDebugUtilsObjectNameEXT, (VkDevice a, const VkDebugUtilsObjectNameInfoEXT *info),       \
      (a, info))                                                                                   \
    CREATE(X, CommandPool, )                                                                       \
    CREATE(X, Fence, )                                                                             \
    CREATE(X, Semaphore, )                                                                         \
    CREATE(X, Buffer, )                                                                            \
    CREATE(X, BufferView, )                                                                        \
    CREATE(X, Image, )                                                                             \
    CREATE(X, ImageView, )                                                                         \
    CREATE(X, Sampler, )                                                                           \
    CREATE(X, ShaderModule, )                                                                      \
    CREATE(X, PipelineCache, )                                                                     \
    CREATE(X, PipelineLayout, )                                                                    \
    CREATE(X, DescriptorSetLayout, )                                                               \
    CREATE(X, DescriptorPool, )                                                                    \
    CREATE(X, QueryPool, )                                                                         \
    CREATE(X, Swapchain, KHR)                                                                      \
    PIPELINES(X, Compute)                                                                          \
    PIPELINES(X, Graphics)                                                                         \
    X(vkAllocateCommandBuffers,                                                                    \
      (VkDevice a, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *out), (a, info, out)) \
    X(vkBeginCommandBuffer, (VkCommandBuffer a, const VkCommandBufferBeginInfo *info), (a, info))  \
    X(vkEndCommandBuffer, (VkCommandBuffer a), (a))                                                \
    X(vkResetCommandBuffer, (VkCommandBuffer a, VkCommandBufferResetFlags flags), (a, flags))      \
    X(vkAllocateDescriptorSets,                                                                    \
      (VkDevice a, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *out), (a, info, out)) \
    X(vkAllocateMemory,                                                                            \
      (VkDevice a, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *host,            \
       VkDeviceMemory *out),                                                                       \
      (a, info, host, out))                                                                        \
    X(vkMapMemory,                                                                                 \
      (VkDevice a, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,                  \
       VkMemoryMapFlags flags, void **out),                                                        \
      (a, memory, offset, size, flags, out))                                                       \
    X(vkBindBufferMemory,                                                                          \
      (VkDevice a, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset),                   \
      (a, buffer, memory, offset))                                                                 \
    X(vkBindImageMemory, (VkDevice a, VkImage image, VkDeviceMemory memory, VkDeviceSize offset),  \
      (a, image, memory, offset))                                                                  \
    X(vkResetFences, (VkDevice a, uint32_t count, const VkFence *fences), (a, count, fences))      \
    X(vkGetPipelineCacheData, (VkDevice a, VkPipelineCache cache, size_t * size, void *data),      \
      (a, cache, size, data))                                                                      \
    X(vkGetFenceStatus, (VkDevice a, VkFence fence), (a, fence))                                   \
    X(vkWaitForFences,                                                                             \
      (VkDevice a, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t timeout),         \
      (a, count, fences, all, timeout))                                                            \
    X(vkQueueSubmit2, (VkQueue a, uint32_t count, const VkSubmitInfo2 *submits, VkFence fence),    \
      (a, count, submits, fence))                                                                  \
    X(vkGetQueryPoolResults,                                                                       \
      (VkDevice a, VkQueryPool pool, uint32_t first, uint32_t count, size_t size, void *data,      \
       VkDeviceSize stride, VkQueryResultFlags flags),                                             \
      (a, pool, first, count, size, data, stride, flags))                                          \
    X(vkGetSwapchainImagesKHR,                                                                     \
      (VkDevice a, VkSwapchainKHR swapchain, uint32_t * count, VkImage * list),                    \
      (a, swapchain, count, list))                                                                 \
    X(vkAcquireNextImageKHR,                                                                       \
      (VkDevice a, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,              \
       VkFence fence, uint32_t * out),                                                             \
      (a, swapchain, timeout, semaphore, fence, out))                                              \
    X(vkQueuePresentKHR, (VkQueue a, const VkPresentInfoKHR *info), (a, info))

enum call {
#define X(name, parameters, arguments) CALL_##name,
    CALL_vkCreateInstance,
    CALL_vkCreateDevice,
    INSTANCE_CALLS(X) DEVICE_CALLS(X)
#undef X
        CALLS
};

static const char *const names[CALLS] = {
#define X(name, parameters, arguments) [CALL_##name] = #name,
    [CALL_vkCreateInstance] = "vkCreateInstance",
    [CALL_vkCreateDevice] = "vkCreateDevice",
    INSTANCE_CALLS(X) DEVICE_CALLS(X)
#undef X
};

// ---- which call fails ----

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t calls[CALLS], all_calls;

static bool is_meant(const char *fault, enum call call, int *result)
{
    char name[64];
    unsigned number;
    char plus = 0;
    if (!fault || (sscanf(fault, "%63[^:]:%u:%d", name, &number, result) != 3 &&
                   sscanf(fault, "%63[^:]:%u%c:%d", name, &number, &plus, result) != 4)) {
        return false;
    }
    const bool any = strcmp(name, "*") == 0;
    const uint32_t at = any ? all_calls : calls[call];
    return (any || strcmp(name, names[call]) == 0) && (plus == '+' ? at >= number : at == number);
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    const char *path = getenv("FAULT_LOG");
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file >= 0) {
        va_list list;
        va_start(list, format);
        vdprintf(file, format, list);
        va_end(list);
        close(file);
    }
}

// What C++ has registered to be destroyed at the end, the driver's compiler say, is gone by now.
__attribute__((destructor)) static void end(void)
{
    note("exit handlers\n");
    if (getenv("FAULT_LINGER")) {
        sleep(1);
    }
}

// Counts the call. True: it fails, with *result.
static bool fails(enum call call, VkResult *result)
{
    int code = 0;
    pthread_mutex_lock(&lock);
    calls[call]++;
    all_calls++;
    const bool meant = is_meant(getenv("FAULT"), call, &code);
    note("%s %u%s\n", names[call], calls[call], meant ? " failed" : "");
    pthread_mutex_unlock(&lock);
    *result = (VkResult)code;
    return meant;
}

// Results that come after the deed. A lost device counts as one that has taken what was submitted;
// a presentation that is out of date has been queued.
static bool happens_anyway(enum call call, VkResult result)
{
    return result == VK_SUBOPTIMAL_KHR || result == VK_INCOMPLETE ||
           (call == CALL_vkQueueSubmit2 && result == VK_ERROR_DEVICE_LOST) ||
           (call == CALL_vkQueuePresentKHR &&
            (result == VK_ERROR_DEVICE_LOST || result == VK_ERROR_OUT_OF_DATE_KHR ||
             result == VK_ERROR_SURFACE_LOST_KHR));
}

// ---- the chain of layers ----

#define LINKS 64 // instances and devices that one run makes

static struct link {
    void *key; // what the loader has put into the handle, and into those made from it
    PFN_vkGetInstanceProcAddr instance_proc;
    PFN_vkGetDeviceProcAddr device_proc;
    PFN_vkVoidFunction next[CALLS];
} links[LINKS];
static uint32_t link_count;

static void *key_of(const void *handle)
{
    return *(void *const *)handle;
}

static struct link *add_link(const void *handle)
{
    pthread_mutex_lock(&lock);
    if (link_count == LINKS) {
        fputs("fault layer: too many instances and devices\n", stderr);
        abort();
    }
    struct link *link = &links[link_count++];
    link->key = key_of(handle);
    pthread_mutex_unlock(&lock);
    return link;
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

#define X(name, parameters, arguments)                                                             \
    static VKAPI_ATTR VkResult VKAPI_CALL fault_##name parameters                                  \
    {                                                                                              \
        VkResult result;                                                                           \
        const PFN_##name next = (PFN_##name)link_of(a)->next[CALL_##name];                         \
        if (!fails(CALL_##name, &result)) {                                                        \
            return next arguments;                                                                 \
        }                                                                                          \
        if (happens_anyway(CALL_##name, result)) {                                                 \
            next arguments;                                                                        \
        }                                                                                          \
        return result;                                                                             \
    }
INSTANCE_CALLS(X)
DEVICE_CALLS(X)
#undef X

// The part of a create info's chain that the loader has put there for this layer.
#define LINK_INFO(type, kind, info, out)                                                           \
    type *out = (type *)(uintptr_t)(info)->pNext;                                                  \
    while (out && !(out->sType == kind && out->function == VK_LAYER_LINK_INFO)) {                  \
        out = (type *)(uintptr_t)out->pNext;                                                       \
    }

static VKAPI_ATTR VkResult VKAPI_CALL fault_vkCreateInstance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *host, VkInstance *out)
{
    LINK_INFO(VkLayerInstanceCreateInfo, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, info, at)
    VkResult result;
    if (!at) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (fails(CALL_vkCreateInstance, &result)) {
        return result;
    }
    const PFN_vkGetInstanceProcAddr get = at->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkCreateInstance next = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    at->u.pLayerInfo = at->u.pLayerInfo->pNext;
    result = next(info, host, out);
    if (result == VK_SUCCESS) {
        struct link *link = add_link(*out);
        link->instance_proc = get;
        for (int i = 0; i < CALLS; i++) {
            link->next[i] = get(*out, names[i]);
        }
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_vkCreateDevice(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *host,
    VkDevice *out)
{
    LINK_INFO(VkLayerDeviceCreateInfo, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, info, at)
    VkResult result;
    if (!at) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (fails(CALL_vkCreateDevice, &result)) {
        return result;
    }
    const PFN_vkGetDeviceProcAddr get = at->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const PFN_vkCreateDevice next =
        (PFN_vkCreateDevice)link_of(physical)->next[CALL_vkCreateDevice];
    at->u.pLayerInfo = at->u.pLayerInfo->pNext;
    result = next(physical, info, host, out);
    if (result == VK_SUCCESS) {
        struct link *link = add_link(*out);
        link->device_proc = get;
        // Only these: newer validation layers object to names of an instance's calls.
#define X(call, parameters, arguments) link->next[CALL_##call] = get(*out, #call);
        DEVICE_CALLS(X)
#undef X
    }
    return result;
}

static PFN_vkVoidFunction ours(const char *name)
{
    static const PFN_vkVoidFunction functions[CALLS] = {
#define X(call, parameters, arguments) [CALL_##call] = (PFN_vkVoidFunction)fault_##call,
        [CALL_vkCreateInstance] = (PFN_vkVoidFunction)fault_vkCreateInstance,
        [CALL_vkCreateDevice] = (PFN_vkVoidFunction)fault_vkCreateDevice,
        INSTANCE_CALLS(X) DEVICE_CALLS(X)
#undef X
    };
    for (int i = 0; i < CALLS; i++) {
        if (strcmp(names[i], name) == 0) {
            return functions[i];
        }
    }
    return NULL;
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL fault_device_proc(VkDevice device, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return (PFN_vkVoidFunction)fault_device_proc;
    }
    const PFN_vkVoidFunction next = link_of(device)->device_proc(device, name);
    return next && ours(name) ? ours(name) : next;
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
fault_instance_proc(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetInstanceProcAddr") == 0) {
        return (PFN_vkVoidFunction)fault_instance_proc;
    }
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return (PFN_vkVoidFunction)fault_device_proc;
    }
    if (strcmp(name, "vkCreateInstance") == 0) {
        return (PFN_vkVoidFunction)fault_vkCreateInstance;
    }
    const PFN_vkVoidFunction next =
        instance ? link_of(instance)->instance_proc(instance, name) : NULL;
    return next && ours(name) ? ours(name) : next;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *versions)
{
    versions->loaderLayerInterfaceVersion = 2;
    versions->pfnGetInstanceProcAddr = fault_instance_proc;
    versions->pfnGetDeviceProcAddr = fault_device_proc;
    versions->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
