// Where a volume stands in the scene: its affine, and the scaling that brings any unit (1e-5 or
// 1e5) to one size.
#pragma once

#include "volumes/volume.h"

// The scene is centred on the volume's box and scaled, evenly, so that half the box's diagonal is
// 1: what the camera needs never depends on the file's units.
struct placement {
    uint32_t dim[3];
    float model[4][4];   // grid units to scene, column-major
    float normal[3][3];  // of normals: the inverse transpose of the affine, columns
    bool mirrored;       // the affine turns counter-clockwise into clockwise
    float corners[8][3]; // the box in the scene; corner c stands at (c & 1, c >> 1 & 1, c >> 2)
    double units;        // of the file, per unit of the scene
};

void placement_of(const struct volume *volume, struct placement *out);
