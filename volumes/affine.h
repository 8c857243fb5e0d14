// Where samples lie in space. Turns steps, directions and origin of a file into a volume's.
//
// The whole program uses one frame: LPS (x to the patient's left, y to posterior, z to superior),
// as DICOM, ITK and 3D Slicer do. A file in another frame is converted while it is read. A file
// that states no frame is used as it is.
#pragma once

#include "volumes/volume.h"

// Sets spacing, direction and origin of `volume` from the step from one sample to the next along
// each axis: steps[axis] is a vector in LPS. Steps may be oblique or mirrored (determinant < 0).
// PROBLEM_INPUT, which names the file, where a number is not finite, a step is zero, or the
// three steps lie in one plane. On false `volume` is unchanged.
bool affine_set(
    struct volume *volume, const double steps[3][3], const double origin[3], const char *path,
    struct problem *problem);

// Sets steps of these lengths along x, y, z; a negative one mirrors its axis. Keeps the origin.
bool affine_set_spacing(
    struct volume *volume, const double spacing[3], const char *path, struct problem *problem);

// Converts steps and origin to LPS, in place: x and y are multiplied by `flip`, 1 or -1 (RAS: both
// -1).
void affine_flip(double steps[3][3], double origin[3], const double flip[2]);
