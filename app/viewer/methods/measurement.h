// Measures all methods in turns at the isovalue of the view, between frames, and keeps the table.
#pragma once

#include "app/viewer/state.h"

void measurement_begin(struct viewer *viewer);
void measurement_cancel(struct viewer *viewer); // the person no longer wants it
void measurement_drop(struct viewer *viewer);   // the volume is closed; nothing is said

// Makes steps for a slice of time. Nothing may be in flight. False: the problem must end the
// viewer.
bool measurement_go_on(struct viewer *viewer, struct problem *problem);

// 0 to 1.
double measurement_share(const struct measurement *comparing);

// Copies the table as CSV.
void measurement_copy(struct viewer *viewer);
