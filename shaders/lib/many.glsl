// Whether a cast has several contours or planes, and how its hits store a contour.
#ifndef LIB_MANY
#define LIB_MANY

#include "shaders/shared/extraction.h"

// 0: one contour and no planes. Otherwise 1 and the number of bits of a hit's contour.
layout(constant_id = CONSTANT_CAST_MANY) const uint CAST_MANY = 0;

const uint CELL_BITS = CAST_MANY > 1 ? 32 - CAST_MANY : 31; // of a hit's second word, for the cell
const uint CELL_MASK = (1u << CELL_BITS) - 1;

#endif
