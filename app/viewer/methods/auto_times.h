// The times that `auto` uses, in the window. They are read from the cache when the method is first
// selected. If there are none, they are measured in short slices while the window is idle. Any
// input pauses the measurement; another method or volume ends it.
#pragma once

#include "compute/compaction/calibrate.h"

struct extraction;

struct auto_times {
    struct gpu *gpu;
    struct times times;
    bool asked, has_times;
    struct calibration *calibration; // NULL: nothing is being measured
    bool failed;
    double shown; // when its progress was last shown, in window_time
};

// For this device, whose budget may drop the measurement. Call it first, and do not move `times`.
void auto_times_offer(struct auto_times *times, struct gpu *gpu);

// Call it before a step of a method that selects. Gives the extraction the times, once: then
// *given. An extraction that is NULL gets them with its parts.
void auto_times_apply(struct auto_times *times, struct extraction *extraction, bool *given);

// Measures one slice. No frame may be in flight. False: the problem must end the viewer; another
// problem is noted in `failed`.
bool auto_times_next(struct auto_times *times, struct problem *problem);
void auto_times_drop(struct auto_times *times);
