#include "app/picture/view.h"

void view_place(struct view *view, const struct volume *volume, struct placement *out)
{
    if (!view->up_is_set) {
        view->up = up_of(volume);
    }
    placement_of(volume, view->up, out);
}
