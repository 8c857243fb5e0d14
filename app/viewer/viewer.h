// The window: a volume, its surface, and the panel that drives both.
#pragma once

#include "app/viewer/viewer_params.h"

// True where a window can be opened at all (there is a display).
bool viewer_has_display(void);

// Runs until the person quits. On false the window is closed and the problem says why.
bool viewer_run(const struct viewer_params *params, struct problem *problem);
