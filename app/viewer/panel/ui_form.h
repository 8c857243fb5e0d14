// Draws a form with Dear ImGui. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

extern "C" {

// Lays the form out in the middle, over everything else. `early`: what was typed before its field
// took text.
void ui_form(
    const struct ui_kit *kit, ImVector<ImWchar> *early, struct form *form,
    struct form_answer *answer);

// Call it when the frame is complete: text that was typed before its field took text comes again.
void ui_form_type_again(ImVector<ImWchar> *early);

// `text` shortened to `width` with dots in the middle, so that the end of a long name is visible.
void ui_fitted_text(const char *text, float width);
}
