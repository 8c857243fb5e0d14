// What is drawn over the picture. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// Draws what the settings ask for. The picture begins at x = `left`. If the axes are drawn, `ends`
// gets the ends +x, -x, +y, -y, +z, -z. Each is x, y, radius, nearness to the eye.
void ui_over_picture(
    const struct ui_kit *kit, const struct ui_model *model, float left, ImVec4 ends[6]);

// The index of the end at (x, y), in the units of `ends`; -1: none.
int ui_over_end(const ImVec4 ends[6], float x, float y);
