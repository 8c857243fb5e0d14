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
// the slots before CONTROL_ROWS.
enum control {
    CONTROL_COUNTERS,
    CONTROL_HALO = CONTROL_COUNTERS + LISTS, // one lane per CLASSIFY_ROWS halo rows
    CONTROL_CELLS,                           // one lane per TRIANGLES_CELLS cells
    CONTROL_ROWS,                            // one lane per row of the active bricks
    CONTROL_FOURS,                           // one lane per four rows
    CONTROL_SHARED,                          // one workgroup per 4 * SHARED_FOURS rows
    CONTROL_LISTS_DRAW,                      // draw commands for bricks and cells
    CONTROLS
};

#define ROW_MASKS_BYTES (HALO_ROWS * 8) // per active brick

// The buffers that an extraction has from the start.
enum fixed_buffer {
    FIXED_CASES,        // the 256 cases, 8 bytes each
    FIXED_CONTROL,      // counters and dispatch arguments
    FIXED_BRICKS,       // ids of the active bricks
    FIXED_SLOTS,        // by brick: its index in FIXED_BRICKS if it is active; see `classify`
    FIXED_ROW_PREFIXES, // per brick row: first vertex and crossings
    FIXED_COUNTS,       // a copy of the counters, for the host
    FIXED_BUFFERS
};

// The buffers that grow with the surface.
enum grown_buffer {
    GROWN_ROW_MASKS,
    GROWN_CELLS,
    GROWN_VERTICES,
    GROWN_EDGES,
    GROWN_INDICES,
    GROWN_DRAW,
    GROWN_BUFFERS
};

struct extraction {
    struct gpu *gpu;
    const struct atlas *atlas;
    enum atlas_storage storage; // storage of the atlas
    struct kernel kernels[STEP_KERNELS];
    struct compaction compaction;
    struct selector selectors[STREAMS];   // of `auto`
    struct selection selections[STREAMS]; // of the last prepare; without `auto` only `method`
    bool has_counts;                      // a whole step has set the next two members
    double active_bricks, active_cells;
    struct stopwatch timer;
    struct buffer fixed[FIXED_BUFFERS];
    struct buffer row_masks;        // inside bits of the active bricks
    struct buffer cells;            // ids of the active cells
    uint64_t wanted[LISTS];         // capacities for the next prepare
    const struct surface *prepared; // the target prepared for the next step
    struct extraction_step step;    // the step recorded last
    bool moving;                    // that step only moves vertices
    // The last whole step, if nothing has been recorded since.
    struct {
        bool known;
        const struct surface *surface;
        uint64_t serials[3]; // of the buffers of vertices, edges and indices
        uint32_t key;
        bool draws; // the step wrote draw commands
        uint32_t vertices;
    } made;
};

// Parameters of the fixed and the growing buffers.
void extraction_fixed(const struct atlas *atlas, struct buffer_params out[FIXED_BUFFERS]);
void extraction_grown(const uint64_t capacity[LISTS], struct buffer_params out[GROWN_BUFFERS]);

// The largest sizes of the two streams of a step.
void extraction_streams(
    const struct atlas *atlas, const uint64_t capacity[LISTS],
    struct compaction_size sizes[STREAMS]);

// The smaller one of `wanted` and the largest possible length of a list.
uint64_t extraction_bounded(const struct atlas *atlas, uint32_t list, uint64_t wanted);

// A capacity for a list: `wanted` elements, or fewer if the limits of the device demand it, but at
// least `needed`. Never more than the list's largest possible length.
uint64_t extraction_spare(
    const struct gpu *gpu, const struct atlas *atlas, uint32_t list, uint64_t needed,
    uint64_t wanted);

// The current capacity of a list.
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
