// Pictures and meshes to files in the working directory.
#pragma once

#include "app/viewer/state.h"

void saving_screenshot(struct viewer *viewer, bool transparent);

// Asks for the mesh; the schedule says when that is due.
void saving_export_soon(struct viewer *viewer);

// `exports`: starts on it. Then says what came of the one that is being written, once it is. False:
// the problem must end the viewer.
bool saving_go_on(struct viewer *viewer, bool exports, struct problem *problem);
