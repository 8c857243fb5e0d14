// Notes on stderr about a volume and its device, for the commands and the window.
#pragma once

#include "compute/atlas.h"

// Warns of guesses and losses while the file was read.
void notes_warn(const struct volume *volume);

// For --verbose. `path` NULL: the generated volume. `ms` is the time of the step.
void notes_volume(const char *path, const struct volume *volume, double ms);
void notes_device(const struct gpu *gpu, double ms);
void notes_atlas(const struct atlas *atlas);
