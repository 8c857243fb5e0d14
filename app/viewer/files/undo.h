// Undo and redo: the last views that the person had, and which of them is the present one. Changes
// of one gesture, such as a drag, are one step.
#pragma once

#include "app/settings/view.h"

#define UNDO_STEPS 200

// Zero-initialised: there is no view, and undo_note does nothing until undo_begin.
struct undo {
    struct view ring[UNDO_STEPS + 1];
    uint32_t first;   // index of the oldest view in the ring
    uint32_t count;   // number of views
    uint32_t present; // number of the view that the person sees; 0: the oldest view
    uint64_t made;    // the gesture that made the present view; 0: the next change is a new step
    uint64_t gesture; // number of the latest gesture
    double scrolled;  // when the wheel was turned last; 0: another gesture has begun since
};

// Begins a new gesture: changes from here on are another step.
void undo_begin_gesture(struct undo *undo);

// The wheel was turned, at `now` in seconds. Turns that follow each other quickly are one step.
void undo_scroll(struct undo *undo, double now);

// Forgets all steps and starts with this view, because another volume was opened.
void undo_begin(struct undo *undo, const struct view *view);

// Replaces the present view, which has changed by itself, without a new step.
void undo_amend(struct undo *undo, const struct view *view);

// Call it whenever the view may have changed: all changes of one gesture are one step. A new step
// drops what could be redone.
void undo_note(struct undo *undo, const struct view *view);

// Goes one step back (-1) or forward (+1), and sets the view. False: there is no such step.
bool undo_step(struct undo *undo, int step, struct view *view);
