// --trace: writes one line of JSON per frame and flushes it, for tests and for people who measure.
#pragma once

#include "app/viewer/window/window.h"
#include "app/viewer/work/cast_times.h"
#include "compute/extraction/parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct trace {
    FILE *file; // NULL: no trace
    const char *path;
    bool begun; // the file's old content has been removed
};

struct trace_line {
    uint64_t frame;                // counted from 1
    double time;                   // clock_ms() when the frame was complete
    double iso;                    // of the shown surface, drawn as triangles or by rays
    const char *draw;              // "triangles" or "rays"
    const struct cast_times *cast; // of the rays that the frame shows; NULL: triangles
    bool casts;                    // the frame casts rays
    bool extracted;                // the frame makes a surface
    double mesh_iso;               // of the mesh that the counts below describe
    double asked;                  // the view's isovalue when the frame was complete
    bool draft;                    // the picture is a draft
    const char *method;
    uint64_t bricks;        // of the volume, or of all extracted parts if these have more
    uint64_t active_bricks; // bricks whose cells were looked at
    uint64_t active_cells, vertices, triangles;
    bool whole; // false: a capacity was exceeded, and the frame shows the old surface
    uint32_t width, height;
    double method_ms;      // time of the method's compaction, as in the panel; 0: unknown
    double cpu_ms, gpu_ms; // the trace rounds them to microseconds
    uint64_t device_bytes; // the most device memory in use so far
    const struct extract_totals *parts; // NULL: the whole volume is on the device
    struct window_counts events;        // events that were handled before this frame
};

// `path` NULL: no trace. An existing file stays unchanged until a line is written, or until
// trace_close is called with a problem. PROBLEM_OUTPUT.
bool trace_open(const char *path, struct trace *out, struct problem *problem);
bool trace_write(struct trace *trace, const struct trace_line *line, struct problem *problem);
bool trace_close(struct trace *trace, struct problem *problem); // `problem`: NULL after a failure
