// Draws a form with Dear ImGui. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

extern "C" {

// Lays the form out in the middle, over everything else. `early` gets text that was typed before
// the form's text field was ready.
void ui_form(
    const struct ui_kit *kit, ImVector<ImWchar> *early, struct form *form,
    struct form_answer *answer);

// Call it when the frame is complete. Gives the `early` text to ImGui again, for the next frame.
void ui_form_type_again(ImVector<ImWchar> *early);

// Draws `text`, shortened to `width` with dots in the middle: the end of a long name is visible.
void ui_fitted_text(const char *text, float width);
}
