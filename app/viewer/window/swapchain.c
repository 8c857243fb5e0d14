#include "app/viewer/window/swapchain.h"

#include "compute/gpu/label.h"

static const uint64_t ACQUIRE_TIMEOUT_NS = 500 * 1000 * 1000;

// Marks a lost device: its queue's work on images may never finish.
static bool
swapchain_fail(struct gpu *gpu, VkResult result, const char *call, struct problem *problem)
{
    if (result == VK_ERROR_DEVICE_LOST) {
        gpu_lose(gpu);
    }
    return gpu_refused(result, call, __FILE__, __LINE__, problem);
}

static bool
swapchain_pick_format(struct gpu *gpu, struct swapchain *swapchain, struct problem *problem)
{
    // Picture and panel are sRGB of 8 bits, so formats that store these bytes unchanged come first.
    static const VkFormat wanted[] = {
        VK_FORMAT_B8G8R8A8_UNORM,
        VK_FORMAT_R8G8B8A8_UNORM,
        VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_A2B10G10R10_UNORM_PACK32,
        VK_FORMAT_A2R10G10B10_UNORM_PACK32,
    };
    VkSurfaceFormatKHR formats[64];
    uint32_t count = 64;
    const VkResult result =
        vkGetPhysicalDeviceSurfaceFormatsKHR(gpu->physical, swapchain->surface, &count, formats);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
        return gpu_refused(
            result, "vkGetPhysicalDeviceSurfaceFormatsKHR", __FILE__, __LINE__, problem);
    }
    for (uint32_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        for (uint32_t i = 0; i < count; i++) {
            if (formats[i].format == wanted[w] &&
                formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
                swapchain->format = wanted[w];
                swapchain->space = formats[i].colorSpace;
                swapchain->linear =
                    wanted[w] == VK_FORMAT_B8G8R8A8_SRGB || wanted[w] == VK_FORMAT_R8G8B8A8_SRGB;
                return true;
            }
        }
    }
    return problem_set(
        problem, PROBLEM_UNSUPPORTED,
        "the display takes no images of 8 or 10 bits a colour from %s: try another --device",
        gpu->properties.deviceName);
}

// MAILBOX always, not only in a drag: another mode would need other images, and a drag would begin
// with a pause. It costs little, because a frame is drawn only when something has changed, and at
// most a few in one interval of the display (schedule.c).
static void swapchain_pick_mode(const struct gpu *gpu, struct swapchain *swapchain)
{
    VkPresentModeKHR modes[16];
    uint32_t count = 16;
    swapchain->mode = VK_PRESENT_MODE_FIFO_KHR; // every surface supports it
    if (vkGetPhysicalDeviceSurfacePresentModesKHR(
            gpu->physical, swapchain->surface, &count, modes) < 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (modes[i] == VK_PRESENT_MODE_MAILBOX_KHR) {
            swapchain->mode = modes[i];
        }
    }
}

static bool swapchain_make_surface(
    struct gpu *gpu, struct window *window, struct swapchain *swapchain, struct problem *problem)
{
    if (!window_surface(window, gpu->instance, &swapchain->surface, problem)) {
        return false;
    }
    VkBool32 supported = VK_FALSE;
    const VkResult result = vkGetPhysicalDeviceSurfaceSupportKHR(
        gpu->physical, gpu->queue_family, swapchain->surface, &supported);
    if (result != VK_SUCCESS) {
        return gpu_refused(
            result, "vkGetPhysicalDeviceSurfaceSupportKHR", __FILE__, __LINE__, problem);
    }
    if (!supported) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "%s cannot show pictures on this display: try another --device (see `cubist devices`)",
            gpu->properties.deviceName);
    }
    swapchain_pick_mode(gpu, swapchain);
    return swapchain_pick_format(gpu, swapchain, problem);
}

static bool swapchain_make_semaphore(struct gpu *gpu, VkSemaphore *out, struct problem *problem)
{
    const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
    VK_TRY(vkCreateSemaphore(gpu->device, &info, NULL, out));
    return true;
fail:
    return false;
}

bool swapchain_create(
    struct gpu *gpu, struct window *window, struct swapchain *out, struct problem *problem)
{
    *out = (struct swapchain){ .stale = true };
    if (!swapchain_make_surface(gpu, window, out, problem) ||
        !swapchain_make_semaphore(gpu, &out->acquired, problem)) {
        swapchain_destroy(gpu, out);
        return false;
    }
    return true;
}

