#include "app/viewer/files/undo.h"

#include "app/settings/table.h"

static const double PAUSE = 0.7; // seconds without the wheel that end a step

static struct view *undo_at(struct undo *undo, uint32_t index)
{
    return &undo->ring[(undo->first + index) % (UNDO_STEPS + 1)];
}

static void undo_put(struct undo *undo, const struct view *view)
{
    *undo_at(undo, undo->present) = *view;
}

void undo_begin_gesture(struct undo *undo)
{
    undo->gesture++;
    undo->scrolled = 0;
}

void undo_scroll(struct undo *undo, double now)
{
    if (undo->scrolled == 0 || now - undo->scrolled > PAUSE) {
        undo->gesture++;
    }
    undo->scrolled = now;
}

void undo_begin(struct undo *undo, const struct view *view)
{
    undo->first = undo->present = 0;
    undo->count = 1;
    undo->made = 0;
    undo_put(undo, view);
}

void undo_amend(struct undo *undo, const struct view *view)
{
    if (undo->count > 0) {
        undo_put(undo, view);
        undo->made = 0;
    }
}

void undo_note(struct undo *undo, const struct view *view)
{
    if (undo->count == 0) {
        return;
    }
    struct view selected = *undo_at(undo, undo->present);
    selected.contour = view->contour;
    if (view_same(&selected, view)) {
        undo_put(undo, view); // selecting a contour is no step
        return;
    }
    if (undo->gesture == undo->made && undo->present > 0) {
        undo_put(undo, view);
        if (view_same(undo_at(undo, undo->present - 1), view)) {
            undo->present--; // the gesture went back to the view before it
            undo->count = undo->present + 1;
            undo->made = 0;
        }
        return;
    }
    if (undo->present == UNDO_STEPS) {
        undo->first = (undo->first + 1) % (UNDO_STEPS + 1);
        undo->present--;
    }
    undo->present++;
    undo->count = undo->present + 1;
    undo->made = undo->gesture;
    undo_put(undo, view);
}

bool undo_step(struct undo *undo, int step, struct view *view)
{
    if (undo->count == 0 || (step < 0 ? undo->present == 0 : undo->present + 1 >= undo->count)) {
        return false;
    }
    undo->present = step < 0 ? undo->present - 1 : undo->present + 1;
    undo->made = 0;
    *view = *undo_at(undo, undo->present);
    return true;
}
