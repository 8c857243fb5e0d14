// Whether all back faces of a surface are hidden: those that face higher values. Then they need not
// be drawn.
//
// Where the volume's box shows only samples below the isovalue to the camera, every ray from the
// camera begins outside of the surface. The triangles are closed inside the box, so that the first
// one that it meets is a front face. The same follows for every part of a volume, because the box
// is the whole volume's.
#pragma once

#include "volumes/cubes.h"

// Matrices are column-major, from the grid: to the camera's space, and to clip space, whose depth
// begins at 0.
struct backs_view {
    uint32_t dim[3]; // samples
    float camera[4][4], clip[4][4];
    bool ortho;
};

bool backs_are_hidden(const struct cubes *cubes, double iso, const struct backs_view *view);
