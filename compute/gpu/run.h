// A run records passes into a command buffer, and derives the barriers between them.
//
// A run knows which buffers each pass accesses, and how: for a kernel from its SPIR-V
// (shaders/reflect.c) and its bindings, for a copy or a fill from the calls below. No other code
// derives barriers for these passes. A barrier is recorded exactly when an earlier pass of this run
// left a hazard that no barrier since has covered. A run begins with a full barrier against all
// earlier submissions of the queue, so a run need not know about other runs.
//
// Under --validate an independent tracker (tracker.h) follows the passes and the recorded barriers,
// and aborts on a hazard that no barrier covers.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/kernel.h"
#include "compute/gpu/stopwatch.h"
#include "compute/gpu/tracker.h"

// Most resources that a run follows at a time. When one more appears, the run records a full
// barrier and stops following the earlier resources.
#define RUN_RESOURCES 64

// Most slots of a buffer that one copy, fill or update may access.
#define RUN_SLOTS 16

// What this run has done to a buffer so far. Masks hold a bit per enum access.
struct run_resource {
    uint64_t place; // see buffer_place
    bool written;
    enum access write;          // how the last write was made
    uint32_t visible;           // accesses that the last write is already visible to
    uint32_t reads;             // kinds of reads since the last write
    uint32_t ordered[ACCESSES]; // per kind of read: accesses that already wait for those reads
};

struct run {
    struct gpu *gpu;
    VkCommandBuffer cmd;
    struct stopwatch *timer; // may be NULL
    uint64_t number;         // unique among the runs of this gpu
    uint32_t barriers;       // recorded so far
    uint32_t drop_barrier; // for tests: the barrier with this number is left out; UINT32_MAX: none
    struct tracker *tracker; // the gpu's tracker, or a test's; NULL: none
    struct run_resource resources[RUN_RESOURCES];
    uint32_t resource_count;
};

// Starts recording into `cmd` (already begun). Records the opening barrier (number 0).
void run_begin(struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct stopwatch *timer);

// run_begin for tests: uses the test's tracker, and leaves out the barrier number drop_barrier.
void run_begin_dropping(
    struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct tracker *tracker,
    uint32_t drop_barrier);

// Dispatches x * y * z workgroups. The kernel accesses the table's entries for its bindings. All
// dispatches of a kernel in a run need the same entries; a kernel that alternates may have
// KERNEL_BOUND sets of them. `push` is its push struct; NULL if it has none. Records nothing if x,
// y or z is 0.
void run_dispatch(
    struct run *run, struct kernel *kernel, const struct binding table[BINDINGS], const void *push,
    uint32_t x, uint32_t y, uint32_t z);

// Like run_dispatch, with the dispatch arguments at byte `offset` of `arguments`.
void run_dispatch_indirect(
    struct run *run, struct kernel *kernel, const struct binding table[BINDINGS], const void *push,
    const struct buffer *arguments, uint64_t offset);

// In the calls below, a buffer is one resource. If it has slots, each slot that the range touches
// is a resource, and the offset must be the start of a slot.
void run_fill(
    struct run *run, const struct buffer *buffer, uint64_t offset, uint64_t size, uint32_t word);
void run_update(
    struct run *run, const struct buffer *buffer, uint64_t offset, const void *data,
    uint32_t size); // bytes: at most 64 KiB, a multiple of 4
void run_copy(
    struct run *run, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t size);

// Declares how the buffer is used after this run's passes (by drawing, by the host), and records
// the barrier for that now.
void run_use(struct run *run, const struct buffer *buffer, enum access access);
// Like run_use, for the slot at `offset`.
void run_use_part(
    struct run *run, const struct buffer *buffer, uint64_t offset, enum access access);

// Ends a stage of the timer. run_stamp_pass ends a STAGE_PASS with this name, which is constant
// data.
void run_stamp(struct run *run, enum stage_kind kind);
void run_stamp_pass(struct run *run, const char *name);

// Sets the numbers of workgroups along x and y that cover `count` lanes, with `local` lanes each.
// Neither number exceeds 65535.
void run_fold(uint64_t count, uint32_t local, uint32_t groups[2]);
