#include "compute/casting/cast_pass.h"

#include "compute/casting/counter.h"
#include "compute/casting/internal.h"

#include <string.h>

void cast_pass_record_begin(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct buffer *buffers = casting->buffers;
    const uint64_t pixels = (uint64_t)cast->width * cast->height;
    run_fill(run, &buffers[CASTING_NEAREST], 0, pixels * sizeof(struct cast_hit), CAST_NOTHING);
    run_fill(run, &buffers[CASTING_TILES], 0, casting_tiles(cast) * UINT64_C(4), 0);
    counter_record_no_rays(run, &buffers[CASTING_NEAREST_COUNTS], casting_shaded(casting));
    run_stamp(run, STAGE_POINTS);
}

// Binds the buffers of the second pass, with the nearest hits of all parts. In out->table the hits
// of pixels at edges become CAST_EDGE; in `nearest` they stay hits.
static void cast_pass_bind(
    struct casting *casting, const struct cast *cast, struct casting_bound *out,
    struct binding nearest[BINDINGS])
{
    const struct buffer *buffers = casting->buffers;
    casting_bind(casting, cast, out);
    out->table[BINDING_HIT_LIST] = (struct binding){ &buffers[CASTING_NEAREST_LIST] };
    out->table[BINDING_HIT_COUNTS] = (struct binding){ &buffers[CASTING_NEAREST_COUNTS] };
    memcpy(nearest, out->table, sizeof out->table);
    nearest[BINDING_HITS] = (struct binding){ &buffers[CASTING_NEAREST] };
}

