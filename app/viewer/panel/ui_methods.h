// The panel's list of methods. Only C++ files include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

struct ui_method {
    const struct method *of;
    const char *reason; // why it cannot run here; NULL: it can
    bool is_here;       // `times` are of the view's isovalue; false: of the last one it ran at
    struct step_summary times;
};

struct ui_list {
    struct ui_method methods[METHODS_MOST]; // as drawn in this frame
    bool unfolded;                          // the methods that cannot run here are listed, too
    double scale_ms;                        // milliseconds of a full bar in the panel; 0: unknown
    bool scrolls;                           // the list does not show all rows
    bool listed;                            // the list was drawn before, with `method` selected
    uint32_t method;
    float rows;        // number of rows that are shown at a time
    float rows_height; // the height of the list
    float beside_rows; // the height of everything else in the panel; 0: unknown
};

// Whether everything else in the panel fits without scrolling if the list shows few rows.
bool ui_list_fits(const struct ui_kit *kit, const struct ui_list *list);

void ui_methods(
    const struct ui_kit *kit, struct ui_list *list, const struct ui_model *model,
    struct ui_answer *answer);
