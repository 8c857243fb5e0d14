// --trace: one line of JSON per frame, flushed, for tests and for people who measure.
#pragma once

#include "app/viewer/window.h"
#include "compute/extraction/parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct trace {
    FILE *file; // NULL: no trace is wanted
    const char *path;
    bool begun; // what was there before is gone
};

struct trace_line {
    uint64_t frame; // counted from 1
    double iso;
    const char *method;
    uint64_t bricks,
        active_bricks; // of the volume, or of all parts made where they are more; visited
    uint64_t active_cells, vertices, triangles;
    bool whole; // false: a capacity was exceeded, the frame shows the surface before
    uint32_t width, height;
    double method_ms;      // that the method's compaction takes, as the panel has it; 0: not known
    double cpu_ms, gpu_ms; // written to the microsecond
    uint64_t device_bytes; // most that was held on the device so far
    const struct extract_totals *parts; // NULL: the volume is on the device at once
    struct window_counts events;        // that were acted on before this frame
};

// `path` NULL: none. An older file stays as it is until a line is written, or until the trace is
// closed with a problem to fill. PROBLEM_OUTPUT.
bool trace_open(const char *path, struct trace *out, struct problem *problem);
bool trace_write(struct trace *trace, const struct trace_line *line, struct problem *problem);
bool trace_close(struct trace *trace, struct problem *problem); // `problem`: NULL after a failure
