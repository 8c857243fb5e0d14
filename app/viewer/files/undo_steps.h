// Undo and redo in the window: which changes of the view are one step, and what a step changes.
#pragma once

#include "app/viewer/state.h"

// The person begins something new: what changes from here on is another step.
void undo_steps_begin_gesture(struct viewer *viewer);

// The wheel was turned. Turns that follow each other quickly are one step.
void undo_steps_scroll(struct viewer *viewer);

// Call it after whatever may have changed the view.
void undo_steps_note(struct viewer *viewer);

// Another volume is shown, or, if `again`, the same one was read again.
void undo_steps_open(struct viewer *viewer, bool again);

// Goes one step back (-1) or forward (+1).
void undo_steps_step(struct viewer *viewer, int step);
