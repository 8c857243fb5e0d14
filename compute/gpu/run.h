// A command buffer that is being recorded: it takes passes and derives the barriers.
//
// This is the only place where barriers come from. It is known which buffers every pass accesses,
// and how: for a kernel from its SPIR-V (shaders/reflect.c) and from what is bound to it, for a
// copy or fill from the calls below. A barrier is recorded exactly when an earlier pass of this run
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

// Resources that a run follows at a time. When one more appears, the run records a full barrier;
// after that it need not follow the earlier resources any more.
#define RUN_RESOURCES 64

// Slots of a buffer that one copy, fill or update may touch.
#define RUN_SLOTS 16

// What this run has done to a buffer so far. Masks hold a bit per enum access.
struct run_resource {
    uint64_t place; // buffer_place
    bool written;
    enum access write;          // how the last write was made
    uint32_t visible;           // accesses that the last write is already visible to
    uint32_t reads;             // reads since that write
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

// The same for tests: with the test's own tracker, and without one barrier.
void run_begin_dropping(
    struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct tracker *tracker,
    uint32_t drop_barrier);

// Dispatches x * y * z workgroups. The kernel accesses what the table has for its bindings; within
// a run that is the same at each dispatch of a kernel, or one of two if it alternates. `push` is
// its push struct; NULL if it has none. Records nothing if one of the counts is 0.
void run_dispatch(
    struct run *run, struct kernel *kernel, const struct binding table[BINDINGS], const void *push,
    uint32_t x, uint32_t y, uint32_t z);

// The same with dispatch arguments that stand in `arguments` at `offset`.
void run_dispatch_indirect(
    struct run *run, struct kernel *kernel, const struct binding table[BINDINGS], const void *push,
    const struct buffer *arguments, uint64_t offset);

// In the calls below, a buffer is one resource. If it has slots, each slot that the range touches
// is a resource, and the offset is where a slot begins.
void run_fill(
    struct run *run, const struct buffer *buffer, uint64_t offset, uint64_t size, uint32_t word);
void run_update(
    struct run *run, const struct buffer *buffer, uint64_t offset, const void *data,
    uint32_t size); // at most 64 KiB, multiple of 4
void run_copy(
    struct run *run, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t size);

// Declares how the buffer is used after this run's passes (by drawing, by the host), and records
// the barrier for that now.
void run_use(struct run *run, const struct buffer *buffer, enum access access);
// The same for the slot at `offset`.
void run_use_part(
    struct run *run, const struct buffer *buffer, uint64_t offset, enum access access);

// Ends a stage of the timer. run_stamp_pass ends a STAGE_PASS with this name, which is constant
// data.
void run_stamp(struct run *run, enum stage_kind kind);
void run_stamp_pass(struct run *run, const char *name);

// Workgroups of `local` lanes that cover `count` lanes, folded over x and y so that no axis has
// more than 65535.
void run_fold(uint64_t count, uint32_t local, uint32_t groups[2]);
