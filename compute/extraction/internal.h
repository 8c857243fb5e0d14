// Shared by the files of extraction; not for others.
#pragma once

#include "compute/extraction/extraction.h"

#include <assert.h>

enum step_kernel {
    KERNEL_ARRANGE_BRICKS,
    KERNEL_ARRANGE_CELLS,
    KERNEL_CLASSIFY,
    KERNEL_EDGES,
    KERNEL_VERTICES,
    KERNEL_TRIANGLES,
    KERNEL_FINISH,
    STEP_KERNELS
};

// The slots of `control`: the counters of the lists, and the dispatch arguments. One update resets
// those before CONTROL_ROWS.
enum control {
    CONTROL_COUNTERS,
    CONTROL_HALO = CONTROL_COUNTERS + LISTS, // one lane per CLASSIFY_ROWS halo rows
    CONTROL_CELLS,                           // one lane per TRIANGLES_CELLS cells
    CONTROL_ROWS,                            // one lane per row of the active bricks
    CONTROL_FOURS,                           // one lane per four rows
    CONTROL_SHARED,                          // one workgroup per SHARED_FOURS times four rows
    CONTROL_LISTS_DRAW,                      // draw commands for bricks and cells
    CONTROLS
};

#define ROW_MASKS_BYTES (HALO_ROWS * 8) // per active brick

struct extraction {
    struct gpu *gpu;
    const struct atlas *atlas;
    enum atlas_storage storage; // the atlas's
    struct kernel kernels[STEP_KERNELS];
    struct compaction compaction;
    struct selector selectors[STREAMS];   // of `auto`
    struct selection selections[STREAMS]; // of the last prepare; otherwise its method alone
    bool has_counts;                      // a whole step has been; of it:
    double active_bricks, active_cells;
    struct stopwatch timer;
    struct buffer cases;            // the 256 cases, 8 bytes each
    struct buffer control;          // counters and dispatch arguments
    struct buffer bricks;           // ids of the active bricks
    struct buffer slots;            // per brick: its place in `bricks`, from `classify` on
    struct buffer row_masks;        // inside bits of the active bricks
    struct buffer row_prefixes;     // per brick row: first vertex and crossings
    struct buffer cells;            // ids of the active cells
    struct buffer counts;           // a copy of the counters, for the host
    uint64_t wanted[LISTS];         // what the next prepare makes room for
    const struct surface *prepared; // that has room for the next step
    double iso;                     // of the step recorded last
    const struct method *method;
    bool moving; // that step only moves vertices
    // The last whole step, if nothing has been recorded since.
    struct {
        bool known;
        const struct surface *surface;
        uint64_t serials[3]; // of its vertices, edges and indices
        uint32_t key;
        double iso;
        const struct method *method;
        bool every; // brick in the list
        bool draws; // the step wrote draw commands
        uint32_t vertices;
    } made;
};

// The buffers that an extraction has from the start, those that grow with the surface, and their
// parameters.
enum fixed_buffer {
    FIXED_CASES,
    FIXED_CONTROL,
    FIXED_BRICKS,
    FIXED_SLOTS,
    FIXED_ROW_PREFIXES,
    FIXED_COUNTS,
    FIXED_BUFFERS
};
enum grown_buffer {
    GROWN_ROW_MASKS,
    GROWN_CELLS,
    GROWN_VERTICES,
    GROWN_EDGES,
    GROWN_INDICES,
    GROWN_DRAW,
    GROWN_BUFFERS
};
struct buffer_params extraction_fixed(const struct atlas *atlas, enum fixed_buffer which);
struct buffer_params extraction_grown(const uint64_t capacity[LISTS], enum grown_buffer which);

// The two streams of a step, at most.
void extraction_streams(
    const struct atlas *atlas, const uint64_t capacity[LISTS],
    struct compaction_size sizes[STREAMS]);

// The smaller one of a number and the largest possible length of a list.
uint64_t extraction_bounded(const struct atlas *atlas, uint32_t list, uint64_t wanted);

// A capacity of at least `needed` elements of a list. `wanted` of them, if the limits of the device
// allow that many, but never more than the list's largest possible length.
uint64_t extraction_spare(
    const struct gpu *gpu, const struct atlas *atlas, uint32_t list, uint64_t needed,
    uint64_t wanted);

// The capacity of a list.
uint64_t extraction_capacity(
    const struct extraction *extraction, const struct surface *target, uint32_t list);

// Selects the method for each stream that has a size: the given method, or the one that `auto`
// selects. PROBLEM_UNSUPPORTED if there is none.
bool extraction_pick(
    struct extraction *extraction, const struct method *method,
    const struct compaction_size sizes[STREAMS], const struct method *chosen[STREAMS],
    struct problem *problem);

// Corrects the selectors by the counts and times of a complete step.
void extraction_learn(struct extraction *extraction, const struct extraction_result *result);

struct extraction_choice
extraction_choice_of(const struct extraction *extraction, enum stream stream);
