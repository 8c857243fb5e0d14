// Shared by the files that record casts; not for others.
#pragma once

#include "compute/casting/casting.h"

// What the kernels of a cast access, and get. The contours are recorded before them.
struct casting_bound {
    struct caster_state *state;
    struct binding table[BINDINGS];
    struct contours_block contours;
    struct cast_push push;
    struct shadow_push shadow;
};

// After a fence: PROBLEM_INTERNAL if a ray's loops have met their bound.
bool casting_check(const struct casting *casting, struct problem *problem);

// What has failed because of `why` may be tried again: the budget has given up a held part. The
// atlas of a whole volume stays; parts are read again.
bool casting_free_memory(const struct casting *casting, const struct problem *why);

void casting_bind(struct casting *casting, const struct cast *cast, struct casting_bound *out);

// Records where along the rays the surface may be.
void casting_record_spans(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound);

// Records that all squares of pixels are listed, also those that see no surface in this part.
void casting_record_all_squares(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound);

// Records with one of these or casting_record, submits and waits.
bool casting_submit(
    struct casting *casting, const struct cast *cast,
    void (*record)(struct casting *casting, struct run *run, const struct cast *cast),
    struct problem *problem);

// What a cast_pass records: before the parts; their nearest hits, with the pixels at edges, and the
// beginning of the shadow; further rays through the part that the casting has turned to; the end of
// the shadow, which the cast has.
void cast_pass_record_begin(struct casting *casting, struct run *run, const struct cast *cast);
void cast_pass_record_nearest(struct casting *casting, struct run *run, const struct cast *cast);
void cast_pass_record_more(struct casting *casting, struct run *run, const struct cast *cast);
void cast_pass_record_end(struct casting *casting, struct run *run, const struct cast *cast);
