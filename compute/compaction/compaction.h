// Stream compaction: from a stream of elements and a predicate to the list of the kept ones.
//
// A method is a row of the table in methods.c; tests, bench, viewer and command line find it by
// themselves. It knows no volumes: what a stream's elements are, and which are kept, is said by
// shaders/lib/stream.glsl, for which every kernel is built once per stream.
#pragma once

#include "compute/bindings.h"
#include "compute/gpu/run.h"
#include "shaders/shared/compaction.h"

enum method_order {
    ORDER_NONE,          // any order, not always the same
    ORDER_WITHIN_BLOCKS, // stream order inside a workgroup's block, blocks as they finish
    ORDER_FIXED,         // not the stream's, but always the same
    ORDER_STREAM,        // the stream's own order: stable
};

enum stream { STREAM_BRICKS, STREAM_CELLS, STREAM_WORDS, STREAMS };

// How far a pass of a method is dispatched.
enum pass_shape {
    PASS_LANES,     // one lane per lane of the stream
    PASS_ITEMS,     // one per INK_LANES lanes of the stream, of the cell stream per INK_ROWS
    PASS_ONE_GROUP, // one workgroup
    PASS_RANGES,    // up to RANGES workgroups, each with a contiguous range of the stream
};

#define METHOD_PASSES 8

struct compaction;
struct compaction_run;
struct compaction_size;
struct cpu_run;

struct method_pass {
    // One per stream; NULL ends the list. Without code: not for this stream.
    const struct kernel_info *kernels;
    enum pass_shape shape;
};

// Words of each scratch buffer.
struct compaction_scratch {
    uint64_t masks, blocks, levels;
};

struct method {
    const char *name;    // "ink-collate"
    const char *summary; // one line for people
    const char *paper;   // source
    // What it promises. Tests hold every method to these.
    enum method_order order;
    bool blocks;   // works in blocks of compaction_params.block elements
    bool in_place; // a word stream's list may be its source
    bool waits;    // a workgroup may wait for another: a few turns, then it helps itself
    bool tells;    // fills in struct compaction_events
    bool removes;  // takes elements out of a kept list: needs a removal list
    bool arranges; // says how many groups classify the bricks: compaction_run.groups
    bool picks;    // has no passes: another of the table runs instead, chosen by choose.h
    // On the CPU, and never on the device: compacts words in the host's memory (cpu.h) and returns
    // how many it kept. NULL: the passes below, on the device.
    uint32_t (*cpu)(struct cpu_run *run);
    // Lanes of a stream at most, where loops would get too long beyond, or counters too large;
    // 0: no such limit. Of a method that removes: elements of the list.
    uint64_t largest;
    struct method_pass passes[METHOD_PASSES];
    // Which of them a stream of so many lanes needs. NULL: all.
    bool (*needs)(const struct gpu *gpu, uint32_t pass, enum stream stream, uint32_t lanes);
    // Clears the first words of `blocks` before the passes, for so many lanes: bytes. May be NULL.
    uint64_t (*clears)(uint32_t lanes);
    // Scratch for a stream of this size. NULL: a mask per lane, a word per workgroup, and what is
    // cleared.
    struct compaction_scratch (*scratch)(
        const struct compaction_size *size, enum stream stream, uint32_t block);
    // Records the passes by itself where they are no plain sequence. May be NULL.
    void (*record)(
        const struct compaction *compaction, struct run *run, const struct compaction_run *what);
    // Bytes of shared memory that its workgroups take, where that is more than a little. A device
    // may have as few as 16 KiB, and a driver may want some for itself.
    uint32_t shared;
};

extern const struct method methods[]; // ended by a row with a NULL name
#define METHODS_MOST 40               // rows, at most
uint32_t method_count(void);
const struct method *method_find(const char *name); // NULL when unknown
const struct method *method_default(void);

// NULL: usable on the device; otherwise why not. Methods of the CPU never are.
const char *method_unavailable(const struct method *method, const struct gpu *gpu);
// The same for a stream of so many lanes (a method that removes: a list of so many elements): one
// may be too long for a method.
const char *method_refuses(const struct method *method, const struct gpu *gpu, uint64_t lanes);

static inline bool method_stable(const struct method *method)
{
    return method->order == ORDER_STREAM;
}

static inline bool method_deterministic(const struct method *method)
{
    return method->order == ORDER_STREAM || method->order == ORDER_FIXED;
}

// How much there can be of a stream: what scratch is sized for.
struct compaction_size {
    uint32_t lanes; // at most; 0: the stream is not used
    uint32_t room;  // elements that its list has room for: what methods that remove have to know
    // Block methods: concatenate separately compacted blocks as the papers do, to measure that.
    bool concatenate;
};

#define BLOCK_DEFAULT 256

