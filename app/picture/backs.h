// Where back faces of a surface can be seen: those that face higher values. The others need not be
// drawn.
//
// Where the volume's box shows a sample below the isovalue to the camera, the ray through it begins
// outside of the surface. The triangles are closed inside the box, so that the first one that the
// ray meets is a front face. The same follows for every part of a volume, because the box is the
// whole volume's.
#pragma once

#include "volumes/cubes.h"

// Matrices are column-major, from the grid: to the camera's space, and to clip space, whose depth
// begins at 0.
struct backs_view {
    uint32_t dim[3]; // samples
    float camera[4][4], clip[4][4];
    bool ortho;
};

enum backs {
    BACKS_SEEN,  // anywhere
    BACKS_HIDDEN,
    BACKS_WITHIN // a rectangle, in less than half of the picture of the box
};

// `within`: left, top, right, bottom in clip space, from -1 to 1; may reach beyond. Reads up to
// three layers of cubes where it is not known at once that none can be seen.
enum backs
backs_of(const struct cubes *cubes, double iso, const struct backs_view *view, float within[4]);
