// Where samples lie in space: how a file's steps, directions and origin become a volume's.
//
// One frame for the whole program: LPS (x to the patient's left, y to posterior, z to superior), as
// DICOM, ITK and 3D Slicer have it. A file that states another is turned into it while read; a file
// that states none is taken as it stands.
#pragma once

#include "volumes/volume.h"

// Sets spacing, direction and origin of `volume` from the step from one sample to the next along
// each axis: steps[axis] is a vector in LPS. Steps may be oblique or mirrored (determinant < 0).
// PROBLEM_INPUT, with `what` in the message, where a number is not finite, a step is zero, or the
// three lie in one plane. `volume` is left as it was on false.
bool affine_set(
    struct volume *volume, const double steps[3][3], const double origin[3], const char *what,
    struct problem *problem);

// Steps along x, y, z of `spacing`; a negative one is a mirrored axis. Origin as it was.
bool affine_set_spacing(
    struct volume *volume, const double spacing[3], const char *what, struct problem *problem);

// Turns steps and origin given in RAS into LPS, in place.
void affine_from_ras(double steps[3][3], double origin[3]);
