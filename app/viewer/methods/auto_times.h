// The times that `auto` uses, in the window. They are read from the cache when the method is first
// selected. If there are none, they are measured in short slices while the window is idle. Any
// input pauses the measurement; another method or volume ends it.
#pragma once

#include "app/viewer/state.h"

void auto_times_apply_times(struct viewer *viewer); // before a step
// The same whatever the method is.
void auto_times_load_times(struct viewer *viewer);

// Measures one slice. No frame may be in flight. False: the problem must end the viewer.
bool auto_times_go_on(struct viewer *viewer, struct problem *problem);
void auto_times_drop(struct viewer *viewer);
void auto_times_offer(struct viewer *viewer); // lets the budget drop the measurement
