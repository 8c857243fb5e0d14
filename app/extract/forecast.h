// The sizes of what an extraction makes, from counts alone.
#pragma once

#include "compute/mesh/mesh_formats.h"

// Bytes of a mesh file of a volume's surface. A few hundred bytes of its header are left out. Text:
// about.
double forecast_mesh(
    const struct mesh_format *format, const struct volume *volume, double vertices,
    double triangles);

// Whether the format can count such a mesh. Otherwise *why says why not.
bool forecast_fits(
    const struct mesh_format *format, double vertices, double triangles, struct problem *why);

// Bytes of all shares of a surface (compute/mesh/share.h).
double forecast_shares(double vertices, double triangles, double shares);

// Bytes of device memory for a part of so many voxels, whose samples take `size` bytes each, and
// its surface. About: it depends on the method and the surface.
double forecast_memory(double voxels, size_t size);

// Three digits and a prefix: "2.01 TB". The unit may be "".
#define FORECAST_TEXT 32
const char *forecast_text(double value, const char *unit, char text[FORECAST_TEXT]);