struct compaction_params {
    const uint32_t *constants; // CONSTANTS of them: what the streams' predicates need
    VkDescriptorSetLayout set_layout;
    uint32_t block;         // elements per block of the methods that work in blocks; 0: 256
    uint32_t subgroup_size; // one that the device offers; 0: the device decides
};

// Kernels of the methods used so far, and the scratch that they share.
struct compaction {
    struct gpu *gpu;
    uint32_t constants[CONSTANTS];
    VkDescriptorSetLayout set_layout;
    uint32_t block, subgroup_size;
    struct kernel *kernels; // [method][stream][pass][bound], made when first asked for
    struct kernel arrange;
    bool bound; // lists and masks are written through bindings
    struct compaction_size size[STREAMS];
    struct buffer masks, blocks, levels;
    struct buffer groups;    // indirect groups of a method's own passes
    struct buffer events;    // struct compaction_events per stream
    struct buffer told;      // the same, for the host
    struct redzone *redzone; // lists that live on: what methods that remove have to know
};

// PROBLEM_DEVICE where there is no room, and for a subgroup size that the device does not offer. On
// false `out` is empty.
bool compaction_create(
    struct gpu *gpu, const struct compaction_params *params, struct compaction *out,
    struct problem *problem);
void compaction_destroy(struct compaction *compaction);
void compaction_strip(struct compaction *compaction); // of all scratch, until the next prepare

// Makes what the method needs for streams of these sizes: kernels, and room. `bound`: the lists fit
// their storage buffer bindings; they are written through them if the scratch fits too, otherwise
// by address. On false everything is as it was.
bool compaction_prepare(
    struct compaction *compaction, const struct method *method,
    const struct compaction_size size[STREAMS], bool bound, struct problem *problem);

// The same with a method for each stream. None may be one that picks.
bool compaction_prepare_each(
    struct compaction *compaction, const struct method *const chosen[STREAMS],
    const struct compaction_size size[STREAMS], bool bound, struct problem *problem);

// Whether kernels of the method were made for such a stream: to run it costs no more than its time.
bool compaction_has(
    const struct compaction *compaction, const struct method *method, enum stream stream);

// Points the set's bindings at the scratch, after each compaction_prepare.
bool compaction_bind(
    const struct compaction *compaction, struct bindings *bindings, struct problem *problem);

// One compaction. Addresses as in struct compact_push.
struct compaction_run {
    const struct method *method;
    enum stream stream;
    VkDeviceAddress source, source_head, rows, gaps;
    uint32_t key;
    const struct buffer *lane_groups; // indirect groups of PASS_LANES; NULL: all of size.lanes
    uint64_t lane_groups_offset;
    uint64_t item_groups_offset; // in the same buffer, those of PASS_ITEMS
    VkDeviceAddress head;        // a list_head: count 0, capacity set
    VkDeviceAddress list;
    VkDeviceAddress groups; // brick stream, for a method that arranges: indirect groups, 0 at first
    // Words and a method that removes: the positions to remove, each once, and their list_head; 0:
    // those of all words that are not kept.
    VkDeviceAddress removals, removals_head;
    uint32_t drop; // test: leave out every so many-th post to another workgroup; 0: none
    bool every;    // brick stream: keep all
    bool stages;   // stamp the run's timer after every pass, by the kernel's name
};

// Records the passes that turn the stream into `list` and head's count. Later passes of the run may
// use both. The method must have been prepared.
//
// A method that removes starts from the list as its last run left it, if that has been the stream's
// last one, the list stands where it stood and compaction_finished has said that it is whole;
// otherwise it makes the list anew, with the same result. Where the elements that join pass the
// capacity, the count says how many the list would need; nothing is removed then. A list of words
// is its own source (`source` is the same as `list`) and has room for all of them: `capacity` is of
// no account.
void compaction_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);

// Device memory that a compaction takes that has been prepared for one method and these streams,
// in blocks of the default size. `auto`: for any that it may pick; NULL: for any at all.
uint64_t compaction_bytes(
    const struct gpu *gpu, const struct method *method, const struct compaction_size size[STREAMS]);

// The streams are others from now on: no list lives on.
void compaction_forget(const struct compaction *compaction);

// What has been recorded has run. Not whole, because some list was too short: no list lives on.
void compaction_finished(const struct compaction *compaction, bool whole);

// What the last run of a stream by a method that tells had to tell, after it has finished.
struct compaction_events compaction_told(const struct compaction *compaction, enum stream stream);

// For method->record: the kernel of a pass, and the push struct that all passes share.
const struct kernel *compaction_kernel(
    const struct compaction *compaction, const struct compaction_run *what, uint32_t pass);
// Dispatches a pass over the lanes of the stream, and stamps it.
void compaction_dispatch_lanes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const struct compact_push *push);

// Ends a STAGE_PASS of the timer, where the run asks for stages.
void compaction_stamp(struct run *run, const struct compaction_run *what, const char *name);

struct compact_push
compaction_push(const struct compaction *compaction, const struct compaction_run *what);
