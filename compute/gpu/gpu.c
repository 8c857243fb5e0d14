#include "compute/gpu/gpu.h"

#include "compute/gpu/physical.h"
#include "compute/gpu/pipelines.h"
#include "compute/gpu/tracker.h"
#include "volumes/base/clock.h"
#include "volumes/base/printable.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// llvmpipe crashes if a shader accesses a buffer beyond 2 GiB. So this limits buffers of every CPU
// device.
#define BUFFER_OF_A_CPU (((uint64_t)1 << 31) - 4096)

atomic_bool gpu_abandoned;

static VKAPI_ATTR VkBool32 VKAPI_CALL gpu_on_message(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)types;
    struct gpu *gpu = user;
    const bool loader = data->pMessageIdName && strstr(data->pMessageIdName, "Loader Message");
    if (!loader && severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT) {
        gpu->messages++;
        fprintf(stderr, "cubist: validation: %s\n", data->pMessage);
    }
    return VK_FALSE;
}

// Notes whether the window can show the device's pictures, if there is a window.
static void gpu_check_presents(
    const struct gpu_params *params, VkInstance instance, VkPhysicalDevice physical,
    struct gpu_row *row)
{
    const char *reason = NULL;
    if (params->presents && row->usable) {
        reason =
            !params->presents(instance, physical, physical_queue_family(physical, params->draws))
                ? "it cannot show pictures on this display"
            : !physical_has_extension(physical, VK_KHR_SWAPCHAIN_EXTENSION_NAME)
                ? "it lacks " VK_KHR_SWAPCHAIN_EXTENSION_NAME
                : NULL;
    }
    if (reason) {
        row->blind = true;
        snprintf(row->reason, sizeof row->reason, "%s", reason);
    }
}

// The types of devices, the best one first.
static const char *const gpu_types[] = { "discrete", "integrated", "virtual", "other", "cpu" };
#define GPU_TYPES (sizeof gpu_types / sizeof *gpu_types)

static size_t gpu_type_of(const struct gpu_row *row)
{
    size_t type = 0;
    while (type < GPU_TYPES - 1 && strcmp(row->type, gpu_types[type]) != 0) {
        type++;
    }
    return type;
}

// Index of the first usable row of the best type; with `only_computes`, of the first row that
// computes, but cannot be used for what was asked. Types after `last` are ignored. `count`: none.
static uint32_t
gpu_best_row(const struct gpu_row *rows, uint32_t count, size_t last, bool only_computes)
{
    for (size_t type = 0; type <= last; type++) {
        for (uint32_t i = 0; i < count; i++) {
            const bool fits = rows[i].usable && !rows[i].blind;
            if (gpu_type_of(&rows[i]) == type &&
                (only_computes ? rows[i].computes && !fits : fits)) {
                return i;
            }
        }
    }
    return count;
}

// Notes a device that may be as fast as the selected one or faster, if there is one.
static void
gpu_note_passed_over(struct gpu *gpu, const struct gpu_row *rows, uint32_t count, uint32_t selected)
{
    const uint32_t other = gpu_best_row(rows, count, gpu_type_of(&rows[selected]), true);
    if (other < count) {
        snprintf(
            gpu->passed_over, sizeof gpu->passed_over,
            "%s may be faster than %s, but %.400s; extract%s can use it (--device %u)",
            rows[other].name, rows[selected].name, rows[other].reason,
            rows[other].usable ? " and render" : "", other);
    }
}

// Selects the row that `wanted` names (index, or part of a name), or the best one when it is NULL.
static bool gpu_select_row(
    const struct gpu_row *rows, uint32_t count, const char *wanted, uint32_t *out,
    struct problem *problem)
{
    if (count == 0) {
        return problem_set(
            problem, PROBLEM_NO_DEVICE,
            "no Vulkan device found: install a driver for your GPU, or mesa-vulkan-drivers to run "
            "on the CPU");
    }
    if (wanted) {
        char *end = NULL;
        const unsigned long index = strtoul(wanted, &end, 10);
        const bool is_index = isdigit((unsigned char)wanted[0]) && *end == 0;
        for (uint32_t i = 0; i < count; i++) {
            if (is_index ? index == i : strcasestr(rows[i].name, wanted) != NULL) {
                if (!rows[i].usable || rows[i].blind) {
                    return problem_set(
                        problem, PROBLEM_NO_DEVICE, "device %u, %s, cannot be used: %s", i,
                        rows[i].name, rows[i].reason);
                }
                *out = i;
                return true;
            }
        }
        return problem_set(
            problem, PROBLEM_NO_DEVICE, "no device is called '%s': `cubist devices` lists them",
            wanted);
    }
    *out = gpu_best_row(rows, count, GPU_TYPES - 1, false);
    return *out < count || problem_set(
                               problem, PROBLEM_NO_DEVICE, "no usable device; the first, %s: %s",
                               rows[0].name, rows[0].reason);
}

