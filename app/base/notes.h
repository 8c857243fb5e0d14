// What stderr is told of a volume and its device, by commands and by the window alike.
#pragma once

#include "compute/atlas.h"

// Guesses and losses in the way the file was read.
void notes_warn(const struct volume *volume);

// For --verbose. `path` NULL: the generated volume; `ms` is what the step took.
void notes_volume(const char *path, const struct volume *volume, double ms);
void notes_device(const struct gpu *gpu, double ms);
void notes_atlas(const struct atlas *atlas);
