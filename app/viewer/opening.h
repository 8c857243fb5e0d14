// Volumes coming and going.
#pragma once

#include "app/viewer/state.h"

// Starts on a file (NULL: the generated volume), in place of one that is on its way.
bool opening_start(struct viewer *viewer, const char *path, struct problem *problem);
void opening_cancel(struct viewer *viewer);

// Starts on the file `step` away in the folder of the last one that was tried.
void opening_step(struct viewer *viewer, int step);

// Takes what has been read, once it has, and begins to bring it to the device. False: the problem
// must end the viewer.
bool opening_take(struct viewer *viewer, struct problem *problem);

// Brings it there for a moment; shows it once it is there. The same.
bool opening_go_on(struct viewer *viewer, struct problem *problem);

void opening_end(struct viewer *viewer); // gives up what is on its way
