// Writes pictures and meshes to files in the working directory.
#pragma once

#include "app/viewer/state.h"

// The document's name without its extension, for names of files.
void saver_stem(const struct document *document, char *out, size_t size);

void saver_screenshot(struct viewer *viewer, bool transparent);

// Copies a `cubist render` command to the clipboard. It makes the picture that saver_screenshot
// makes.
void saver_copy_line(struct viewer *viewer);

// Whether a mesh can be exported, now or after the surface that is being made. If not, a message
// says why.
bool saver_can_export(struct viewer *viewer);

// Requests the mesh at this path, whose extension is the format. One that is being written is
// finished first. A file that exists stays: see output_open_new. The schedule says when that is
// due.
void saver_export_soon(struct viewer *viewer, const char *path);

// Starts the export if `exports`. Reports the result of a mesh that has been written. False: the
// problem must end the viewer.
bool saver_go_on(struct viewer *viewer, bool exports, struct problem *problem);
