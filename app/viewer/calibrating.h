// The times that `auto` uses, in the window. They are read from the cache when the method is first
// selected. If there are none, they are measured in short slices while the window is idle. Any
// input pauses the measurement; another method or volume ends it.
#pragma once

#include "app/viewer/state.h"

void calibrating_apply_times(struct viewer *viewer); // before a step
// The same whatever the method is.
void calibrating_load_times(struct viewer *viewer);

// Measures one slice. No frame may be in flight. False: the problem must end the viewer.
bool calibrating_go_on(struct viewer *viewer, struct problem *problem);
void calibrating_drop(struct viewer *viewer);
void calibrating_offer(struct viewer *viewer); // lets the budget drop the measurement
