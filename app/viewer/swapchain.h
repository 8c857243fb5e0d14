// The window's images: made anew whenever the window changes, lost surfaces included.
#pragma once

#include "app/viewer/window.h"
#include "compute/gpu/gpu.h"

#define SWAPCHAIN_IMAGES 16

struct swapchain_images {
    VkSwapchainKHR handle;
    uint32_t count;
    VkImage images[SWAPCHAIN_IMAGES];
    VkImageView views[SWAPCHAIN_IMAGES];
    VkSemaphore drawn[SWAPCHAIN_IMAGES]; // signalled by the frame, waited for by the present
};

struct swapchain {
    VkSurfaceKHR surface;
    VkFormat format;
    VkColorSpaceKHR space;
    bool linear; // the format encodes sRGB by itself: the panel must hand it linear light
    VkExtent2D extent;
    uint32_t asked[2];            // the window's size that the images were made for; the display
                                  // may have given them another
    struct swapchain_images now;  // its handle is null while the window has no size
    struct swapchain_images past; // gone once a frame on the new ones is done
    bool presented;               // a frame on the new ones
    VkSemaphore acquired;
    bool stale; // must be made anew before the next acquire
};

// Makes the surface and picks a format; the images come with swapchain_refresh.
bool swapchain_create(
    struct gpu *gpu, struct window *window, struct swapchain *out, struct problem *problem);
void swapchain_destroy(struct gpu *gpu, struct swapchain *swapchain);

// Brings the images up to the window's size if it changed or the old ones are stale. The device
// must be done with them. With a minimised window now.handle becomes null, and that is no error.
bool swapchain_refresh(
    struct gpu *gpu, struct window *window, struct swapchain *swapchain, struct problem *problem);

enum swapchain_state {
    SWAPCHAIN_READY,  // *index is to be drawn
    SWAPCHAIN_STALE,  // none: refresh and try again at once
    SWAPCHAIN_LATER,  // none now: the display is busy
    SWAPCHAIN_FAILED, // the problem says why
};
enum swapchain_state swapchain_acquire(
    struct gpu *gpu, struct swapchain *swapchain, uint32_t *index, struct problem *problem);

// Shows an acquired image once drawn[index] is signalled.
bool swapchain_present(
    struct gpu *gpu, struct swapchain *swapchain, uint32_t index, struct problem *problem);
