// The times that `auto` goes by, in the window: read from the cache when the method is first
// wanted; where there are none, measured in slices while nobody wants anything. Any input makes it
// pause, another method or volume ends it.
#pragma once

#include "app/viewer/state.h"

void calibrating_apply_times(struct viewer *viewer); // before a step

// Does a slice, with no frame in flight. False: the problem must end the viewer.
bool calibrating_go_on(struct viewer *viewer, struct problem *problem);
void calibrating_drop(struct viewer *viewer);
void calibrating_offer(struct viewer *viewer); // to drop what is measured, where memory is short
