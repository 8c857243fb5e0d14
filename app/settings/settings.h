// What the person has set in the window: the view, which makes the picture, and what is around the
// picture. It is kept when everything is opened again after a lost device.
#pragma once

#include "app/settings/view.h"

struct settings {
    struct view view;
    bool panel, help, timings; // shown
    bool by_time;              // methods are listed by their times
    bool sweeping;             // the isovalue advances through the range by itself
    uint32_t enlarged;         // pictures in files are so many times as large as in the window
    float panel_width;         // of the panel, before it is scaled with the text; 0: its own
    float text_scale;          // a factor to the display's own scale
};
