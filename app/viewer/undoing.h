// Undo and redo in the window: which changes of the view are one step, and what a step changes.
#pragma once

#include "app/viewer/state.h"

// The person begins something new: what changes from here on is another step.
void undoing_begin_gesture(struct viewer *viewer);

// The wheel was turned. Turns that follow each other quickly are one step.
void undoing_scroll(struct viewer *viewer);

// Call it after whatever may have changed the view.
void undoing_note(struct viewer *viewer);

// Another volume is shown, or, if `again`, the same one was read again.
void undoing_open(struct viewer *viewer, bool again);

// Goes one step back (-1) or forward (+1).
void undoing_step(struct viewer *viewer, int step);
