// Held parts: the atlases that are on the device, as many as memory allows.
//
// A surface is extracted from the bottom to the top, and so is the next one. So the part that was
// used last is needed last, and is given up first. Giving up the part that was used longest ago
// would always give up the one that is needed next.
#pragma once

#include "compute/extraction/extraction.h"

struct held_part {
    struct atlas atlas;
    struct atlas_part cells;
    bool loaded;       // the atlas holds the part
    uint32_t range[2]; // least and greatest key of its samples
    uint64_t serial;   // unique number of the loading
    uint64_t used;     // the last use, counted in calls of held_parts_find
};

// Zero-initialised means none. Release with held_parts_clear.
struct held_parts {
    struct held_part **list; // each has a fixed address, which extractions use
    uint32_t count;
    uint64_t finds;
};

// The part with these cells, now marked as used; NULL if it is not held.
struct held_part *held_parts_find(struct held_parts *held, const struct atlas_part *cells);

// Selects the part to evict from device memory. `now` is the part being extracted, `layers` the
// number of layers of the volume, `key` the isovalue's key. Order: an empty slot; a part that the
// isovalue does not cross, the least recently used first; the part that the extraction reaches
// last. Never `keep`, which may be NULL. NULL if there is no part to evict.
struct held_part *held_parts_victim(
    const struct held_parts *held, const struct atlas_part *now, uint32_t layers, uint32_t key,
    const struct held_part *keep);

// Adds a held part without cells and without an atlas. NULL: out of memory.
struct held_part *held_parts_add(struct held_parts *held);

void held_parts_drop(struct gpu *gpu, struct held_parts *held, struct held_part *part);
void held_parts_clear(struct gpu *gpu, struct held_parts *held);
