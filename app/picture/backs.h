// Finds where back faces of a surface, which face higher values, can be seen. Elsewhere they need
// not be drawn.
//
// A ray that enters the volume's box at a sample below the isovalue begins outside of the surface.
// The surface is closed inside the box, so the first triangle that the ray meets is a front face.
// This also holds for every part of a volume, because the box is that of the whole volume.
#pragma once

#include "volumes/cubes.h"

// Column-major matrices from grid units to the camera's space, and to clip space, where depth
// begins at 0.
struct backs_view {
    uint32_t dim[3]; // samples
    float camera[4][4], clip[4][4];
    bool ortho;
};

enum backs {
    BACKS_SEEN, // perhaps anywhere
    BACKS_HIDDEN,
    BACKS_WITHIN // only within a rectangle of less than half of the box's picture
};

// Sets `within` to left, top, right, bottom in clip space; they may be outside of -1 to 1. Reads up
// to three layers of cubes, unless cubes->faces shows that no back face can be seen.
enum backs
backs_of(const struct cubes *cubes, double iso, const struct backs_view *view, float within[4]);
