// Undo and redo: the last views that the person had, and which of them is the present one. Changes
// of one gesture, such as a drag, are one step.
#pragma once

#include "app/settings/view.h"

#define UNDO_STEPS 200

// Zero-initialised: nothing is known yet, and nothing is noted until undo_begin.
struct undo {
    struct view ring[UNDO_STEPS + 1];
    uint32_t first;   // the oldest view's place in the ring
    uint32_t count;   // of views
    uint32_t present; // which of them the person sees, counted from the oldest
    uint64_t made;    // the gesture that made the present view; 0: the next change is a new step
    uint64_t gesture; // counts what the person does
    double scrolled;  // when the wheel was turned last, if nothing else was done since; 0: not
};

// The person begins something new: what changes from here on is another step.
void undo_begin_gesture(struct undo *undo);

// The wheel was turned, at `now` in seconds. Turns that follow each other quickly are one step.
void undo_scroll(struct undo *undo, double now);

// Forgets all steps and starts with this view, because another volume was opened.
void undo_begin(struct undo *undo, const struct view *view);

// The present view has changed by itself: there is no step to it.
void undo_amend(struct undo *undo, const struct view *view);

// Call it whenever the view may have changed: all changes of one gesture are one step. A new step
// drops what could be redone.
void undo_note(struct undo *undo, const struct view *view);

// Goes back (-1) or forward (+1), and sets the view. False: there is nothing there.
bool undo_step(struct undo *undo, int step, struct view *view);
