// The form that lists recent files, folders and volumes, and opens one.
#pragma once

#include "app/viewer/state.h"

void open_form_open(struct viewer *viewer);
