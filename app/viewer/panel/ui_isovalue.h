// The isovalue in the panel. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// What is kept from frame to frame.
struct ui_isovalue {
    char typed[64]; // in the field
    bool typing;
    bool released; // since the last frame the left button was, at x = release
    float release;
    ImVec4 histogram;   // its rectangle
    double low, high;   // the shown part of the range, 0 to 1
    double least, most; // the range itself
    bool over_histogram;
    float turned; // the wheel since the last frame: steps of the isovalue
    bool fine;    // the marker is dragged with Shift, from this share and place of the mouse
    double fine_share;
    float fine_mouse;
};

void ui_isovalue(
    const struct ui_kit *kit, struct ui_isovalue *state, const struct ui_model *model,
    struct ui_answer *answer);

// The wheel was turned, see ui_scroll; (x, y) in units of the layout.
void ui_isovalue_scroll(struct ui_isovalue *state, float x, float y, float steps, int mods);
