// Fills the panel with the state of the viewer, and returns the person's answer.
#pragma once

#include "app/viewer/state.h"

// Lays out the panel for the next frame. *answer has what the person did since the last one, which
// the caller must still carry out. No frame may be in flight.
bool panel_lay_out(struct viewer *viewer, struct ui_answer *answer, struct problem *problem);