static void swapchain_destroy_images(struct gpu *gpu, struct swapchain_images *images)
{
    for (uint32_t i = 0; i < images->count; i++) {
        vkDestroyImageView(gpu->device, images->views[i], NULL);
        vkDestroySemaphore(gpu->device, images->drawn[i], NULL);
    }
    vkDestroySwapchainKHR(gpu->device, images->handle, NULL);
    *images = (struct swapchain_images){ 0 };
}

// Destroys all images now. Only VK_EXT_swapchain_maintenance1 could say when presents no longer use
// their semaphores. Without it, this relies on what drivers do: a present waits for its semaphore
// in the queue, so an empty submission completes after it.
static void swapchain_drop_images(struct gpu *gpu, struct swapchain *swapchain)
{
    if (!swapchain->now.handle && !swapchain->past.handle) {
        return;
    }
    gpu_drain(gpu);
    if (!gpu->lost) {
        swapchain_destroy_images(gpu, &swapchain->past);
        swapchain_destroy_images(gpu, &swapchain->now);
    }
}

// Keeps the old images until a frame on the new ones is done: then their last present is done, too.
static void swapchain_retire_images(struct gpu *gpu, struct swapchain *swapchain)
{
    if (swapchain->past.handle) {
        swapchain_drop_images(gpu, swapchain);
    }
    swapchain->past = swapchain->now;
    swapchain->now = (struct swapchain_images){ 0 };
    swapchain->presented = false;
}

void swapchain_destroy(struct gpu *gpu, struct swapchain *swapchain)
{
    if (gpu->device && !gpu->lost) {
        swapchain_drop_images(gpu, swapchain);
    }
    if (gpu->device && !gpu->lost) {
        vkDestroySemaphore(gpu->device, swapchain->acquired, NULL);
        vkDestroySurfaceKHR(gpu->instance, swapchain->surface, NULL);
    }
    *swapchain = (struct swapchain){ 0 };
}

static bool
swapchain_make_images(struct gpu *gpu, struct swapchain *swapchain, struct problem *problem)
{
    struct swapchain_images *now = &swapchain->now;
    uint32_t count = SWAPCHAIN_IMAGES;
    const VkResult result = vkGetSwapchainImagesKHR(gpu->device, now->handle, &count, now->images);
    if (result < 0) {
        return gpu_refused(result, "vkGetSwapchainImagesKHR", __FILE__, __LINE__, problem);
    }
    if (result != VK_SUCCESS) {
        return problem_set(
            problem, PROBLEM_LIMIT, "the display wants more than %d images per window",
            SWAPCHAIN_IMAGES);
    }
    now->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const VkImageViewCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .image = now->images[i],
            .viewType = VK_IMAGE_VIEW_TYPE_2D,
            .format = swapchain->format,
            .subresourceRange = {
                .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                .levelCount = 1,
                .layerCount = 1,
            },
        };
        VK_TRY(vkCreateImageView(gpu->device, &info, NULL, &now->views[i]));
        label_object(gpu, VK_OBJECT_TYPE_IMAGE, now->images[i], "window");
        label_object(gpu, VK_OBJECT_TYPE_IMAGE_VIEW, now->views[i], "window");
        if (!swapchain_make_semaphore(gpu, &now->drawn[i], problem)) {
            goto fail;
        }
    }
    return true;
fail:
    return false;
}

