// Outputs that look themselves up in a pyramid.
#ifndef LIB_LOOKUPS
#define LIB_LOOKUPS

#include "select.glsl"

// Where an output's element lies: its texel of the base, and its rank among those kept there.
struct Found {
    uint x, y, rank;
};

#endif
