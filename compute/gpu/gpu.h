// The device: instance, physical device, one queue, and limits.
#pragma once

#include "compute/gpu/budget.h"
#include "compute/gpu/physical.h"
#include "compute/gpu/result.h"
#include "compute/gpu/traits.h"
#include "shaders/shader.h"
#include "volumes/base/interrupt.h"
#include "volumes/base/problem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

// Limits that VkPhysicalDeviceLimits lacks, in bytes except `vertices`. Larger requests are refused
// without asking the driver. A test may lower the limits.
struct gpu_limits {
    uint64_t buffer;     // one buffer
    uint64_t image;      // one image
    uint64_t allocation; // one allocation of device memory
    uint64_t vertices;   // number in a drawn surface; UINT64_MAX if the gpu was not opened to draw
};

// The extension that brings the lanes of a subgroup together again after they took different
// branches. Core Vulkan does not promise that, and our kernels use shuffles and ballots in loops.
enum reconvergence {
    RECONVERGENCE_NONE,    // the device has neither extension; kernels rely on subgroupBarrier()
    RECONVERGENCE_UNIFORM, // VK_KHR_shader_subgroup_uniform_control_flow
    RECONVERGENCE_MAXIMAL, // VK_KHR_shader_maximal_reconvergence
};

// A command buffer and the fence of its submission. Both are reused by later submissions.
struct submission {
    VkCommandBuffer cmd; // NULL: not allocated yet
    VkFence fence;
    bool taken; // from gpu_begin() until gpu_finish() or gpu_drop()
};
#define SUBMISSIONS 4 // most that can be taken at a time

// Stands for a size in bytes if a limit is exceeded. Sums with it stay larger than any memory.
#define GPU_TOO_MUCH ((uint64_t)1 << 56)

// Zero-initialised: no device is open. Not thread-safe: one thread uses a gpu at a time.
struct gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t queue_family;
    VkQueue queue;
    VkCommandPool pool; // of resettable command buffers
    struct submission submissions[SUBMISSIONS];
    VkPipelineCache pipelines;  // cache of compiled pipelines; NULL: none
    size_t pipelines_loaded;    // bytes of the cache when it was loaded
    struct made_pipeline *made; // see pipelines.h
    VkPhysicalDeviceProperties properties;
    uint8_t device_uuid[VK_UUID_SIZE], driver_uuid[VK_UUID_SIZE];
    struct gpu_limits limits;
    VkPhysicalDeviceMemoryProperties memory;
    char driver[256]; // driver name and version, for people
    // A sentence about a device that may be faster, but cannot draw, or cannot show the window's
    // pictures. Empty: there is none.
    char passed_over[1024];
    bool software; // a CPU device such as llvmpipe
    const struct traits *traits;
    enum reconvergence reconvergence; // the extension that kernels ask for
    bool lanes_apart; // lanes of a subgroup may run apart after a branch, until they meet again
    bool texel_loads; // kernels can load from storage texel buffers of unsigned integers
    bool validate;
    bool labels;                            // a tool shows names and labels, see label.h
    bool lost;                              // see gpu_lose()
    struct tracker *tracker;                // checks hazards under --validate; NULL otherwise
    uint32_t messages;                      // validation messages seen (warnings and errors)
    uint32_t subgroup_least, subgroup_most; // sizes that a kernel may request; 0: none
    uint32_t subgroup_lanes;                // lanes of a subgroup, at most
    uint32_t subgroups_most;                // subgroups per workgroup, if a kernel requests a size
    uint32_t timestamps;                    // valid bits of the queue's timestamps; 0: it has none
    bool wireframe;                         // fillModeNonSolid is enabled
    bool clips;                             // shaderClipDistance is enabled
    bool shades_samples;                    // sampleRateShading is enabled
    bool memory_budget;                     // VK_EXT_memory_budget is enabled
    struct budget budget;
    uint32_t allocations;                     // of device memory, current number
    uint64_t buffers_made, images_made, runs; // numbers so far
};

