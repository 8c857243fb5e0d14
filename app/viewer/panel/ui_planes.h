// The panel's part for planes. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// Draws rows for the planes that cut and for those with samples. What the person does goes to
// answer->view.
void ui_planes(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer);

// Draws the outlines of planes over the picture.
void ui_outlines(const struct ui_kit *kit, const struct ui_model *model);
