// Stream compaction: makes a list of the elements of a stream that a predicate keeps.
//
// A method (method.h) knows nothing of volumes. shaders/lib/stream.glsl says what the elements of
// each stream are and which are kept; every kernel is built once per stream with it.
#pragma once

#include "compute/compaction/method.h"
#include "compute/gpu/run.h"
#include "shaders/shared/compaction.h"

#define BLOCK_DEFAULT 256

// Sets the specialization constants that follow from the device's traits: the work per lane, and
// how prefix sums are computed. Every kernel of compaction and extraction gets them.
void compaction_constants(const struct gpu *gpu, uint32_t constants[CONSTANTS]);

struct compaction_params {
    const uint32_t *constants; // CONSTANTS values, which the predicates of the streams need
    uint32_t block;            // elements per block, for methods that work in blocks; 0: 256
    uint32_t subgroup_size;    // a size that the device offers; 0: the device decides
};

// A compaction is counted if constants[CONSTANT_COUNTED] is 1: only the device knows how many words
// its stream has. Methods that remove cannot compact such a stream, because the host must know the
// length of the list that they begin with.

// Kernels of the methods used so far, and the scratch buffers that they share.
struct compaction {
    struct gpu *gpu;
    uint32_t constants[CONSTANTS];
    uint32_t block, subgroup_size;
    struct kernel *kernels; // [method][stream][pass][each][in place], created at first use
    struct kernel *arrange; // the last one of `kernels`
    struct compaction_size size[STREAMS];
    uint32_t each[STREAMS]; // lanes of the stream per lane of a kernel; 0: not prepared
    struct buffer masks, blocks, levels;
    struct buffer arguments;       // dispatch arguments of a method's own passes
    struct buffer events;          // one struct compaction_events per stream, a slot each
    struct buffer events_readback; // a copy for the host
    void *states[METHODS_MOST];    // by row; a shared state is at the first of its rows
};

// PROBLEM_DEVICE_MEMORY when device memory is short, PROBLEM_UNSUPPORTED for a subgroup size that
// the device does not offer. On false `out` is empty.
bool compaction_create(
    struct gpu *gpu, const struct compaction_params *params, struct compaction *out,
    struct problem *problem);
// Whether kernels with workgroups of GROUP lanes may request this subgroup size. Size 0, the
// device's own choice, is always allowed. Otherwise PROBLEM_UNSUPPORTED, which names the sizes that
// the device offers.
bool compaction_offers(const struct gpu *gpu, uint32_t size, struct problem *problem);

void compaction_destroy(struct compaction *compaction);
void compaction_strip(struct compaction *compaction); // frees all scratch, until the next prepare

// Creates what the method needs for streams of these sizes: kernels and scratch. On false
// everything is as it was.
bool compaction_prepare(
    struct compaction *compaction, const struct method *method,
    const struct compaction_size size[STREAMS], struct problem *problem);

// compaction_prepare with one method per stream. No method may be one that selects (`auto`).
bool compaction_prepare_each(
    struct compaction *compaction, const struct method *const methods[STREAMS],
    const struct compaction_size size[STREAMS], struct problem *problem);

// Whether kernels of the method exist for this stream.
bool compaction_has_kernels(
    const struct compaction *compaction, const struct method *method, enum stream stream);

// One compaction.
struct compaction_run {
    const struct method *method;
    enum stream stream;
    // The bindings that the kernels access. Always LIST and COUNTER (a list_counter with count 0
    // and its capacity). Bricks: RANGES. Cells: BRICKS, BRICKS_COUNTER, ROW_MASKS, VALID_MASKS.
    // Words: WORDS (in place: the list), and WORDS_COUNTER if they are counted. Streams that do
    // work: see shaders/lib/working.glsl; their words are counted. Methods that write arguments:
    // HALO_ARGUMENTS for bricks, CELLS_ARGUMENTS for cells; at first 0, 1, 1. Methods that remove
    // words: REMOVALS, the positions to remove, each once, and REMOVALS_COUNTER; without them, all
    // words that are not kept are removed. compaction_record adds the scratch.
    const struct binding *table;
    uint32_t capacity; // capacity of the list
    uint32_t key;
    const void *own; // own struct of a stream that does work (shaders/lib/stream.glsl)
    // Dispatch arguments of PASS_LANES; NULL: all prepared lanes. Counted words need them.
    const struct buffer *lane_arguments;
    uint64_t lane_arguments_offset;
    // In the same buffer, for cells: arguments of PASS_ITEMS, and for one lane per four rows.
    uint64_t shared_arguments_offset, four_arguments_offset;
    // For tests: every `drop`-th workgroup publishes nothing; 0: all publish.
    uint32_t drop;
    // Passes before this one are left out: the caller has computed their results. Methods that
    // record their passes themselves ignore it.
    uint32_t first_pass;
    bool every;  // brick stream: keeps all bricks
    bool stages; // ends a stage of the run's timer after every pass
};

// Records the passes that write `list` and the counter. Later passes of the run may use both. The
// method must have been prepared.
//
// A method that removes starts from the list as its last run left it, under three conditions: that
// run was the stream's last one, the list is the same buffer, and compaction_finished has confirmed
// that it is complete. Otherwise it makes the list anew, with the same result. If the elements that
// join the list exceed the capacity, the count says how many elements the list would need, and
// nothing is removed. A list of words is its own source and can hold all words, so `capacity` is
// ignored.
void compaction_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);

// Bytes of device memory of a compaction that is prepared for `method` and these streams, with
// blocks of the default size. `auto`: enough for each method that it may select. NULL: for each
// method, except those of method_tiles.
uint64_t compaction_bytes(
    const struct gpu *gpu, const struct method *method, const struct compaction_size size[STREAMS]);

// Call when the streams have changed: methods may not reuse their lists.
void compaction_forget(const struct compaction *compaction);

// Call when the recorded passes have run. `whole` is false if some list was too short: then methods
// may not reuse the lists.
void compaction_finished(const struct compaction *compaction, bool whole);

// The events of the last run of a stream, by a method that has events. The run must have finished.
struct compaction_events
compaction_read_events(const struct compaction *compaction, enum stream stream);

// For methods that record their passes themselves.

// The state that the functions of method->state keep.
void *compaction_state(const struct compaction *compaction, const struct method *method);

// The push struct of kernels without own parameters. It is the first member of all other ones.
struct compact_push
compaction_push(const struct compaction *compaction, const struct compaction_run *what);

// The kernel of a pass.
struct kernel *compaction_kernel(
    const struct compaction *compaction, const struct compaction_run *what, uint32_t pass);

// Dispatches a pass over the lanes of the stream, and stamps it.
void compaction_dispatch_lanes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const void *push);

// Records all passes in turn, each dispatched as its shape says and stamped, with the same push
// struct.
void compaction_record_passes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const void *push);

// Writes dispatch arguments to compaction->arguments, for `lanes` / `each` lanes per element of the
// stream's source, which is a list of bricks or of words.
void compaction_arrange(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t lanes, uint32_t each);

// Ends a STAGE_PASS of the timer, if the run asks for stages.
void compaction_stamp(struct run *run, const struct compaction_run *what, const char *name);
