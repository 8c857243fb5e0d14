// The isovalue in the panel. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

// State that lasts from frame to frame.
struct ui_isovalue {
    bool planes;    // the group of planes is shown
    char typed[64]; // the text in the field
    bool typing;
    bool released; // the left button was released since the last frame, at x = `release`
    float release;
    ImVec4 histogram;   // its rectangle
    double low, high;   // the shown part of the range, 0 to 1
    double least, most; // the range itself
    bool over_histogram;
    float turned; // steps of the wheel since the last frame, for the isovalue
    bool fine;    // Shift drags the marker slowly: from share fine_share, mouse at fine_mouse
    double fine_share;
    float fine_mouse;
    bool picked; // a press has selected a contour by its marker, and the mouse has not moved since
    float picked_mouse;
};

void ui_isovalue(
    const struct ui_kit *kit, struct ui_isovalue *state, const struct ui_model *model,
    struct ui_answer *answer);

// The wheel was turned: see ui_scroll. (x, y) is in units of the layout.
void ui_isovalue_scroll(struct ui_isovalue *state, float x, float y, float steps, int mods);
