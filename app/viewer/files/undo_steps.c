#include "app/viewer/files/undo_steps.h"

static const double PAUSE = 0.7; // seconds without the wheel that end a step

void undo_steps_begin_gesture(struct viewer *viewer)
{
    viewer->hand.gesture++;
    viewer->hand.scrolled = 0;
}

void undo_steps_scroll(struct viewer *viewer)
{
    const double now = window_time();
    if (viewer->hand.scrolled == 0 || now - viewer->hand.scrolled > PAUSE) {
        viewer->hand.gesture++;
    }
    viewer->hand.scrolled = now;
}

void undo_steps_note(struct viewer *viewer)
{
    undo_note(&viewer->undo, &viewer->settings.view, viewer->hand.gesture);
}

void undo_steps_open(struct viewer *viewer, bool again)
{
    if (again && viewer->undo.count > 0) {
        undo_amend(&viewer->undo, &viewer->settings.view);
    } else {
        undo_begin(&viewer->undo, &viewer->settings.view);
    }
    undo_steps_begin_gesture(viewer);
}

void undo_steps_step(struct viewer *viewer, int step)
{
    struct view *view = &viewer->settings.view;
    const struct method *method = view->method;
    if (!undo_step(&viewer->undo, step, view)) {
        viewer_say(viewer, "There is nothing to %s.", step < 0 ? "undo" : "redo");
        return;
    }
    viewer->settings.sweeping = false;
    view_place(view, &viewer->document->volume, &viewer->document->placement);
    if (viewer_refuses(viewer, view->method)) {
        view->method = method; // it could run when it was selected
    }
    undo_steps_begin_gesture(viewer);
}