static bool gpu_loads_texels(VkPhysicalDevice physical)
{
    static const VkFormat formats[] = { VK_FORMAT_R8_UINT, VK_FORMAT_R16_UINT, VK_FORMAT_R32_UINT };
    bool all = true;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        VkFormatProperties has;
        vkGetPhysicalDeviceFormatProperties(physical, formats[i], &has);
        all &= (has.bufferFeatures & VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT) != 0;
    }
    return all;
}

// Vulkan headers of 2022 lack maximal_reconvergence. Its feature struct equals that of
// subgroup_uniform_control_flow.
#define UNIFORM_CONTROL_FLOW  VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME
#define MAXIMAL_RECONVERGENCE "VK_KHR_shader_maximal_reconvergence"
#define UNIFORM_CONTROL_FLOW_FEATURES                                                              \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR
#define MAXIMAL_RECONVERGENCE_FEATURES ((VkStructureType)1000434000)
#define MAXIMAL_RECONVERGENCE_SINCE    VK_MAKE_API_VERSION(0, 1, 3, 274)

static bool gpu_has_reconvergence(VkPhysicalDevice physical, const char *name, VkStructureType type)
{
    VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR there = { .sType = type };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &there,
    };
    if (!physical_has_extension(physical, name)) {
        return false;
    }
    vkGetPhysicalDeviceFeatures2(physical, &features);
    return there.shaderSubgroupUniformControlFlow;
}

// The validation layer reports an extension that is newer than the layer as an error.
static enum reconvergence gpu_reconvergence(VkPhysicalDevice physical, bool validate)
{
    const bool knows = !validate || physical_validation_version() >= MAXIMAL_RECONVERGENCE_SINCE;
    if (gpu_has_reconvergence(physical, UNIFORM_CONTROL_FLOW, UNIFORM_CONTROL_FLOW_FEATURES)) {
        return RECONVERGENCE_UNIFORM;
    }
    return knows && gpu_has_reconvergence(
                        physical, MAXIMAL_RECONVERGENCE, MAXIMAL_RECONVERGENCE_FEATURES)
               ? RECONVERGENCE_MAXIMAL
               : RECONVERGENCE_NONE;
}

static bool
gpu_create_device(struct gpu *gpu, const struct gpu_params *params, struct problem *problem)
{
    VkPhysicalDeviceFeatures has;
    vkGetPhysicalDeviceFeatures(gpu->physical, &has);
    gpu->wireframe = has.fillModeNonSolid;
    gpu->clips = params->draws && has.shaderClipDistance;
    gpu->shades_samples = params->draws && has.sampleRateShading;
    gpu->limits.vertices =
        params->draws ? (uint64_t)gpu->properties.limits.maxDrawIndexedIndexValue + 1 : UINT64_MAX;
    gpu->texel_loads = has.shaderStorageImageExtendedFormats && gpu_loads_texels(gpu->physical);
    gpu->memory_budget = physical_has_extension(gpu->physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);

    gpu->reconvergence = gpu_reconvergence(gpu->physical, gpu->validate);

    const char *extensions[3];
    uint32_t extension_count = 0;
    if (params->presents) {
        extensions[extension_count++] = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    }
    if (gpu->memory_budget) {
        extensions[extension_count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
    }
    // The structures of both extensions have the same form.
    VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR reconvergence = {
        .sType = gpu->reconvergence == RECONVERGENCE_UNIFORM ? UNIFORM_CONTROL_FLOW_FEATURES
                                                             : MAXIMAL_RECONVERGENCE_FEATURES,
        .shaderSubgroupUniformControlFlow = VK_TRUE,
    };
    if (gpu->reconvergence != RECONVERGENCE_NONE) {
        extensions[extension_count++] = gpu->reconvergence == RECONVERGENCE_UNIFORM
                                            ? UNIFORM_CONTROL_FLOW
                                            : MAXIMAL_RECONVERGENCE;
    }
    VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = gpu->reconvergence == RECONVERGENCE_NONE ? NULL : &reconvergence,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = params->draws,
        .maintenance4 = VK_TRUE,
        .computeFullSubgroups = VK_TRUE,
        .subgroupSizeControl = VK_TRUE,
    };
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &v13,
        .scalarBlockLayout = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v12,
        .features = {
            .fillModeNonSolid = has.fillModeNonSolid,
            .shaderClipDistance = gpu->clips,
            .sampleRateShading = gpu->shades_samples,
            .fullDrawIndexUint32 = params->draws && has.fullDrawIndexUint32,
            .shaderStorageImageExtendedFormats = has.shaderStorageImageExtendedFormats,
        },
    };
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = gpu->queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VK_TRY(vkCreateDevice(gpu->physical, &info, NULL, &gpu->device));
    volkLoadDevice(gpu->device);
    vkGetDeviceQueue(gpu->device, gpu->queue_family, 0, &gpu->queue);

    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = gpu->queue_family,
    };
    VK_TRY(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool));
    return true;
