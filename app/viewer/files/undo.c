#include "app/viewer/files/undo.h"

#include "app/settings/table.h"

static struct view *undo_at(struct undo *undo, uint32_t index)
{
    return &undo->ring[(undo->first + index) % (UNDO_STEPS + 1)];
}

static void undo_put(struct undo *undo, const struct view *view)
{
    *undo_at(undo, undo->present) = *view;
}

void undo_begin(struct undo *undo, const struct view *view)
{
    undo->first = undo->present = 0;
    undo->count = 1;
    undo->gesture = 0;
    undo_put(undo, view);
}

void undo_amend(struct undo *undo, const struct view *view)
{
    if (undo->count > 0) {
        undo_put(undo, view);
        undo->gesture = 0;
    }
}

void undo_note(struct undo *undo, const struct view *view, uint64_t gesture)
{
    if (undo->count == 0 || view_same(undo_at(undo, undo->present), view, false)) {
        return;
    }
    if (gesture == undo->gesture && undo->present > 0) {
        undo_put(undo, view);
        if (view_same(undo_at(undo, undo->present - 1), view, false)) {
            undo->present--; // a drag that came back
            undo->count = undo->present + 1;
            undo->gesture = 0;
        }
        return;
    }
    if (undo->present == UNDO_STEPS) {
        undo->first = (undo->first + 1) % (UNDO_STEPS + 1);
        undo->present--;
    }
    undo->present++;
    undo->count = undo->present + 1;
    undo->gesture = gesture;
    undo_put(undo, view);
}

bool undo_step(struct undo *undo, int step, struct view *view)
{
    if (undo->count == 0 || (step < 0 ? undo->present == 0 : undo->present + 1 >= undo->count)) {
        return false;
    }
    undo->present = step < 0 ? undo->present - 1 : undo->present + 1;
    undo->gesture = 0;
    *view = *undo_at(undo, undo->present);
    return true;
}
