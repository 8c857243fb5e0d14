// The times that `auto` uses, in the window. They are read from the cache when the method is first
// selected. If there are none, they are measured in short slices while the window is idle. Any
// input pauses the measurement; another method or volume ends it.
#pragma once

#include "compute/compaction/calibrate.h"

struct auto_times {
    struct gpu *gpu;
    struct times times;
    bool asked, has_times;
    struct calibration *calibration; // NULL: nothing is being measured
    bool failed;
    double shown; // when the progress was last shown, in window_time
};

// Call it first; do not move `times` after it. The device's budget may drop the measurement.
void auto_times_offer(struct auto_times *times, struct gpu *gpu);

// Returns the times; the first call reads the cache. NULL: there are none yet. Call it before a
// step of a method that selects, and pass the result to document_use_times.
const struct times *auto_times_load(struct auto_times *times);

// Measures one slice. No frame may be in flight. False: the problem must end the viewer. Any other
// problem only sets `failed`.
bool auto_times_next(struct auto_times *times, struct problem *problem);
void auto_times_drop(struct auto_times *times);
