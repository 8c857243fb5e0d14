// Measures all methods in turns at the isovalue of the view, between frames, and keeps the table.
#pragma once

#include "app/viewer/state.h"

void comparing_begin(struct viewer *viewer);
void comparing_cancel(struct viewer *viewer); // the person no longer wants it
void comparing_drop(struct viewer *viewer);   // the volume is closed; nothing is said

// Makes steps for a slice of time. Nothing may be in flight. False: the problem must end the
// viewer.
bool comparing_go_on(struct viewer *viewer, struct problem *problem);

// 0 to 1.
double comparing_share(const struct comparing *comparing);

// Copies the table as CSV.
void comparing_copy(struct viewer *viewer);
