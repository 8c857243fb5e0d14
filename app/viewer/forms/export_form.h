// The form that asks for the name and the format of a mesh to export.
#pragma once

#include "app/viewer/state.h"

// Shows the form, or a message where there is nothing to export.
void export_form_open(struct viewer *viewer);
