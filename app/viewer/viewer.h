// The window: a volume, its surface, and the panel that drives both.
#pragma once

#include "app/viewer/base/viewer_params.h"

// Whether a window can be opened (there is a display).
bool viewer_has_display(void);

// Runs until the person closes the window. On false the problem says why.
bool viewer_run(const struct viewer_params *params, struct problem *problem);
