// Shared by the files that record casts; not for others.
#pragma once

#include "compute/casting/casting.h"

// The bindings and push constants of a cast's kernels. `contours` is uploaded before they run.
struct casting_bound {
    struct caster_state *state;
    struct binding table[BINDINGS];
    struct contours_block contours;
    struct cast_push push;
    struct shadow_push shadow;
};

// After a fence: PROBLEM_INTERNAL if a ray's loops have met their bound.
bool casting_check(const struct casting *casting, struct problem *problem);

// After the failure `why`: true if the budget has given up a held part, so that the call can be
// tried again. The part is read again later. False in a casting of a whole volume: its atlas stays.
bool casting_free_memory(const struct casting *casting, const struct problem *why);

// Lanes for all hits and all samples at edges: shade.comp has one for each.
uint32_t casting_shaded(const struct casting *casting);

void casting_bind(struct casting *casting, const struct cast *cast, struct casting_bound *out);

// Records the spans of the rays (spans.h), and the list of squares that have one.
void casting_record_spans(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound);

// Records a list of all squares of pixels, also those that see no surface in this part.
void casting_record_all_squares(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound);

// Calls `record`, which is casting_record or a function below; submits and waits.
bool casting_submit(
    struct casting *casting, const struct cast *cast,
    void (*record)(struct casting *casting, struct run *run, const struct cast *cast),
    struct problem *problem);

// What a cast_pass records. begin: before all parts. nearest: after the first pass: nearest hits,
// pixels at edges, beginning of the shadow. more: the second pass through the part of casting_turn.
// end: the end of the shadow, only if the cast has one.
void cast_pass_record_begin(struct casting *casting, struct run *run, const struct cast *cast);
void cast_pass_record_nearest(struct casting *casting, struct run *run, const struct cast *cast);
void cast_pass_record_more(struct casting *casting, struct run *run, const struct cast *cast);
void cast_pass_record_end(struct casting *casting, struct run *run, const struct cast *cast);
