// The form that asks for dims and type of a raw file that says nothing of itself.
#pragma once

#include "app/viewer/state.h"

// Shows the form if such a file was to be opened (opening.unsized).
void raw_form_ask(struct viewer *viewer);
void raw_form_end(struct viewer *viewer); // frees what it has
