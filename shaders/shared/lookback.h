// What the kernel of lookback and the C side agree on.
#ifndef SHADERS_SHARED_LOOKBACK_H
#define SHADERS_SHARED_LOOKBACK_H

#include "shaders/shared/glue.h"

// Words of `blocks`: the ticket, then, on a cache line of their own, a word per tile. A lane of a
// workgroup takes so many lanes of a stream, where the host knows how many there are.
#define LOOKBACK_TICKET 0
#define LOOKBACK_TILES  32
#define LOOKBACK_LANES  16

struct lookback_own {
    ADDRESS(Uints) blocks; // as above
    ADDRESS(Uints) events; // struct compaction_events
    uint drop;             // test: leave out every so many-th post to another workgroup; 0: none
};

#endif
