// Draws a form with Dear ImGui. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/forms/form.h"

extern "C" {

struct ui_pens {
    ImFont *small, *bold, *big;
    float scale;
    ImVector<ImWchar> *early; // typed before the field took text
};

// Lays the form out in the middle, over everything else.
void ui_form(const struct ui_pens *pens, struct form *form, struct form_answer *answer);

// Call it when the frame is complete: text that was typed before its field took text comes again.
void ui_form_type_again(ImVector<ImWchar> *early);

// `text` shortened to `width` with dots in the middle, so that the end of a long name is visible.
void ui_fitted_text(const char *text, float width);
}
