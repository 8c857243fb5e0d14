// The form that lists recent files, folders, volumes and sessions, and opens one. It also asks
// for the volume of a session that misses it.
#pragma once

#include "app/viewer/state.h"

void open_form_open(struct viewer *viewer);

// Shows it if a session waits for its volume and it is not shown yet.
void open_form_ask(struct viewer *viewer);
