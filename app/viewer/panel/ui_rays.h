// What rays take, in the panel. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// The times of rays, as high as those of a step. `scale_ms`: what the longest bar means; it is kept
// from frame to frame, at first 0.
void ui_cast_times(const struct ui_kit *kit, const struct ui_model *model, double *scale_ms);
