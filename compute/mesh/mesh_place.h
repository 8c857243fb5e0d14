// Where a mesh lies in space. Positions and normals are in grid units on the device, in memory, in
// temporary files and in shares: there a float is exact enough, however far away the volume is. The
// writer and the facts apply the volume's affine, in double.
//
// Everything here depends only on the volume's dimensions and affine. So all processes that write a
// file of the surface, or pieces of it, decide the same.
#pragma once

#include "volumes/volume.h"

struct mesh_place {
    bool known;                  // false: the mesh stays in grid units
    double affine[9], origin[3]; // grid units to the volume's, row-major
    double normals[9];           // the cofactors of the affine: inverse transpose times determinant
    double determinant;          // below 0: the affine mirrors, so corners change their order
    double half[3];              // from the origin to the centre of the volume's box
    enum volume_frame frame;     // frame of the positions; files name it if it is known
    // Floats round the coordinates by up to `rounding` at the corner of the volume's box that is
    // farthest from 0. `least` is the least spacing. If `rounding` is more than a thousandth of
    // `least`, `doubles` is set: files have positions in double if the format can.
    double rounding, least;
    bool doubles;
};

// The place of a volume's meshes. NULL: the mesh stays in grid units.
struct mesh_place mesh_place_of(const struct volume *volume);

// Convert a position or a normal to the volume's units. The result of a normal has length 1, or 0
// if its length was 0. A normal's `out` may be `grid`.
void mesh_place_position(const struct mesh_place *place, const float grid[3], double out[3]);
void mesh_place_normal(const struct mesh_place *place, const float grid[3], float out[3]);

// out = matrix * v, row-major.
void mesh_place_apply(const double matrix[9], const double v[3], double out[3]);
