// A cast over the parts of a volume as they are loaded, in slices of time: the hits are those of a
// cast of the whole volume, to the last bit. A part is cast like a volume, and a pixel keeps the
// nearest hit. Then the rays that follow from the nearest hits, if there are any, go through all
// parts: those of samples of pixels at edges, and those to the light. Each cell belongs to one
// part, whose atlas has the samples around it that normals need. The order of the parts does not
// matter, nor does it if a part is left out that the isovalue misses.
#pragma once

#include "compute/casting/casting.h"
#include "compute/extraction/parts.h"

// Zero-initialised means that none is running.
struct cast_pass {
    struct parts *parts;
    struct casting *casting;
    struct cast cast;
    bool every;              // also over the parts that the isovalue misses
    struct extract *extract; // loads them
    bool more;               // the rays that follow are being cast
    // Of the nearest hits:
    struct extract_totals totals;
    uint32_t hits; // as of casting_collect
};

// Begins a cast. No extraction of these parts may be in progress until cast_pass_end. The casting
// is one of casting_create_parts; its caster is prepared, and the shadow of a cast that has one.
// Both must outlive the pass. On false it has ended.
bool cast_pass_begin(
    struct cast_pass *pass, struct parts *parts, struct casting *casting, const struct cast *cast,
    bool every, struct problem *problem);

// Works about `ms` milliseconds at most, but does not stop within the cast of a part; 0: until a
// part was cast. NEXT_PART: a part was cast, and further work follows. NEXT_DONE: the casting has
// what casting_record would have left there. After this and NEXT_FAILED only cast_pass_end may
// follow.
enum next cast_pass_next(struct cast_pass *pass, double ms, struct problem *problem);

// How much is done, 0 to 1.
double cast_pass_share(const struct cast_pass *pass);

// Ends a pass at any time, also one that has ended.
void cast_pass_end(struct cast_pass *pass);

// Begins, works until all is cast, and ends. `progress`: NULL, or told how much is done; it may
// cancel. On success *hits is set, as by casting_collect.
bool cast_pass_run(
    struct parts *parts, struct casting *casting, const struct cast *cast, bool every,
    const struct progress *progress, uint32_t *hits, struct problem *problem);
