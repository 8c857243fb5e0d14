// Changes of the view's contours, by keys and in the panel.
#pragma once

#include "app/viewer/base/message.h"
#include "app/viewer/panel/ui_model.h"

// Does an action of a contour, ACTION_CONTOUR_STEP and those after it; a message says what was
// done. `step`: -1 or +1. False: it is another action.
bool contours_act(
    struct view *view, const struct volume_facts *facts, struct message *message,
    enum action action, int step);

// Does what the person did with contours in the panel, but not the action of its answer.
void contours_answer(struct view *view, struct message *message, const struct ui_answer *answer);

// Whether two views have the same contours, except for their isovalues.
bool contours_look_same(const struct view *a, const struct view *b);
