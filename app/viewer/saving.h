// Writes pictures and meshes to files in the working directory.
#pragma once

#include "app/viewer/state.h"

// The document's name without its extension, for names of files.
void saving_stem(const struct document *document, char *out, size_t size);

void saving_screenshot(struct viewer *viewer, bool transparent);

// Makes the pictures in files larger: 1, 2, 4, 8 times the window's, and 1 again.
void saving_enlarge(struct viewer *viewer);

// Copies the command line that makes the same picture as saving_screenshot.
void saving_copy_line(struct viewer *viewer);

// Requests the mesh. The schedule says when that is due.
void saving_export_soon(struct viewer *viewer);

// Starts the export if `exports`. Reports the result of a mesh that has been written. False: the
// problem must end the viewer.
bool saving_go_on(struct viewer *viewer, bool exports, struct problem *problem);
