#include "compute/casting/cast_parts.h"

#include "compute/casting/internal.h"

#include <string.h>

// Records by one of the functions of internal.h, submits and waits.
static bool cast_parts_submit(
    struct casting *casting, const struct cast *cast,
    void (*record)(struct casting *casting, struct run *run, const struct cast *cast),
    struct problem *problem)
{
    struct run run;
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    run_begin(&run, casting->gpu, cmd, casting->timer);
    record(casting, &run, cast);
    run_stamp(&run, STAGE_POINTS);
    return gpu_submit_and_wait(casting->gpu, cmd, problem);
}

void cast_parts_record_begin(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct buffer *buffers = casting->buffers;
    const uint64_t pixels = (uint64_t)cast->width * cast->height;
    const struct list_counter none = { .capacity = casting->pixels };
    run_fill(run, &buffers[CASTING_NEAREST], 0, pixels * sizeof(struct cast_hit), CAST_NOTHING);
    run_fill(run, &buffers[CASTING_TILES], 0, casting_tiles(cast) * UINT64_C(4), 0);
    run_update(run, &buffers[CASTING_NEAREST_COUNTS], 0, &none, sizeof none);
}

bool cast_parts_begin(struct casting *casting, const struct cast *cast, struct problem *problem)
{
    return cast_parts_submit(casting, cast, cast_parts_record_begin, problem);
}

bool cast_parts_add(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem)
{
    struct cast plain = *cast;
    uint32_t hits;
    plain.edges = plain.shadow = false; // they are of the hits of all parts
    plain.border = cast->border ? cast->border : cast->edges;
    return casting_turn(casting, atlas, problem) && casting_begin(casting, &plain, problem) &&
           casting_run_recorded(casting, &plain, &hits, problem);
}

// Binds what the kernels of later rays access, whose hits are the nearest ones of all parts. Those
// of pixels at edges stay there as they were.
static void cast_parts_bind(
    struct casting *casting, const struct cast *cast, struct casting_bound *out,
    struct binding nearest[BINDINGS])
{
    const struct buffer *buffers = casting->buffers;
    casting_bind(casting, cast, out);
    out->table[BINDING_HIT_LIST] = (struct binding){ &buffers[CASTING_NEAREST_LIST] };
    out->table[BINDING_HIT_COUNTS] = (struct binding){ &buffers[CASTING_NEAREST_COUNTS] };
    out->table[BINDING_COUNTER] = (struct binding){ &buffers[CASTING_NEAREST_COUNTS] };
    memcpy(nearest, out->table, sizeof out->table);
    nearest[BINDING_HITS] = (struct binding){ &buffers[CASTING_NEAREST] };
}

static void cast_parts_count(const struct casting *casting, struct run *run)
{
    const struct buffer *buffers = casting->buffers;
    run_copy(
        run, &buffers[CASTING_NEAREST_COUNTS], 0, &buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(run, &buffers[CASTING_COUNTED], ACCESS_HOST);
}

void cast_parts_record_nearest(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct buffer *buffers = casting->buffers;
    const uint64_t pixels = (uint64_t)cast->width * cast->height;
    struct binding nearest[BINDINGS];
    struct casting_bound bound;
    run_copy(
        run, &buffers[CASTING_NEAREST], 0, &buffers[CASTING_HITS], 0,
        pixels * sizeof(struct cast_hit));
    cast_parts_count(casting, run);
    casting->has_edges = cast->edges && casting->atlas; // no part: no hits
    if (casting->atlas) {
        cast_parts_bind(casting, cast, &bound, nearest);
    }
    if (casting->has_edges) {
        casting_record_all_squares(casting, run, cast, &bound);
        edges_record_find(
            &casting->edges, run, bound.table, &bound.push, &buffers[CASTING_SQUARES_ARGUMENTS]);
        edges_record_clear(&casting->edges, run);
    }
    if (casting->atlas) { // for the shadow, and for whoever shades the hits
        run_dispatch(
            run, &casting->kernels[CASTING_ARRANGE], nearest, &(struct arrange_push){ 1, 1 }, 1, 1,
            1);
    }
    if (cast->shadow && casting->atlas) {
        shadow_record_clear(&casting->shadow, run, pixels);
    }
}

bool cast_parts_nearest(
    struct casting *casting, const struct cast *cast, uint32_t *hits, bool *more,
    struct problem *problem)
{
    bool again = false;
    const bool fine =
        cast_parts_submit(casting, cast, cast_parts_record_nearest, problem) &&
        (!casting->has_edges || casting_again(casting, &again, problem)) &&
        (!again || cast_parts_submit(casting, cast, cast_parts_record_nearest, problem)) &&
        casting_collect(casting, hits, problem);
    *more = fine && ((casting->has_edges && edges_count(&casting->edges) > 0) ||
                     (cast->shadow && *hits > 0));
    return fine;
}

void cast_parts_record_more(struct casting *casting, struct run *run, const struct cast *cast)
{
    struct binding nearest[BINDINGS];
    struct casting_bound bound;
    cast_parts_bind(casting, cast, &bound, nearest);
    masks_record(&casting->masks, run, casting->atlas, bound.push.key);
    if (cast->edges) {
        casting_record_spans(casting, run, cast, &bound);
        edges_record_samples(&casting->edges, run, bound.table, &bound.push);
    }
    if (cast->shadow) {
        shadow_record_rays(
            &casting->shadow, run, nearest, &bound.shadow, &casting->buffers[CASTING_ARGUMENTS]);
    }
    cast_parts_count(casting, run);
}

bool cast_parts_add_more(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem)
{
    return casting_turn(casting, atlas, problem) &&
           cast_parts_submit(casting, cast, cast_parts_record_more, problem) &&
           casting_check(casting, problem);
}

void cast_parts_record_end(struct casting *casting, struct run *run, const struct cast *cast)
{
    struct binding nearest[BINDINGS];
    struct casting_bound bound;
    cast_parts_bind(casting, cast, &bound, nearest);
    shadow_record_mean(
        &casting->shadow, run, nearest, &bound.shadow, &casting->buffers[CASTING_ARGUMENTS]);
    if (cast->edges) {
        shadow_record_edges(
            &casting->shadow, run, nearest, &bound.shadow,
            &casting->edges.buffers[EDGES_ARGUMENTS]);
    }
}

bool cast_parts_end(struct casting *casting, const struct cast *cast, struct problem *problem)
{
    return !cast->shadow || cast_parts_submit(casting, cast, cast_parts_record_end, problem);
}
