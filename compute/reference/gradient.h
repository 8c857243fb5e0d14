// Gradients of a volume's samples, for the normals of the reference.
#pragma once

#include "volumes/volume.h"

// The gradient at sample `at`, in values per grid unit. Along each axis it is the central
// difference if both neighbours are finite, one-sided if one is, otherwise 0.
void gradient_at(const struct volume *volume, const uint32_t at[3], double out[3]);

double gradient_length(const double v[3]);
