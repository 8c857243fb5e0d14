// Opens what the person has chosen in a form or has dropped.
#pragma once

#include "app/viewer/state.h"

// If a session waits for a missing volume, this is its volume. Else it is opened by itself. A path
// that names a session is always opened by itself: its volume is loaded, or asked for.
bool open_choice_open(struct viewer *viewer, const char *path, struct problem *problem);
