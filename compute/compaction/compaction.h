// Stream compaction: from a stream of elements and a predicate to the list of the kept ones.
//
// A method is a row of the table in methods.c; tests, bench, viewer and command line find it by
// themselves. It knows no volumes: what a stream's elements are, and which are kept, is said by
// shaders/lib/stream.glsl, for which every kernel is built once per stream.
#pragma once

#include "compute/gpu/run.h"
#include "shaders/shared/compaction.h"

enum method_order {
    ORDER_NONE,          // any order
    ORDER_WITHIN_BLOCKS, // stream order inside a workgroup's block, blocks as they finish
    ORDER_PYRAMID,       // always the same: Z-order over the 2D base
    ORDER_STREAM,        // the stream's own order: stable
};

enum stream { STREAM_BRICKS, STREAM_CELLS, STREAMS };

// How far a pass of a method is dispatched.
enum pass_shape {
    PASS_LANES,     // one lane per lane of the stream
    PASS_ONE_GROUP, // one workgroup
};

#define METHOD_PASSES 4

struct compaction;
struct compaction_run;

struct method_pass {
    const struct kernel_info *kernels; // one per stream; NULL ends the list
    enum pass_shape shape;
};

struct method {
    const char *name;    // "ink-collate"
    const char *summary; // one line for people
    const char *paper;   // source
    enum method_order order;
    struct method_pass passes[METHOD_PASSES];
    // Clears the first words of `blocks` before the passes, for so many lanes: bytes. May be NULL.
    uint64_t (*clears)(uint32_t lanes);
    // Records the passes by itself where they are no plain sequence. May be NULL.
    void (*record)(
        const struct compaction *compaction, struct run *run, const struct compaction_run *what);
    // NULL: usable on every device; otherwise says why not on this one (NULL: it is), for people.
    const char *(*unavailable)(const struct gpu *gpu);
};

extern const struct method methods[]; // ended by a row with a NULL name
uint32_t method_count(void);
const struct method *method_find(const char *name); // NULL when unknown
const struct method *method_default(void);

// NULL: usable; otherwise why not.
const char *method_unavailable(const struct method *method, const struct gpu *gpu);

static inline bool method_stable(const struct method *method)
{
    return method->order == ORDER_STREAM;
}

static inline bool method_deterministic(const struct method *method)
{
    return method->order == ORDER_STREAM || method->order == ORDER_PYRAMID;
}

// How much there can be of a stream: what scratch is sized for.
struct compaction_size {
    uint32_t lanes; // at most
    uint32_t width; // of the 2D base, which is always read whole
    uint32_t height;
    uint32_t cols; // slice tiles across the base
};

// Kernels of all methods on both streams, and the scratch that they share.
struct compaction {
    struct gpu *gpu;
    struct kernel *kernels; // [method][stream][pass]
    struct kernel arrange;
    struct compaction_size size[STREAMS];
    struct buffer masks, blocks, levels;
    struct buffer groups; // of the pyramid's traversal
};

// `constants` and `set_layout` as for kernel_create: what the streams' predicates need.
bool compaction_create(
    struct gpu *gpu, const uint32_t *constants, uint32_t constant_count,
    VkDescriptorSetLayout set_layout, struct compaction *out, struct problem *problem);
void compaction_destroy(struct compaction *compaction);

// Makes room for streams of these sizes. On false everything is as it was.
bool compaction_reserve(
    struct compaction *compaction, const struct compaction_size size[STREAMS],
    struct problem *problem);

// One compaction. Addresses as in struct compact_push.
struct compaction_run {
    const struct method *method;
    enum stream stream;
    VkDeviceAddress source, source_head, rows, gaps;
    uint32_t key;
    const struct buffer *lane_groups; // indirect groups of PASS_LANES; NULL: all of size.lanes
    uint64_t lane_groups_offset;
    VkDeviceAddress head; // a list_head: count 0, capacity set
    VkDeviceAddress list;
};

// Records the passes that turn the stream into `list` and head's count. Later passes of the run may
// use both.
void compaction_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);

// For method->record: the kernel of a pass, and the push struct that all passes share.
const struct kernel *compaction_kernel(
    const struct compaction *compaction, const struct compaction_run *what, uint32_t pass);
// Dispatches a pass over the lanes of the stream.
void compaction_dispatch_lanes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const struct compact_push *push);

struct compact_push
compaction_push(const struct compaction *compaction, const struct compaction_run *what);
