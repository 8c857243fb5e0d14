// A scene as a PNG file.
#pragma once

#include "app/renderer.h"

// Draws what scene->area shows into a picture of that size and writes it, atomically. Waits for the
// device.
bool scene_save(
    struct gpu *gpu, const struct renderer *renderer, const struct scene *scene, const char *path,
    struct problem *problem);
