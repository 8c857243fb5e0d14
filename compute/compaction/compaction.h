// Stream compaction: from a stream of elements and a predicate to the list of the kept ones.
//
// A method (method.h) knows no volumes: what a stream's elements are, and which are kept, is said
// by shaders/lib/stream.glsl, for which every kernel is built once per stream.
#pragma once

#include "compute/bindings.h"
#include "compute/compaction/method.h"
#include "compute/gpu/run.h"
#include "shaders/shared/compaction.h"

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
    struct buffer arguments;       // indirect groups of a method's own passes
    struct buffer events;          // struct compaction_events per stream
    struct buffer events_readback; // the same, for the host
    void *states[METHODS_MOST];    // by the first row that has the state
};

// PROBLEM_DEVICE_MEMORY where there is no room, PROBLEM_UNSUPPORTED for a subgroup size that the
// device does not offer. On false `out` is empty.
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
bool compaction_has_kernels(
    const struct compaction *compaction, const struct method *method, enum stream stream);

// Points the set's bindings at the scratch, after each compaction_prepare.
bool compaction_bind(
    const struct compaction *compaction, struct bindings *bindings, struct problem *problem);

// One compaction. Addresses as in struct compact_push.
struct compaction_run {
    const struct method *method;
    enum stream stream;
    VkDeviceAddress source, source_counter, row_masks, valid_masks;
    uint32_t key;
    const struct buffer *lane_arguments; // indirect groups of PASS_LANES; NULL: all of size.lanes
    uint64_t lane_arguments_offset;
    uint64_t item_arguments_offset; // in the same buffer, those of PASS_ITEMS
    VkDeviceAddress counter;        // a list_counter: count 0, capacity set
    VkDeviceAddress list;
    VkDeviceAddress
        classify_arguments; // brick stream, for a method that arranges: indirect groups, 0 at first
    // Words and a method that removes: the positions to remove, each once, and their list_counter;
    // 0: those of all words that are not kept.
    VkDeviceAddress removals, removals_counter;
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

// The streams are others from now on: no list of theirs lives on.
void compaction_forget(const struct compaction *compaction);

// What has been recorded has run. Not whole, because some list was too short: no list lives on.
void compaction_finished(const struct compaction *compaction, bool whole);

// What the last run of a stream by a method that tells had to tell, after it has finished.
struct compaction_events
compaction_read_events(const struct compaction *compaction, enum stream stream);

// For what methods record by themselves.

// What the functions of method->state keep.
void *compaction_state(const struct compaction *compaction, const struct method *method);

// The push struct of a kernel that has no parameters of its own; of all others the first member.
struct compact_push
compaction_push(const struct compaction *compaction, const struct compaction_run *what);

// The kernel of a pass.
const struct kernel *compaction_kernel(
    const struct compaction *compaction, const struct compaction_run *what, uint32_t pass);

// Dispatches a pass over the lanes of the stream, and stamps it.
void compaction_dispatch_lanes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const void *push);

// All passes in turn, each as its shape says, stamped, and with the same push struct.
void compaction_record_passes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const void *push);

// Ends a STAGE_PASS of the timer, where the run asks for stages.
void compaction_stamp(struct run *run, const struct compaction_run *what, const char *name);