static uint32_t swapchain_between(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

// A lost surface loses everything that was made from it. The next refresh starts again.
static void swapchain_lose_surface(struct gpu *gpu, struct swapchain *swapchain)
{
    swapchain_drop_images(gpu, swapchain);
    if (!gpu->lost) {
        vkDestroySurfaceKHR(gpu->instance, swapchain->surface, NULL);
    }
    swapchain->surface = VK_NULL_HANDLE;
    swapchain->stale = true;
}

static bool swapchain_rebuild(
    struct gpu *gpu, struct swapchain *swapchain, uint32_t width, uint32_t height,
    struct problem *problem)
{
    VkSurfaceCapabilitiesKHR can;
    VkResult result =
        vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu->physical, swapchain->surface, &can);
    if (result == VK_ERROR_SURFACE_LOST_KHR) {
        swapchain_lose_surface(gpu, swapchain);
        return true;
    }
    if (result != VK_SUCCESS) {
        return gpu_refused(
            result, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR", __FILE__, __LINE__, problem);
    }
    VkExtent2D extent = can.currentExtent;
    if (extent.width == UINT32_MAX) {
        extent.width = swapchain_between(width, can.minImageExtent.width, can.maxImageExtent.width);
        extent.height =
            swapchain_between(height, can.minImageExtent.height, can.maxImageExtent.height);
    }
    if (extent.width == 0 || extent.height == 0) {
        swapchain_drop_images(gpu, swapchain);
        return true;
    }
    static const VkCompositeAlphaFlagBitsKHR alphas[] = {
        VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
        VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR,
    };
    VkCompositeAlphaFlagBitsKHR alpha = alphas[0];
    for (uint32_t i = 0; i < 4; i++) {
        if (can.supportedCompositeAlpha & alphas[i]) {
            alpha = alphas[i];
            break;
        }
    }
    const uint32_t most = can.maxImageCount ? can.maxImageCount : SWAPCHAIN_IMAGES;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = swapchain->surface,
        .minImageCount = swapchain_between(3, can.minImageCount, most),
        .imageFormat = swapchain->format,
        .imageColorSpace = swapchain->space,
        .imageExtent = extent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, // every surface allows it
        .preTransform = can.currentTransform,
        .compositeAlpha = alpha,
        .presentMode = swapchain->mode,
        .clipped = VK_TRUE,
        .oldSwapchain = swapchain->now.handle,
    };
    VkSwapchainKHR fresh = VK_NULL_HANDLE;
    result = vkCreateSwapchainKHR(gpu->device, &info, NULL, &fresh);
    swapchain_retire_images(gpu, swapchain); // an error has retired the old swapchain, too
    if (result == VK_ERROR_SURFACE_LOST_KHR) {
        swapchain_lose_surface(gpu, swapchain);
        return true;
    }
    if (result != VK_SUCCESS) {
        return swapchain_fail(gpu, result, "vkCreateSwapchainKHR", problem);
    }
    swapchain->now.handle = fresh;
    swapchain->extent = extent;
    swapchain->asked[0] = width;
    swapchain->asked[1] = height;
    swapchain->stale = false;
    return swapchain_make_images(gpu, swapchain, problem);
}

bool swapchain_refresh(
    struct gpu *gpu, struct window *window, struct swapchain *swapchain, struct problem *problem)
{
    uint32_t width, height;
    window_extent(window, &width, &height);
    if (width == 0 || height == 0) {
        swapchain_drop_images(gpu, swapchain);
        swapchain->stale = true;
        return true;
    }
    if (swapchain->presented) {
        swapchain_destroy_images(gpu, &swapchain->past);
    }
    // Images that are suboptimal for the display, or have another size than requested, are not made
    // again: the display would answer the same in every frame.
    if (!swapchain->stale && swapchain->now.handle && swapchain->asked[0] == width &&
        swapchain->asked[1] == height) {
        return true;
    }
    if (!swapchain->surface && !swapchain_make_surface(gpu, window, swapchain, problem)) {
        return false;
    }
    return swapchain_rebuild(gpu, swapchain, width, height, problem);
}

enum swapchain_state swapchain_acquire(
    struct gpu *gpu, struct swapchain *swapchain, uint32_t *index, struct problem *problem)
{
    const VkResult result = vkAcquireNextImageKHR(
        gpu->device, swapchain->now.handle, ACQUIRE_TIMEOUT_NS, swapchain->acquired, VK_NULL_HANDLE,
        index);
    switch (result) {
    case VK_SUCCESS:
    case VK_SUBOPTIMAL_KHR:
        return SWAPCHAIN_READY;
    case VK_TIMEOUT:
    case VK_NOT_READY:
        return SWAPCHAIN_LATER;
    case VK_ERROR_OUT_OF_DATE_KHR:
        swapchain->stale = true;
        return SWAPCHAIN_STALE;
    case VK_ERROR_SURFACE_LOST_KHR:
        swapchain_lose_surface(gpu, swapchain);
        return SWAPCHAIN_STALE;
    default:
        swapchain_fail(gpu, result, "vkAcquireNextImageKHR", problem);
        return SWAPCHAIN_FAILED;
    }
}

bool swapchain_present(
    struct gpu *gpu, struct swapchain *swapchain, uint32_t index, struct problem *problem)
{
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &swapchain->now.drawn[index],
        .swapchainCount = 1,
        .pSwapchains = &swapchain->now.handle,
        .pImageIndices = &index,
    };
    const VkResult result = vkQueuePresentKHR(gpu->queue, &info);
    if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_ERROR_SURFACE_LOST_KHR) {
        swapchain->stale = true;
        return true;
    }
    swapchain->presented = true;
    if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR) {
        return swapchain_fail(gpu, result, "vkQueuePresentKHR", problem);
    }
    return true;
}
