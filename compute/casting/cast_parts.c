#include "compute/casting/cast_parts.h"

#include "compute/casting/internal.h"

bool cast_parts_begin(struct casting *casting, const struct cast *cast, struct problem *problem)
{
    const struct buffer *buffers = casting->buffers;
    const uint64_t pixels = (uint64_t)cast->width * cast->height;
    const struct list_counter none = { 0 };
    struct run run;
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    run_begin(&run, casting->gpu, cmd, NULL);
    run_fill(&run, &buffers[CASTING_NEAREST], 0, pixels * sizeof(struct cast_hit), CAST_NOTHING);
    run_fill(&run, &buffers[CASTING_TILES], 0, casting_tiles(cast) * UINT64_C(4), 0);
    run_update(&run, &buffers[CASTING_NEAREST_COUNTS], 0, &none, sizeof none);
    return gpu_submit_and_wait(casting->gpu, cmd, problem);
}

bool cast_parts_add(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem)
{
    struct cast plain = *cast;
    uint32_t hits;
    plain.edges = false; // they are found among the hits of all parts
    plain.border = cast->border ? cast->border : cast->edges;
    return casting_turn(casting, atlas, problem) && casting_begin(casting, &plain, problem) &&
           casting_run_recorded(casting, &plain, &hits, problem);
}

// Finds the pixels at edges among the nearest hits, which become those of the cast.
static bool
cast_parts_find(struct casting *casting, const struct cast *cast, struct problem *problem)
{
    const struct buffer *buffers = casting->buffers;
    struct casting_bound bound;
    struct run run;
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    run_begin(&run, casting->gpu, cmd, NULL);
    run_copy(
        &run, &buffers[CASTING_NEAREST], 0, &buffers[CASTING_HITS], 0,
        (uint64_t)cast->width * cast->height * sizeof(struct cast_hit));
    run_copy(
        &run, &buffers[CASTING_NEAREST_COUNTS], 0, &buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(&run, &buffers[CASTING_COUNTED], ACCESS_HOST);
    casting->has_edges = cast->edges && casting->atlas; // no part: no hits
    if (casting->has_edges) {
        casting_bind(casting, cast, &bound);
        casting_record_all_squares(casting, &run, cast, &bound);
        edges_record_find(
            &casting->edges, &run, bound.table, &bound.push, &buffers[CASTING_SQUARES_ARGUMENTS]);
        edges_record_clear(&casting->edges, &run);
    }
    return gpu_submit_and_wait(casting->gpu, cmd, problem);
}

bool cast_parts_end(
    struct casting *casting, const struct cast *cast, uint32_t *hits, bool *edges,
    struct problem *problem)
{
    bool again = false;
    const bool fine = cast_parts_find(casting, cast, problem) &&
                      (!casting->has_edges || casting_again(casting, &again, problem)) &&
                      (!again || cast_parts_find(casting, cast, problem));
    *edges = fine && casting->has_edges && edges_count(&casting->edges) > 0;
    return fine && casting_collect(casting, hits, problem);
}

bool cast_parts_add_edges(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem)
{
    struct casting_bound bound;
    struct run run;
    if (!casting_turn(casting, atlas, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    casting_bind(casting, cast, &bound);
    run_begin(&run, casting->gpu, cmd, NULL);
    casting_record_spans(casting, &run, cast, &bound);
    masks_record(&casting->masks, &run, atlas, bound.push.key);
    edges_record_samples(&casting->edges, &run, bound.table, &bound.push);
    run_copy(
        &run, &casting->buffers[CASTING_COUNTS], 0, &casting->buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(&run, &casting->buffers[CASTING_COUNTED], ACCESS_HOST);
    return gpu_submit_and_wait(casting->gpu, cmd, problem) && casting_check(casting, problem);
}
