// Stream compaction: makes the list of the kept elements of a stream by a predicate.
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

// A compaction is counted if constants[CONSTANT_COUNTED] is 1: then only the device knows how many
// words its stream of words has. No method that removes can compact these, since it begins with a
// list whose length the host knows.

// Kernels of the methods used so far, and the scratch buffers that they share.
struct compaction {
    struct gpu *gpu;
    uint32_t constants[CONSTANTS];
    uint32_t block, subgroup_size;
    struct kernel *kernels; // [method][stream][pass][each][in place], created at first use
    struct kernel *arrange; // behind them
    struct compaction_size size[STREAMS];
    uint32_t
        each[STREAMS]; // lanes of the stream per lane of a kernel, by its size; 0: not prepared
    struct buffer masks, blocks, levels;
    struct buffer arguments;       // dispatch arguments of a method's own passes
    struct buffer events;          // one struct compaction_events per stream, a slot each
    struct buffer events_readback; // a copy for the host
    void *states[METHODS_MOST];    // at the number of the first row that has the state
};

// PROBLEM_DEVICE_MEMORY when device memory is short, PROBLEM_UNSUPPORTED for a subgroup size that
// the device does not offer. On false `out` is empty.
bool compaction_create(
    struct gpu *gpu, const struct compaction_params *params, struct compaction *out,
    struct problem *problem);
// Whether kernels with workgroups of GROUP lanes may request this size. Size 0, the device's own
// choice, is always allowed. PROBLEM_UNSUPPORTED, which names the sizes that the device offers, if
// not.
bool compaction_offers(const struct gpu *gpu, uint32_t size, struct problem *problem);

void compaction_destroy(struct compaction *compaction);
void compaction_strip(struct compaction *compaction); // frees all scratch, until the next prepare

// Creates what the method needs for streams of these sizes: kernels and scratch. On false
// everything is as it was.
bool compaction_prepare(
    struct compaction *compaction, const struct method *method,
    const struct compaction_size size[STREAMS], struct problem *problem);

// The same with one method per stream. None of them may be one that selects.
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
    // What the kernels access: LIST and COUNTER (a list_counter with count 0 and its capacity), and
    // the source. Bricks: RANGES. Cells: BRICKS, BRICKS_COUNTER, ROW_MASKS, VALID_MASKS. Words:
    // WORDS, the list itself in place; if they are counted, WORDS_COUNTER, too. Streams that do
    // work have what shaders/lib/working.glsl says; their words are counted. Bricks, and a method
    // that writes them: HALO_ARGUMENTS, 0, 1, 1 at first; cells CELLS_ARGUMENTS. Words, and a
    // method that removes: REMOVALS, the positions to remove, each once, and REMOVALS_COUNTER;
    // without them, all words that are not kept are removed. Scratch is added.
    const struct binding *table;
    uint32_t capacity; // of the list
    uint32_t key;
    const void *own; // of a stream that does work: its struct (shaders/lib/stream.glsl)
    // Dispatch arguments of PASS_LANES; NULL: all lanes of the size. Counted words need them.
    const struct buffer *lane_arguments;
    uint64_t lane_arguments_offset;
    // Those of PASS_ITEMS in the cell stream, and those for a lane per four rows, in the same
    // buffer.
    uint64_t shared_arguments_offset, four_arguments_offset;
    // For tests: every so many-th workgroup publishes nothing; 0: all publish.
    uint32_t drop;
    bool every;  // brick stream: keeps all bricks
    bool stages; // ends a stage of the run's timer after every pass
};

// Records the passes that write `list` and the counter. Later passes of the run may use both. The
// method must have been prepared.
//
// A method that removes starts from the list as its last run left it, under three conditions: that
// run was the stream's last one, the list is the same buffer, and compaction_finished has
// confirmed that it is complete. Otherwise it makes the list anew, with the same result. If the
// elements that join the list exceed the capacity, the count says how many elements the list would
// need, and nothing is removed. A list of words is its own source and has room for all of them:
// `capacity` is ignored.
void compaction_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);

// Device memory of a compaction that is prepared for one method and these streams, with blocks of
// the default size. `auto`: for any method that it may select. NULL: for any method.
uint64_t compaction_bytes(
    const struct gpu *gpu, const struct method *method, const struct compaction_size size[STREAMS]);

// The streams change from now on: methods may not reuse their lists.
void compaction_forget(const struct compaction *compaction);

// The recorded passes have run. `whole` is false if some list was too short: methods may not reuse
// the lists then.
void compaction_finished(const struct compaction *compaction, bool whole);

// The events of the last run of a stream, by a method that has events. The run must have finished.
struct compaction_events
compaction_read_events(const struct compaction *compaction, enum stream stream);

// For methods that record their passes themselves.

// The state that the functions of method->state keep.
void *compaction_state(const struct compaction *compaction, const struct method *method);

// The push struct of a kernel without parameters of its own; the first member of all others.
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

// Writes compaction->arguments: for the length of the stream's source, a list of bricks or of
// words, times `lanes` divided by `each` lanes.
void compaction_arrange(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t lanes, uint32_t each);

// Ends a STAGE_PASS of the timer, if the run asks for stages.
void compaction_stamp(struct run *run, const struct compaction_run *what, const char *name);
