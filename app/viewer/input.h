// What the person does with keys and mouse, and in the panel: changes of the settings, and things
// to be done.
#pragma once

#include "app/viewer/state.h"

// Takes in what has happened, waiting up to `seconds` for something to happen.
void input_events(struct viewer *viewer, double seconds);
void input_answer(struct viewer *viewer, const struct ui_answer *answer); // the panel's
void input_sweep(struct viewer *viewer); // moves the isovalue on while sweeping
