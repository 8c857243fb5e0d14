// Writes pictures and meshes to files in the working directory.
#pragma once

#include "app/viewer/files/files.h"

void saver_screenshot(struct files *files, bool transparent);

// Copies a `cubist render` command to the clipboard. The command makes the same picture as
// saver_screenshot.
void saver_copy_line(struct files *files);

// Whether a mesh can be exported, now or after the surface that is being made. If not, a message
// says why.
bool saver_can_export(struct files *files);

// Requests a mesh file at `path`. The extension selects the format. A mesh that is being written is
// finished first. An existing file stays: see output_open_new. The schedule says when the export is
// due.
void saver_export_soon(struct files *files, const char *path);

// Starts the export if `exports` is true. Reports when a mesh has been written. False: the
// problem must end the viewer.
bool saver_go_on(struct files *files, bool exports, struct problem *problem);
