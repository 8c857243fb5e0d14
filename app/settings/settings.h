// What the person has set in the window: the view, which makes the picture, and the parts around
// it. The settings are kept when everything is opened again after a lost device.
#pragma once

#include "app/settings/view.h"

struct settings {
    struct view view;
    bool panel, help, timings; // whether they are shown
    bool by_time;              // methods are listed by their times
    bool sweeping;             // the isovalue advances through the range by itself
    uint32_t enlarged;         // size of pictures in files, as a multiple of the window's picture
    float panel_width;         // pixels of the panel, before scaling with the text; 0: the default
    float text_scale;          // factor on the display's own scale
};
