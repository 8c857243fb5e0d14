// Only one frame is in flight. The frame before is waited for and its counts are collected. Then
// the next frame is recorded with the newest isovalue. Nothing is queued.
//
// Two surfaces take turns. A step makes the hidden surface. The picture draws the hidden surface's
// own mesh and the shown surface's fallback. The device leaves exactly one of the two draws
// non-empty: the new surface if it is complete, the old one if a capacity was exceeded. Only after
// the fence the host learns which one was drawn. Then it swaps the two, or grows the buffers and
// repeats the step.
#pragma once

#include "app/viewer/state.h"

// Creates the frame and `timer`; frame_destroy destroys both.
bool frame_create(
    struct gpu *gpu, struct frame *frame, struct stopwatch *timer, struct problem *problem);
void frame_destroy(struct gpu *gpu, struct frame *frame, struct stopwatch *timer);

// Waits for the frame in flight, if any, and collects its results.
bool frame_finish(struct viewer *viewer, struct problem *problem);

// Creates what draws into the window's images again if the images have a new format. A lost surface
// of the window may come back with another format. No frame may be in flight.
bool frame_fit_format(struct gpu *gpu, struct screen *screen, struct problem *problem);

// Acquires an image of the window's size and fits the picture to it. *ready is false if there is no
// image now. No frame may be in flight.
bool frame_acquire(struct viewer *viewer, bool *ready, struct problem *problem);

// Begins a surface if one is due. Draws the picture if it is due, and the panel as it was last laid
// out. Presents the result.
bool frame_draw(struct viewer *viewer, struct problem *problem);
