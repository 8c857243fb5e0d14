// What the person has set in the window: the view, which makes the picture, and what stands around
// it. Kept when a lost device makes everything be opened anew.
#pragma once

#include "app/picture/view.h"

struct settings {
    struct view view;
    bool panel, help, timings; // are shown
    bool sweeping;             // the isovalue goes through the range by itself
    float text_scale;          // times what the display asks for
};
