// A command buffer being recorded: passes in, barriers derived.
//
// THE one place where barriers come from. Every pass says which buffers it touches and how (a
// kernel's ports; the calls below for copies and fills); a barrier is recorded exactly when an
// earlier pass of this run left a hazard that none since has covered. A run begins with a full
// barrier against all earlier submissions of the queue, so nothing outside has to be tracked.
//
// Under --validate a second, independent account (tracker.h) follows the passes and the barriers
// that were really recorded and aborts on a hazard that is not covered.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/kernel.h"
#include "compute/gpu/stopwatch.h"
#include "compute/gpu/tracker.h"

// That are followed at a time. Where one more comes up, a full barrier is recorded, after which all
// that was touched before can be forgotten.
#define RUN_RESOURCES 64

// What this run has done to a buffer so far. Masks hold a bit per enum access.
struct run_resource {
    VkDeviceAddress address;
    bool written;
    enum access write;          // how it was last written
    uint32_t visible;           // who may already see that write
    uint32_t reads;             // how it was read since
    uint32_t ordered[ACCESSES]; // per way of reading: who already waits for those reads
};

struct run {
    struct gpu *gpu;
    VkCommandBuffer cmd;
    struct stopwatch *timer; // may be NULL
    VkDescriptorSet set;     // bound for kernels that have a set layout; may be null
    uint32_t barriers;       // recorded so far
    uint32_t drop_barrier;   // tests: leave out the barrier with this number; UINT32_MAX: none
    struct tracker *tracker; // the gpu's, or a test's; NULL: none
    struct run_resource resources[RUN_RESOURCES];
    uint32_t resource_count;
};

// Starts recording into `cmd` (already begun). Records the opening barrier (number 0).
void run_begin(struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct stopwatch *timer);

// The same for tests: with a tracker of the test's own, leaving out one barrier.
void run_begin_dropping(
    struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct tracker *tracker,
    uint32_t drop_barrier);

// Dispatches x * y * z groups; `push` is the kernel's push struct. Groups of 0 record nothing.
void run_dispatch(
    struct run *run, const struct kernel *kernel, const void *push, uint32_t x, uint32_t y,
    uint32_t z);

// The same with the group counts in `arguments` at `offset`.
void run_dispatch_indirect(
    struct run *run, const struct kernel *kernel, const void *push, const struct buffer *arguments,
    uint64_t offset);

// In the calls below, buffer and offset together name the resource.
void run_fill(
    struct run *run, const struct buffer *buffer, uint64_t offset, uint64_t size, uint32_t word);
void run_update(
    struct run *run, const struct buffer *buffer, uint64_t offset, const void *data,
    uint32_t size); // at most 64 KiB, multiple of 4
void run_copy(
    struct run *run, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t size);

// Says that whatever comes after this run's passes uses the buffer so (drawing, the host): records
// the barrier now.
void run_use(struct run *run, const struct buffer *buffer, enum access access);
// The same for the resource at `offset`.
void run_use_part(
    struct run *run, const struct buffer *buffer, uint64_t offset, enum access access);

// Ends a stage of the timer; or a STAGE_PASS with this name, which is constant data.
void run_stamp(struct run *run, enum stage_kind kind);
void run_stamp_pass(struct run *run, const char *name);

// Groups of `local` lanes that cover `count` lanes, folded so that no axis passes 65535: x and y.
void run_fold(uint64_t count, uint32_t local, uint32_t groups[2]);
