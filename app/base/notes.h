// Notes on stderr about a volume and its device, for the commands and the window.
#pragma once

#include "compute/extraction/parts_plan.h"

// Warns of guesses and losses while the file was read.
void notes_warn(const struct volume *volume);

// For --verbose. `path` NULL: the generated volume. `ms` is the time of the step.
void notes_volume(const char *path, const struct volume *volume, double ms);
void notes_device(const struct gpu *gpu, double ms);
void notes_atlas(const struct atlas *atlas);
void notes_parts(const struct parts_plan *plan);

// Writes the size of a planned part for people: "3 layers"; or "5 rows of a layer", if each layer is
// divided.
void notes_part_size(const struct parts_plan *plan, char out[40]);
