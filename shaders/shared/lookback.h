// Shared by the kernel of lookback and the C side.
#ifndef SHADERS_SHARED_LOOKBACK_H
#define SHADERS_SHARED_LOOKBACK_H

#include "shaders/shared/glue.h"

// Words of `blocks`: the ticket; then, on another cache line, a word per tile.
#define LOOKBACK_TICKET 0
#define LOOKBACK_TILES  32

struct lookback_own {
    uint patience; // vain looks before a workgroup counts the tile itself
    uint drop; // for tests: every drop-th tile publishes nothing; 0: all tiles publish
};

#endif
