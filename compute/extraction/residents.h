// Resident parts: the atlases that are on the device, as many as memory allows.
//
// A surface is extracted from the bottom to the top, and so is the next one. So the part that was
// used last is needed last, and is given up first. Giving up the part that was used longest ago
// would always give up the one that is needed next.
#pragma once

#include "compute/extraction/extraction.h"

struct resident {
    struct atlas atlas;
    struct atlas_part cells;
    bool loaded;       // the atlas holds the part
    uint32_t range[2]; // least and greatest key of its samples
    uint64_t serial;   // of the loading; unique
    uint64_t used;     // the last use, counted in calls of residents_find
};

// Zero-initialised means none. Release with residents_clear.
struct residents {
    struct resident **list; // each has a fixed address, which extractions use
    uint32_t count;
    uint64_t finds;
};

// The resident that holds the part, now marked as used; NULL if none does.
struct resident *residents_find(struct residents *residents, const struct atlas_part *cells);

// The resident to give up first while `now` is the current one, in a volume of so many layers, for
// an isovalue of this key. First one that holds nothing; then, of those that the isovalue misses,
// the one that was used longest ago; then the one that will be needed last. Never `keep`. NULL:
// there is no other.
struct resident *residents_spare(
    const struct residents *residents, const struct atlas_part *now, uint32_t layers, uint32_t key,
    const struct resident *keep);

// A new resident without a part and an atlas. NULL: out of memory.
struct resident *residents_add(struct residents *residents);

void residents_drop(struct gpu *gpu, struct residents *residents, struct resident *resident);
void residents_clear(struct gpu *gpu, struct residents *residents);
