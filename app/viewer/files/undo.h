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
    uint64_t gesture; // that made the present view; 0: none that may still change it
};

// Forgets all: another volume has this view.
void undo_begin(struct undo *undo, const struct view *view);

// The present view has changed by itself: there is no step to it.
void undo_amend(struct undo *undo, const struct view *view);

// Call it whenever the view may have changed. `gesture` is the number of what the person did, above
// 0: all changes with the same number are one step. A new step drops what could be redone.
void undo_note(struct undo *undo, const struct view *view, uint64_t gesture);

// Goes back (-1) or forward (+1), and sets the view. False: there is nothing there.
bool undo_step(struct undo *undo, int step, struct view *view);