fail:
    return false;
}

static uint64_t gpu_smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Bytes that an image of samples may take.
static uint64_t gpu_largest_image(VkPhysicalDevice physical)
{
    static const VkFormat formats[] = { VK_FORMAT_R8_UINT, VK_FORMAT_R16_UINT, VK_FORMAT_R32_UINT };
    uint64_t bytes = UINT64_MAX;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        VkImageFormatProperties has = { 0 };
        if (vkGetPhysicalDeviceImageFormatProperties(
                physical, formats[i], VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, 0,
                &has) == VK_SUCCESS) {
            bytes = gpu_smaller(bytes, has.maxResourceSize);
        }
    }
    return bytes;
}

static void gpu_read_properties(struct gpu *gpu)
{
    struct physical_properties has;
    physical_read_properties(gpu->physical, &has);
    char *name = has.device.properties.deviceName, shown[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    printable_copy(name, shown, sizeof shown);
    memcpy(name, shown, sizeof shown);
    gpu->properties = has.device.properties;
    memcpy(gpu->device_uuid, has.id.deviceUUID, VK_UUID_SIZE);
    memcpy(gpu->driver_uuid, has.id.driverUUID, VK_UUID_SIZE);
    gpu->software = gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    gpu->traits = traits_of(gpu->software, has.driver.driverID, has.sizes.maxSubgroupSize);
    // These two drivers execute each instruction for all lanes of a subgroup.
    gpu->lanes_apart = has.driver.driverID != VK_DRIVER_ID_MESA_LLVMPIPE &&
                       has.driver.driverID != VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
    const uint64_t allocation = has.allocations.maxMemoryAllocationSize;
    const uint64_t buffer = gpu_smaller(has.buffers.maxBufferSize, allocation);
    gpu->limits = (struct gpu_limits){
        .buffer = gpu->software ? gpu_smaller(BUFFER_OF_A_CPU, buffer) : buffer,
        .image = gpu_largest_image(gpu->physical),
        .allocation = allocation,
    };
    gpu->subgroups_most = has.sizes.maxComputeWorkgroupSubgroups;
    gpu->subgroup_lanes = has.sizes.maxSubgroupSize;
    gpu->subgroup_least = has.sizes.minSubgroupSize;
    gpu->subgroup_most = has.sizes.maxSubgroupSize;
    if (!(has.sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)) {
        gpu->subgroup_least = gpu->subgroup_most = 0;
    }
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
    gpu->timestamps = families[gpu->queue_family].timestampValidBits;
}

bool gpu_create(const struct gpu_params *params, struct gpu *out, struct problem *problem)
{
    *out = (struct gpu){ .validate = params->validate };
    VkPhysicalDevice *physical = NULL;
    struct gpu_row *rows = NULL;
    uint32_t count = 0;
    if (!physical_create_instance(params, &out->instance, problem)) {
        goto fail;
    }
    if (params->validate) {
        out->tracker = calloc(1, sizeof *out->tracker);
        if (!out->tracker) {
            problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening the device");
            goto fail;
        }
        const VkDebugUtilsMessengerCreateInfoEXT info = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                               VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
            .pfnUserCallback = gpu_on_message,
            .pUserData = out,
        };
        VK_TRY(vkCreateDebugUtilsMessengerEXT(out->instance, &info, NULL, &out->messenger));
    }
    if (!physical_list(out->instance, &physical, &count, problem)) {
        goto fail;
    }
    rows = calloc(count ? count : 1, sizeof *rows);
    if (!rows) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory listing devices");
        goto fail;
    }
    for (uint32_t i = 0; i < count; i++) {
        physical_describe(physical[i], i, params->draws, &rows[i]);
        gpu_check_presents(params, out->instance, physical[i], &rows[i]);
    }
    uint32_t index = 0;
    if (!gpu_select_row(rows, count, params->device, &index, problem)) {
        goto fail;
    }
    if (!params->device) {
        index = physical_take_turns(rows, count, index, params);
        gpu_note_passed_over(out, rows, count, index);
    }
    out->physical = physical[index];
    out->queue_family = physical_queue_family(out->physical, params->draws);
    memcpy(out->driver, rows[index].driver, sizeof out->driver);
    gpu_read_properties(out);
    uint32_t tools = 0;
    vkGetPhysicalDeviceToolProperties(out->physical, &tools, NULL);
    out->labels = vkSetDebugUtilsObjectNameEXT && (out->validate || tools > 0);
    if (!gpu_create_device(out, params, problem)) {
        goto fail;
    }
    free(rows);
    free(physical);
    return true;
