// The part of the panel for the contents of a file. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// Draws what was said of the file, a list of its arrays, and a number for each of time, channel and
// level that there are several of. What the person selects goes to answer->pick.
void ui_contents(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer);
