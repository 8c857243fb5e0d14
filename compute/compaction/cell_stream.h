// A synthetic stream of cells to time methods on: row masks as an extraction would have them,
// without a volume. A quarter of the bricks of its grid are active, selected at random.
#pragma once

#include "compute/compaction/compaction.h"

struct cell_stream {
    struct gpu *gpu;
    uint32_t most, lanes; // lanes at most; lanes of the last stream
    uint32_t capacity;    // of the list, in cells; tests may set it lower
    struct compaction compaction;
    struct stopwatch timer;
    struct buffer bricks;           // ids of the active bricks
    struct buffer row_masks;        // row masks of the active bricks, HALO_ROWS each
    struct buffer control;          // counters and dispatch arguments, a slot each
    struct buffer list;             // the kept cells
    struct buffer counter_readback; // a copy of the list's counter, for the host
};

// `most` is a multiple of 1024. PROBLEM_DEVICE_MEMORY when device memory is short. On false `out`
// is empty.
bool cell_stream_create(
    struct gpu *gpu, uint32_t most, struct cell_stream *out, struct problem *problem);
void cell_stream_destroy(struct cell_stream *cells);

// Makes and uploads a stream of so many lanes, a multiple of 1024. `density` is the share of its
// cells that are active, up to about 0.9. `in_runs`: the cells of a row are all active or all
// inactive; otherwise single cells are active.
bool cell_stream_fill(
    struct cell_stream *cells, uint32_t lanes, double density, bool in_runs,
    struct problem *problem);

// A pseudo-random number that depends only on `i`.
uint32_t cell_stream_hash(uint32_t i);

// Compacts the stream. `kept` and `ms` may not be NULL; *ms is 0 if the device has no timestamps.
bool cell_stream_run(
    struct cell_stream *cells, const struct method *method, uint32_t *kept, double *ms,
    struct problem *problem);