fail:
    free(rows);
    free(physical);
    gpu_destroy(out);
    return false;
}

void gpu_destroy(struct gpu *gpu)
{
    if (gpu->device && !gpu->lost && gpu->pool) {
        gpu_drain(gpu);
    }
    pipelines_forget(&gpu->made, gpu->lost ? NULL : gpu->device, 0);
    if (gpu->lost) {
        return; // the device may still use these handles: do not destroy them
    }
    if (gpu->device) {
        for (int i = 0; i < SUBMISSIONS; i++) {
            vkDestroyFence(gpu->device, gpu->submissions[i].fence, NULL);
        }
        vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
        vkDestroyPipelineCache(gpu->device, gpu->pipelines, NULL);
        vkDestroyDevice(gpu->device, NULL);
    }
    if (gpu->messenger) {
        vkDestroyDebugUtilsMessengerEXT(gpu->instance, gpu->messenger, NULL);
    }
    if (gpu->instance) {
        vkDestroyInstance(gpu->instance, NULL);
    }
    free(gpu->tracker);
    *gpu = (struct gpu){ .messages = gpu->messages };
}

bool gpu_list(struct gpu_row **rows, uint32_t *count, struct problem *problem)
{
    *rows = NULL;
    *count = 0;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice *physical = NULL;
    bool ok = physical_create_instance(&(struct gpu_params){ 0 }, &instance, problem) &&
              physical_list(instance, &physical, count, problem);
    if (ok && *count > 0) {
        *rows = calloc(*count, sizeof **rows);
        ok = *rows || problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory listing devices");
        for (uint32_t i = 0; ok && i < *count; i++) {
            physical_describe(physical[i], i, false, &(*rows)[i]);
        }
    }
    free(physical);
    if (instance) {
        vkDestroyInstance(instance, NULL);
    }
    return ok;
}

// A submission that is not taken, with its command buffer and fence. NULL on failure.
static struct submission *gpu_take_submission(struct gpu *gpu, struct problem *problem)
{
    struct submission *one = gpu->submissions;
    while (one < gpu->submissions + SUBMISSIONS && one->taken) {
        one++;
    }
    if (one == gpu->submissions + SUBMISSIONS) {
        problem_set(problem, PROBLEM_INTERNAL, "more than %d submissions at once", SUBMISSIONS);
        return NULL;
    }
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    if (!one->cmd) {
        VK_TRY(vkAllocateCommandBuffers(gpu->device, &buffer, &one->cmd));
    }
    if (!one->fence) {
        VK_TRY(vkCreateFence(gpu->device, &fence, NULL, &one->fence));
    }
    return one;
fail:
    return NULL;
}

VkCommandBuffer gpu_begin(struct gpu *gpu, struct problem *problem)
{
    if (gpu->lost) {
        gpu_refused(VK_ERROR_DEVICE_LOST, "gpu_begin", __FILE__, __LINE__, problem);
        return VK_NULL_HANDLE;
    }
    struct submission *one = gpu_take_submission(gpu, problem);
    if (!one) {
        return VK_NULL_HANDLE;
    }
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VK_TRY(vkBeginCommandBuffer(one->cmd, &begin));
    one->taken = true;
    return one->cmd;
fail:
    return VK_NULL_HANDLE;
}

static struct submission *gpu_submission_of(struct gpu *gpu, VkCommandBuffer cmd)
{
    for (struct submission *one = gpu->submissions; one < gpu->submissions + SUBMISSIONS; one++) {
        if (one->taken && one->cmd == cmd) {
            return one;
        }
    }
    fprintf(stderr, "cubist: a command buffer was given back that gpu_begin() had not given\n");
    abort();
}

