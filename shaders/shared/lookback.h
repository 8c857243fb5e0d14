// Shared by the kernels that look back (lib/lookback.glsl) and the C side.
#ifndef SHADERS_SHARED_LOOKBACK_H
#define SHADERS_SHARED_LOOKBACK_H

#include "shaders/shared/glue.h"

// Words of `blocks`: the ticket; then, on another cache line, a word per tile.
#define LOOKBACK_TICKET 0
#define LOOKBACK_TILES  32

#define LOOKBACK_LARGEST ((1u << 30) - 1) // the word of a tile has 30 bits for a count

struct lookback_own {
    uint drop; // for tests: every drop-th tile publishes nothing; 0: all tiles publish
};

#endif
