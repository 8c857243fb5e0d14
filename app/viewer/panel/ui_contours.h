// The contours in the panel. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// Draws the heading, and a row for each contour if there are several, or the only one does not look
// as usual. What is done in a row selects its contour.
// *planes: whether the group of planes is shown, which has a button here.
void ui_contours(
    const struct ui_kit *kit, const struct ui_model *model, bool *planes, struct ui_answer *answer);
