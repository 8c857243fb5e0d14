// Fills the panel with how things stand, and hands back what the person did with it.
#pragma once

#include "app/viewer/state.h"

// Lays out the panel for the next frame. *answer says what the person did since the last one; none
// of it has been done yet. No frame may be in flight.
bool panel_lay_out(struct viewer *viewer, struct ui_answer *answer, struct problem *problem);