static void cast_pass_count(const struct casting *casting, struct run *run)
{
    const struct buffer *buffers = casting->buffers;
    run_copy(
        run, &buffers[CASTING_NEAREST_COUNTS], 0, &buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(run, &buffers[CASTING_COUNTED], ACCESS_HOST);
}

void cast_pass_record_nearest(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct buffer *buffers = casting->buffers;
    const uint64_t pixels = (uint64_t)cast->width * cast->height;
    struct binding nearest[BINDINGS];
    struct casting_bound bound;
    run_copy(
        run, &buffers[CASTING_NEAREST], 0, &buffers[CASTING_HITS], 0,
        pixels * sizeof(struct cast_hit));
    cast_pass_count(casting, run);
    casting->has_edges = cast->edges && casting->atlas; // without a part there are no hits
    if (casting->atlas) {
        cast_pass_bind(casting, cast, &bound, nearest);
    }
    if (casting->has_edges) {
        casting_record_all_squares(casting, run, cast, &bound);
        edges_record_find(
            &casting->edges, run, bound.table, &bound.push, &buffers[CASTING_SQUARES_COUNT], false);
        edges_record_clear(&casting->edges, run);
    }
    if (cast->shadow && casting->atlas) {
        shadow_record_clear(&casting->shadow, run, pixels);
    }
    run_stamp(run, STAGE_POINTS);
}

// Ends the first pass: finds the nearest hits, and whether a second pass is needed.
static bool cast_pass_nearest(struct cast_pass *pass, struct problem *problem)
{
    struct casting *casting = pass->casting;
    const struct cast *cast = &pass->cast;
    bool again = false;
    const bool fine =
        casting_submit(casting, cast, cast_pass_record_nearest, problem) &&
        (!casting->has_edges || casting_again(casting, &again, problem)) &&
        (!again || casting_submit(casting, cast, cast_pass_record_nearest, problem)) &&
        casting_collect(casting, &pass->hits, problem);
    pass->more = fine && ((casting->has_edges && edges_count(&casting->edges) > 0) ||
                          (cast->shadow && pass->hits > 0));
    return fine;
}

void cast_pass_record_more(struct casting *casting, struct run *run, const struct cast *cast)
{
    struct binding nearest[BINDINGS];
    struct casting_bound bound;
    cast_pass_bind(casting, cast, &bound, nearest);
    run_update(run, &casting->buffers[CASTING_CONTOURS], 0, &bound.contours, sizeof bound.contours);
    masks_record(
        &casting->masks, run, casting->atlas, &casting->buffers[CASTING_CONTOURS], &bound.contours);
    casting_record_spans(casting, run, cast, &bound);
    if (cast->edges) {
        edges_record_samples(&casting->edges, run, bound.table, &bound.push, false);
    }
    if (cast->shadow) {
        shadow_record(
            &casting->shadow, SHADOW_HITS, run, nearest, &bound.shadow,
            &casting->buffers[CASTING_NEAREST_COUNTS]);
    }
    cast_pass_count(casting, run);
    run_stamp(run, STAGE_POINTS);
}

void cast_pass_record_end(struct casting *casting, struct run *run, const struct cast *cast)
{
    struct binding nearest[BINDINGS];
    struct casting_bound bound;
    cast_pass_bind(casting, cast, &bound, nearest);
    shadow_record(
        &casting->shadow, SHADOW_MEAN, run, nearest, &bound.shadow,
        &casting->buffers[CASTING_NEAREST_COUNTS]);
    if (cast->edges) {
        shadow_record(
            &casting->shadow, SHADOW_EDGES, run, nearest, &bound.shadow,
            &casting->edges.buffers[EDGES_COUNTS]);
    }
    run_stamp(run, STAGE_POINTS);
}

static bool cast_pass_load(struct cast_pass *pass, struct problem *problem)
{
    const struct query query = {
        .iso = pass->cast.isos[0],
        .every_brick = pass->every || pass->cast.contours > 1,
        .load_only = true,
    };
    pass->extract = extract_begin(pass->parts, &query, problem);
    return pass->extract;
}

bool cast_pass_begin(
    struct cast_pass *pass, struct parts *parts, struct casting *casting, const struct cast *cast,
    bool every, struct problem *problem)
{
    *pass = (struct cast_pass){
        .parts = parts,
        .casting = casting,
        .cast = *cast,
        .every = every,
    };
    const bool fine = casting_set_many(casting, cast, problem) &&
                      casting_submit(casting, cast, cast_pass_record_begin, problem) &&
                      cast_pass_load(pass, problem);
    if (!fine) {
        cast_pass_end(pass);
    }
    return fine;
}

// Ends the first or the second pass, after its last part.
static enum next cast_pass_finish(struct cast_pass *pass, struct problem *problem)
{
    const bool nearest = !pass->more;
    if (nearest) {
        pass->totals = *extract_totals(pass->extract);
    }
    extract_end(pass->extract);
    pass->extract = NULL;
    if (!nearest) {
        const bool done = !pass->cast.shadow ||
                          casting_submit(pass->casting, &pass->cast, cast_pass_record_end, problem);
        return done ? NEXT_DONE : NEXT_FAILED;
    }
    if (!cast_pass_nearest(pass, problem)) {
        return NEXT_FAILED;
    }
    return !pass->more ? NEXT_DONE : cast_pass_load(pass, problem) ? NEXT_PART : NEXT_FAILED;
}

// Casts rays through the part that was loaded last.
static bool cast_pass_add(struct cast_pass *pass, struct problem *problem)
{
    struct casting *casting = pass->casting;
    struct cast plain = pass->cast;
    uint32_t hits;
    if (!casting_turn(casting, parts_atlas(pass->parts), problem)) {
        return false;
    }
    if (pass->more) {
        return casting_submit(casting, &pass->cast, cast_pass_record_more, problem) &&
               casting_check(casting, problem);
    }
    plain.edges = plain.shadow = false; // these need the hits of all parts
    plain.border = pass->cast.border ? pass->cast.border : pass->cast.edges;
    return casting_begin(casting, &plain, problem) &&
           casting_run_recorded(casting, &plain, &hits, problem);
}

enum next cast_pass_next(struct cast_pass *pass, double ms, struct problem *problem)
{
    struct part part;
    const enum next next = extract_next(pass->extract, ms, &part, problem);
    if (next == NEXT_DONE) {
        return cast_pass_finish(pass, problem);
    }
    if (next != NEXT_PART) {
        return next;
    }
    return cast_pass_add(pass, problem) ? NEXT_PART : NEXT_FAILED;
}

double cast_pass_share(const struct cast_pass *pass)
{
    const double share = pass->extract ? extract_progress(pass->extract).share : 0;
    const bool follow = pass->cast.edges || pass->cast.shadow; // a second pass may follow
    return !follow ? share : (share + (pass->more ? 1 : 0)) / 2;
}

void cast_pass_end(struct cast_pass *pass)
{
    extract_end(pass->extract);
    *pass = (struct cast_pass){ 0 };
}

bool cast_pass_run(
    struct parts *parts, struct casting *casting, const struct cast *cast, bool every,
    const struct progress *progress, uint32_t *hits, struct problem *problem)
{
    struct cast_pass pass;
    enum next next = NEXT_PART;
    if (!cast_pass_begin(&pass, parts, casting, cast, every, problem)) {
        return false;
    }
    while (next != NEXT_DONE && next != NEXT_FAILED) {
        next = cast_pass_next(&pass, 100, problem);
        if (next != NEXT_FAILED && progress &&
            !progress->report(progress->user, cast_pass_share(&pass))) {
            problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
            next = NEXT_FAILED;
        }
    }
    *hits = pass.hits;
    cast_pass_end(&pass);
    return next == NEXT_DONE;
}
