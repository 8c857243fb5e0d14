// The table of all methods, over the picture. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// The picture begins at x = `left`. *in_order: methods in their own order, not by time.
void ui_table(const struct ui_kit *kit, const struct ui_model *model, float left, bool *in_order);
