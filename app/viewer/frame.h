// One frame in flight: the frame before is waited for and its counts are collected, then the next
// one is recorded with the newest isovalue. Nothing is ever queued.
//
// Two surfaces take turns. A step makes the hidden one; the picture draws the hidden one's own mesh
// and the shown one's fallback, of which the device leaves exactly one standing: the new surface
// where it is whole, the old one where a capacity was exceeded. Only after the fence does the host
// learn which it was: it swaps the two, or makes room and does the step again.
#pragma once

#include "app/viewer/state.h"

bool frame_create(struct viewer *viewer, struct problem *problem);
void frame_destroy(struct viewer *viewer);

// Waits for the frame in flight, if there is one, and takes in what it came to.
bool frame_finish(struct viewer *viewer, struct problem *problem);

// An image to draw on, of the window's size, and the picture fit to it; *ready is false while there
// is none. Nothing may be in flight.
bool frame_acquire(struct viewer *viewer, bool *ready, struct problem *problem);

// Begins a surface where one is due, draws the picture where that is due, and the panel as it was
// laid out last, and shows it all.
bool frame_draw(struct viewer *viewer, struct problem *problem);
