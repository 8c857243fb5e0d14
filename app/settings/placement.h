// The position of a volume in the scene: its affine, the rotation that turns its up axis to the
// scene's z, and the scaling that brings any unit (1e-5 or 1e5) to one size.
#pragma once

#include "volumes/volume.h"

// The axis of the volume's world that points up on the screen.
enum up { UP_Y, UP_Z, UP_X, UP_MINUS_Y, UP_MINUS_Z, UP_MINUS_X, UPS };

// The default up axis. Where the file states a patient's frame, the patient's head is up. Otherwise
// y is up, as in other viewers of raw volumes.
enum up up_of(const struct volume *volume);

const char *up_name(enum up up); // "+y"

// The scene is centred on the volume's box and scaled evenly, so that half the box's diagonal is 1.
// So the camera never depends on the file's units.
struct placement {
    uint32_t dim[3];
    float model[4][4];  // grid units to scene, column-major
    double world[4][3]; // grid units to the file's coordinates, columns
    float axes[3][3]; // the world's axes, in which meshes are exported, in the scene; unit columns
    float normal[3][3];  // for normals: the inverse transpose of the affine, columns
    bool mirrored;       // the affine turns counter-clockwise into clockwise
    float corners[8][3]; // the box in the scene; corner c is (c & 1, c >> 1 & 1, c >> 2)
    double units;        // units of the file, per unit of the scene
    double centre[3];    // the box's centre in the volume's world: the scene's origin
};

void placement_of(const struct volume *volume, enum up up, struct placement *out);
