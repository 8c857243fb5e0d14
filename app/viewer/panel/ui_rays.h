// The times of rays, in the panel. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// Draws the times of rays, as high as the times of a step. `scale_ms`: milliseconds of a full bar.
// The caller keeps it from frame to frame, and sets it to 0 at first.
void ui_cast_times(const struct ui_kit *kit, const struct ui_model *model, double *scale_ms);
