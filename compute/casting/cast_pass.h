// A cast of a volume in parts. Each call works for a limited time. The hits are those of a cast of
// the whole volume, to the last bit. In the first pass each part is loaded and cast like a volume,
// and each pixel keeps its nearest hit. In the second pass, if it is needed, more rays start from
// the nearest hits and go through all parts: rays of samples at edges, and rays to the light. Each
// cell belongs to one part, whose atlas has the samples that the cell's normals need. The order of
// the parts does not matter, and parts that the isovalue misses may be left out.
#pragma once

#include "compute/casting/casting.h"
#include "compute/extraction/parts.h"

// Zero-initialised means that no pass is running.
struct cast_pass {
    struct parts *parts;
    struct casting *casting;
    struct cast cast;
    bool every;              // also load the parts that the isovalue misses
    struct extract *extract; // loads the parts
    bool more;               // the second pass is running
    // Results of the first pass:
    struct extract_totals totals;
    uint32_t hits; // number of nearest hits, without those in the border
};

// Begins a cast. No other extraction of `parts` may run until cast_pass_end. `casting` comes from
// casting_create_parts. The cast's caster must be prepared, and so must the shadow if the cast has
// one. `parts` and `casting` must outlive the pass. On false the pass has ended.
bool cast_pass_begin(
    struct cast_pass *pass, struct parts *parts, struct casting *casting, const struct cast *cast,
    bool every, struct problem *problem);

// Works about `ms` milliseconds at most, but does not stop within the cast of a part. `ms` 0: works
// until a part is cast. NEXT_PART: a part was cast, and more work follows. NEXT_DONE: the casting
// holds the results that casting_record would leave. After NEXT_DONE or NEXT_FAILED call only
// cast_pass_end.
enum next cast_pass_next(struct cast_pass *pass, double ms, struct problem *problem);

// How much is done, 0 to 1.
double cast_pass_share(const struct cast_pass *pass);

// Ends a pass at any time, also one that has ended.
void cast_pass_end(struct cast_pass *pass);

// Runs a whole pass. `progress` may be NULL. It gets how much is done; if it returns false, the
// pass ends with PROBLEM_INTERRUPTED. On success *hits is set, as by casting_collect.
bool cast_pass_run(
    struct parts *parts, struct casting *casting, const struct cast *cast, bool every,
    const struct progress *progress, uint32_t *hits, struct problem *problem);
