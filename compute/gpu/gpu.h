// The device: instance, physical device, one queue that can draw and compute, and its limits.
#pragma once

#include "compute/gpu/budget.h"
#include "volumes/base/interrupt.h"
#include "volumes/base/problem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

struct gpu_params {
    const char *device;            // index or part of a name; NULL: the best usable one
    bool validate;                 // validation layers with synchronization validation, and
                                   // the tracker of our own (run.h)
    bool present;                  // enable VK_KHR_swapchain
    const char *const *extensions; // instance extensions that the window asks for
    uint32_t extension_count;
};

// Limits beside VkPhysicalDeviceLimits, in bytes. What asks for more is refused before the driver
// is asked. A test may lower them.
struct gpu_limits {
    uint64_t buffer;     // one buffer
    uint64_t image;      // one image
    uint64_t allocation; // one allocation of device memory
};

// A need that no device meets: more than a limit allows. Sums of it stay above any memory's size.
#define GPU_TOO_MUCH ((uint64_t)1 << 56)

// Zero-initialised means absent. Not thread-safe: one thread uses a gpu at a time.
struct gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t queue_family;
    VkQueue queue;
    VkCommandPool pool; // of resettable command buffers
    VkPhysicalDeviceProperties properties;
    struct gpu_limits limits;
    VkPhysicalDeviceMemoryProperties memory;
    char driver[256]; // driver name and version, for people
    bool software;    // a CPU device such as llvmpipe
    bool texel_loads; // kernels load from storage texel buffers of unsigned integers
    bool validate;
    bool lost;                              // see gpu_lose()
    struct tracker *tracker;                // follows hazards under --validate; NULL otherwise
    uint32_t messages;                      // validation messages seen (warnings and errors)
    uint32_t subgroup_least, subgroup_most; // sizes that a kernel may ask for; 0: it may not
    uint32_t subgroups_most;                // per workgroup, of a size that was asked for
    bool timestamps;                        // the queue can write them
    bool wireframe;                         // fillModeNonSolid is enabled
    bool memory_budget;                     // VK_EXT_memory_budget is there
    struct budget budget;
    uint64_t buffers_made;
};

// Opens a device. PROBLEM_NO_DEVICE with the reason when none is usable.
bool gpu_create(const struct gpu_params *params, struct gpu *out, struct problem *problem);

// Waits (with a deadline) and destroys everything; takes half-built and empty ones. A lost device
// is left to the process's end.
void gpu_destroy(struct gpu *gpu);

// Gives the device up: a wait or a submission failed, or a wait took too long. What was submitted
// may still run. So nothing more is submitted, and nothing that the device may still use is
// destroyed.
void gpu_lose(struct gpu *gpu);

// Some device of this process was given up. Its driver may still have threads at work, which exit
// handlers and destructors would pull the ground from under: the process has to end by _exit().
extern atomic_bool gpu_abandoned;

// One row per physical device, usable or not.
struct gpu_row {
    uint32_t index;
    char name[256];
    char type[16]; // "discrete", "integrated", "virtual", "cpu", "other"
    char driver[256];
    bool usable;
    char reason[256]; // why not; empty where usable
};

// Lists devices. No gpu may be open: volk's functions are global, and the list's own instance takes
// them over. *rows is malloc'ed, the caller frees it. No devices is not an error: count 0.
bool gpu_list(struct gpu_row **rows, uint32_t *count, struct problem *problem);

// A primary command buffer from the pool, begun for one submission. NULL on failure.
VkCommandBuffer gpu_begin(struct gpu *gpu, struct problem *problem);

// Submits to the queue. On false for lack of memory nothing was submitted; for any other reason the
// device is lost.
bool gpu_submit(
    struct gpu *gpu, const VkSubmitInfo2 *submit, VkFence fence, struct problem *problem);

// Ends the command buffer, submits it, waits as gpu_wait() and frees it. PROBLEM_INTERRUPTED, too,
// if interrupted was set meanwhile.
bool gpu_submit_and_wait(struct gpu *gpu, VkCommandBuffer cmd, struct problem *problem);

// Waits for a fence in slices of 100 ms. PROBLEM_DEVICE_LOST where the wait fails or the deadline
// passes, PROBLEM_INTERRUPTED where what was submitted goes on for too long after interrupted was
// set. On false the device is lost.
bool gpu_wait(struct gpu *gpu, VkFence fence, struct problem *problem);

#define GPU_DEADLINE_MS 60000
#define GPU_PATIENCE_MS 500

// Bytes that may still be allocated, by others than pictures: free bytes in the largest
// device-local heap as far as the driver tells (VK_EXT_memory_budget), or the heap's size less what
// we hold; on CPU devices never more than the machine has available.
uint64_t gpu_memory_free(const struct gpu *gpu);

// Bytes that they may not: what is allocated, and what of the reserves is not.
uint64_t gpu_memory_held(const struct gpu *gpu);

// Turns a VkResult into a problem and logs call, file and line on stderr under --validate.
// Returns false.
bool gpu_refused(
    VkResult result, const char *call, const char *file, int line, struct problem *problem);

// Needs a `problem` in scope and a label `fail`.
#define VK_TRY(call)                                                                               \
    do {                                                                                           \
        const VkResult vk_try_ = (call);                                                           \
        if (vk_try_ != VK_SUCCESS) {                                                               \
            gpu_refused(vk_try_, #call, __FILE__, __LINE__, problem);                              \
            goto fail;                                                                             \
        }                                                                                          \
    } while (0)
