// Whether a cast has several contours or planes, and how its hits store a contour.
#ifndef LIB_MANY
#define LIB_MANY

#include "shaders/shared/casting.h"

// 0: one contour and no planes. Otherwise 1 and the number of bits of a hit's contour; CAST_MANY_CAPS is added if
// the cast has caps.
layout(constant_id = CONSTANT_CAST_MANY) const uint CAST_MANY = 0;

const bool CAST_CAPS = CAST_MANY >= CAST_MANY_CAPS;
const uint CONTOUR_BITS = CAST_MANY > 0 ? CAST_MANY % CAST_MANY_CAPS - 1 : 0; // of a hit's second word
const uint CELL_BITS = CAST_CAPS ? 30 - CONTOUR_BITS : 31 - CONTOUR_BITS;     // and for the cell
const uint CELL_MASK = (1u << CELL_BITS) - 1;

#endif
