// Slabs on the device: their atlases, as many as there is room for.
//
// The slabs that a surface touches are worked on from the bottom to the top, and from the bottom
// again for the next one. What was used last is then needed last, so that is what makes room: to
// give up what was used longest ago would give up exactly what comes next, at every step.
#pragma once

#include "compute/extraction/extraction.h"

struct resident {
    struct atlas atlas;
    struct atlas_slab slab;
    bool loaded;       // the atlas holds the slab
    uint32_t range[2]; // least and greatest key of its samples
    uint64_t serial;   // of the loading: no other one has had the same
    uint64_t used;     // when it last was, in calls of residents_find
};

// Zero-initialised means none. Release with residents_clear.
struct residents {
    struct resident **list; // each stays where it is: an extraction knows its atlas by address
    uint32_t count;
    uint64_t finds;
};

// The one that holds the slab, which is used from here on; NULL: none does.
struct resident *residents_find(struct residents *residents, const struct atlas_slab *slab);

// The one to give up first while `now` is worked on, of a volume with so many layers, for an
// isovalue of this key: one that holds nothing, then of those that the isovalue misses the one that
// has not been used for longest, then the one that the sweeps come to last. Never `keep`. NULL:
// there is no other.
struct resident *residents_spare(
    const struct residents *residents, const struct atlas_slab *now, uint32_t layers, uint32_t key,
    const struct resident *keep);

// Another one, that holds nothing yet and has no atlas. NULL: out of memory.
struct resident *residents_add(struct residents *residents);

void residents_drop(struct gpu *gpu, struct residents *residents, struct resident *resident);
void residents_clear(struct gpu *gpu, struct residents *residents);
