// A made-up stream of cells to time methods on: rows of 32 cells as an extraction would have them,
// without a volume. A quarter of the bricks of its grid are active, each at random.
#pragma once

#include "compute/compaction/compaction.h"

struct cell_stream {
    struct gpu *gpu;
    uint32_t most, lanes; // lanes at most; lanes of the stream that was filled in last
    uint32_t capacity;    // of the list, in cells: as many as there is memory for, or set to fewer
    struct bindings bindings;
    struct compaction compaction;
    struct stopwatch timer;
    struct buffer bricks;           // ids of the active bricks
    struct buffer row_masks;        // their inside bits, HALO_ROWS each
    struct buffer counters;         // LISTS list_counters
    struct buffer arguments;        // indirect: of the lanes
    struct buffer list;             // the kept cells
    struct buffer counter_readback; // their head, for the host
};

// `most`: a multiple of 1024. PROBLEM_DEVICE_MEMORY where there is no room. On false `out` is
// empty.
bool cell_stream_create(
    struct gpu *gpu, uint32_t most, struct cell_stream *out, struct problem *problem);
void cell_stream_destroy(struct cell_stream *cells);

// Makes a stream of so many lanes, a multiple of 1024, and uploads it. `density` is the share of
// its cells that are active, up to 0.9 or so: at random, or `in_runs` of whole rows.
bool cell_stream_fill(
    struct cell_stream *cells, uint32_t lanes, double density, bool in_runs,
    struct problem *problem);

// Compacts it. `kept` and `ms` (0 where the device has no timestamps) may not be NULL.
bool cell_stream_run(
    struct cell_stream *cells, const struct method *method, uint32_t *kept, double *ms,
    struct problem *problem);
