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
#include "compute/gpu/timer.h"
#include "compute/gpu/tracker.h"

#define RUN_RESOURCES 64

struct run_resource {
    VkDeviceAddress address;
    uint32_t write_pass;   // index of the last pass that wrote, 0 for none
    uint32_t read_pass;    // index of the last pass that read since then, 0 for none
    enum access write, read_kinds[4];
    uint32_t read_mask;    // bit per enum access seen since the last write
    uint32_t visible_mask; // bit per enum access the last write is already visible to
};

struct run {
    struct gpu *gpu;
    VkCommandBuffer cmd;
    struct timer *timer;         // may be NULL
    VkDescriptorSet set;         // bound for every kernel whose layout has one; may be null
    uint32_t pass;
    uint32_t barriers;           // recorded so far
    int drop_barrier;            // tests: index of the barrier to leave out, -1 for none
    struct tracker tracker;      // used when gpu->validate or when a test asks for it
    bool track;
    struct run_resource resources[RUN_RESOURCES];
    uint32_t resource_count;
};

// Starts recording into `cmd` (already begun). Records the opening barrier.
void run_begin(struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct timer *timer);

// Dispatches x * y * z groups; `push` is the kernel's push struct. Groups of 0 record nothing.
void run_dispatch(struct run *run, const struct kernel *kernel, const void *push, uint32_t x,
                  uint32_t y, uint32_t z);

// The same with the group counts in `arguments` at `offset`.
void run_dispatch_indirect(struct run *run, const struct kernel *kernel, const void *push,
                           const struct buffer *arguments, uint64_t offset);

void run_fill(struct run *run, const struct buffer *buffer, uint64_t offset, uint64_t size,
              uint32_t word);
void run_update(struct run *run, const struct buffer *buffer, uint64_t offset, const void *data,
                uint32_t size); // at most 64 KiB, multiple of 4
void run_copy(struct run *run, const struct buffer *from, uint64_t from_offset,
              const struct buffer *to, uint64_t to_offset, uint64_t size);

// Says that whatever comes after this run's passes uses the buffer so (drawing, the host): records
// the barrier now.
void run_use(struct run *run, const struct buffer *buffer, enum access access);

// Ends a stage of the timer.
void run_stamp(struct run *run, const char *stage);

// Groups of `local` lanes that cover `count` lanes, folded so that no axis passes 65535: x and y.
void run_fold(uint64_t count, uint32_t local, uint32_t groups[2]);
