// The window's images. They are made again whenever the window changes its size or its surface is
// lost.
#pragma once

#include "app/viewer/window/window.h"
#include "compute/gpu/gpu.h"

#define SWAPCHAIN_IMAGES 16

struct swapchain_images {
    VkSwapchainKHR handle;
    uint32_t count;
    VkImage images[SWAPCHAIN_IMAGES];
    VkImageView views[SWAPCHAIN_IMAGES];
    VkSemaphore drawn[SWAPCHAIN_IMAGES]; // signalled by the frame; the present waits for it
};

struct swapchain {
    VkSurfaceKHR surface;
    VkFormat format;
    VkColorSpaceKHR space;
    VkPresentModeKHR mode; // MAILBOX, where a drag shows its newest picture; FIFO if it is missing
    bool linear; // the format encodes sRGB by itself, so the panel must be drawn in linear light
    VkExtent2D extent;
    uint32_t asked[2];            // the window's size when the images were made; the display may
                                  // have given the images another size
    struct swapchain_images now;  // its handle is null while the window has no size
    struct swapchain_images past; // old images: destroyed after a frame on the new ones is done
    bool presented;               // a frame on the new images was presented
    VkSemaphore acquired;
    bool stale; // must be made again before the next acquire
};

// Makes the surface and selects a format. swapchain_refresh makes the images.
bool swapchain_create(
    struct gpu *gpu, struct window *window, struct swapchain *out, struct problem *problem);
void swapchain_destroy(struct gpu *gpu, struct swapchain *swapchain);

// Makes new images if the window's size changed or the old images are stale. The device must
// have finished with the old ones. If the window is minimised, now.handle becomes null: no error.
bool swapchain_refresh(
    struct gpu *gpu, struct window *window, struct swapchain *swapchain, struct problem *problem);

enum swapchain_state {
    SWAPCHAIN_READY,  // draw into image *index
    SWAPCHAIN_STALE,  // no image: refresh and try again at once
    SWAPCHAIN_LATER,  // no image now: the display is busy
    SWAPCHAIN_FAILED, // the problem says why
};
enum swapchain_state swapchain_acquire(
    struct gpu *gpu, struct swapchain *swapchain, uint32_t *index, struct problem *problem);

// Presents an acquired image when drawn[index] is signalled.
bool swapchain_present(
    struct gpu *gpu, struct swapchain *swapchain, uint32_t index, struct problem *problem);
