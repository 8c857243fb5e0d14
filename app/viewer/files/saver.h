// Writes pictures and meshes to files in the working directory.
#pragma once

#include "app/viewer/files/files.h"

void saver_screenshot(struct files *files, bool transparent);

// Copies a `cubist render` command to the clipboard. It makes the picture that saver_screenshot
// makes.
void saver_copy_line(struct files *files);

// Whether a mesh can be exported, now or after the surface that is being made. If not, a message
// says why.
bool saver_can_export(struct files *files);

// Requests the mesh at this path, whose extension is the format. One that is being written is
// finished first. A file that exists stays: see output_open_new. The schedule says when that is
// due.
void saver_export_soon(struct files *files, const char *path);

// Starts the export if `exports`. Reports the result of a mesh that has been written. False: the
// problem must end the viewer.
bool saver_go_on(struct files *files, bool exports, struct problem *problem);
