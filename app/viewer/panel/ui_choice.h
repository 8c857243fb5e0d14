// How the surface is drawn. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// Buttons for triangles and rays, on the line of the last item.
void ui_draw_choice(
    const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer);