void gpu_drop(struct gpu *gpu, VkCommandBuffer cmd)
{
    struct submission *one = gpu_submission_of(gpu, cmd);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &one->cmd); // it may still be recording
    one->cmd = NULL;
    one->taken = false;
}

void gpu_lose(struct gpu *gpu)
{
    gpu->lost = true;
    gpu_abandoned = true; // a statement of its own: clang does not use an atomic assignment's value
}

// A wait or a submission failed: marks the device as lost.
static bool
gpu_fail(struct gpu *gpu, VkResult result, const char *call, int line, struct problem *problem)
{
    gpu_lose(gpu);
    gpu_refused(result, call, __FILE__, line, problem);
    if (problem) {
        problem->kind = PROBLEM_DEVICE_LOST;
    }
    return false;
}

bool gpu_wait(struct gpu *gpu, VkFence fence, struct problem *problem)
{
    if (gpu->lost) {
        return gpu_refused(VK_ERROR_DEVICE_LOST, "gpu_wait", __FILE__, __LINE__, problem);
    }
    const uint64_t slice_ns = 100 * 1000 * 1000;
    const double start = clock_ms();
    double interrupted_at = 0;
    // Poll first: many steps end sooner than a sleeping thread wakes up.
    VkResult early = VK_NOT_READY;
    while (!gpu->software && early == VK_NOT_READY && clock_ms() - start < GPU_POLL_MS) {
        early = vkGetFenceStatus(gpu->device, fence);
    }
    if (early != VK_NOT_READY) {
        return early == VK_SUCCESS || gpu_fail(gpu, early, "vkGetFenceStatus", __LINE__, problem);
    }
    for (;;) {
        const VkResult result = vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, slice_ns);
        if (result == VK_SUCCESS) {
            return true;
        }
        if (result != VK_TIMEOUT) {
            return gpu_fail(gpu, result, "vkWaitForFences", __LINE__, problem);
        }
        const double now = clock_ms();
        if (interrupted) {
            interrupted_at = interrupted_at > 0 ? interrupted_at : now;
            if (now - interrupted_at >= GPU_PATIENCE_MS) {
                gpu_lose(gpu);
                return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
            }
        }
        if (now - start >= GPU_DEADLINE_MS) {
            gpu_lose(gpu);
            return problem_set(
                problem, PROBLEM_DEVICE_LOST,
                "the device did not finish within %d s: it hangs, or the volume is too large for "
                "it",
                GPU_DEADLINE_MS / 1000);
        }
    }
}

bool gpu_submit(
    struct gpu *gpu, const VkSubmitInfo2 *submit, VkFence fence, struct problem *problem)
{
    const VkResult result = vkQueueSubmit2(gpu->queue, 1, submit, fence);
    if (result == VK_SUCCESS) {
        return true;
    }
    return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY
               ? gpu_refused(result, "vkQueueSubmit2", __FILE__, __LINE__, problem)
               : gpu_fail(gpu, result, "vkQueueSubmit2", __LINE__, problem);
}

bool gpu_start(struct gpu *gpu, VkCommandBuffer cmd, struct problem *problem)
{
    struct submission *one = gpu_submission_of(gpu, cmd);
    const VkCommandBufferSubmitInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = cmd,
    };
    const VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &buffer,
    };
    VK_TRY(vkEndCommandBuffer(cmd));
    VK_TRY(vkResetFences(gpu->device, 1, &one->fence));
    if (gpu_submit(gpu, &submit, one->fence, problem)) {
        return true;
    }
fail:
    if (!gpu->lost) { // otherwise the device may still use it
        gpu_drop(gpu, cmd);
    }
    return false;
}

bool gpu_finish(struct gpu *gpu, VkCommandBuffer cmd, struct problem *problem)
{
    struct submission *one = gpu_submission_of(gpu, cmd);
    if (!gpu_wait(gpu, one->fence, problem)) {
        return false;
    }
    one->taken = false;
    return !interrupted || problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
}

bool gpu_submit_and_wait(struct gpu *gpu, VkCommandBuffer cmd, struct problem *problem)
{
    return gpu_start(gpu, cmd, problem) && gpu_finish(gpu, cmd, problem);
}

void gpu_drain(struct gpu *gpu)
{
    struct problem why = { 0 };
    VkCommandBuffer cmd = gpu_begin(gpu, &why);
    if (!cmd || (!gpu_submit_and_wait(gpu, cmd, &why) && why.kind != PROBLEM_INTERRUPTED)) {
        gpu_lose(gpu);
    }
}
