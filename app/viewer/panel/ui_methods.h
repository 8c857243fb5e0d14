// The panel's list of methods. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

struct ui_method {
    const struct method *of;
    const char *reason; // why it cannot run here; NULL: it can
    bool is_here;       // its times are of the view's isovalue; else of the one it ran at last
    struct step_summary times;
};

struct ui_list {
    struct ui_method methods[METHODS_MOST]; // of this frame
    bool unfolded;                          // the methods that cannot run here are listed, too
    double scale_ms; // what the longest bar of the panel means; 0: not known yet
    bool scrolls;    // not all of it fits
    bool listed;     // the methods have been listed, with this one selected
    uint32_t method;
    float rows;        // how many are shown at a time
    float rows_height; // the height of their list
    float beside_rows; // the height of all else in the panel; 0: unknown
};

// Whether all else fits without scrolling if the list has few rows.
bool ui_list_fits(const struct ui_kit *kit, const struct ui_list *list);

void ui_methods(
    const struct ui_kit *kit, struct ui_list *list, const struct ui_model *model,
    struct ui_answer *answer);