// Opens a device. PROBLEM_NO_DEVICE with the reason when none is usable.
bool gpu_create(const struct gpu_params *params, struct gpu *out, struct problem *problem);

// Waits (with a deadline) and destroys everything. Accepts a half-built and an empty gpu. A lost
// device is not destroyed: its handles stay until the process ends.
void gpu_destroy(struct gpu *gpu);

// Marks the device as lost: a wait or a submission failed, or a wait took too long. Submitted work
// may still run. So nothing more is submitted, and nothing that the device may still use is
// destroyed.
void gpu_lose(struct gpu *gpu);

// Set once a device of this process was marked as lost. Its driver may still have running threads,
// which exit handlers and destructors could crash: the process has to end by _exit().
extern atomic_bool gpu_abandoned;

// Lists devices. No gpu may be open: volk's functions are global, and listing loads them for an
// instance of its own. *rows is malloc'ed, the caller frees it. No devices is not an error: *count
// is 0.
bool gpu_list(struct gpu_row **rows, uint32_t *count, struct problem *problem);

// Begins a primary command buffer for one submission; at most SUBMISSIONS at a time. NULL on
// failure. gpu_submit_and_wait(), gpu_finish() or gpu_drop() gives it back.
VkCommandBuffer gpu_begin(struct gpu *gpu, struct problem *problem);

// Gives back a command buffer that was not submitted.
void gpu_drop(struct gpu *gpu, VkCommandBuffer cmd);

// Ends the command buffer and submits it. The host may do other work before it calls gpu_finish().
// On false the command buffer was given back; the errors are those of gpu_submit().
bool gpu_start(struct gpu *gpu, VkCommandBuffer cmd, struct problem *problem);

// Waits as gpu_wait() does, and gives the command buffer back. Also fails with PROBLEM_INTERRUPTED
// when `interrupted` was set meanwhile.
bool gpu_finish(struct gpu *gpu, VkCommandBuffer cmd, struct problem *problem);

// Calls gpu_start() and gpu_finish().
bool gpu_submit_and_wait(struct gpu *gpu, VkCommandBuffer cmd, struct problem *problem);

// Waits until the device has done all that was submitted. If that fails, the device is lost.
void gpu_drain(struct gpu *gpu);

// Submits to the queue. On false for lack of memory nothing was submitted. On false for any other
// reason the device is lost.
bool gpu_submit(
    struct gpu *gpu, const VkSubmitInfo2 *submit, VkFence fence, struct problem *problem);

// Waits for a fence. It polls the fence for GPU_POLL_MS, then sleeps in slices of 100 ms. On a CPU
// device it does not poll, because the device needs the core itself. PROBLEM_DEVICE_LOST when the
// wait fails or takes longer than GPU_DEADLINE_MS. PROBLEM_INTERRUPTED when the fence is not
// signalled GPU_PATIENCE_MS after `interrupted` was set. On false the device is lost.
bool gpu_wait(struct gpu *gpu, VkFence fence, struct problem *problem);

#define GPU_POLL_MS     0.2
#define GPU_DEADLINE_MS 60000
#define GPU_PATIENCE_MS 500

// Bytes that may still be allocated for a purpose, without the bytes that are reserved for other
// purposes. The largest device-local heap counts: its free bytes if the driver reports them
// (VK_EXT_memory_budget), otherwise its size less what this gpu has allocated. On a CPU device it
// is at most what the machine has available.
uint64_t gpu_memory_free_for(const struct gpu *gpu, enum purpose purpose);
uint64_t gpu_memory_free(const struct gpu *gpu); // for a purpose that has no reserve

// A copy of the shader's SPIR-V that asks for the extension `how`: *size bytes, malloc'ed, the
// caller frees it. NULL: out of memory.
uint32_t *reconvergence_ask(const struct shader *shader, enum reconvergence how, uint32_t *size);
