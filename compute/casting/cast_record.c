// Records a cast, and reads its results on the host.

#include "compute/casting/internal.h"

#include "compute/atlas_keys.h"
#include "compute/casting/counter.h"
#include "compute/casting/section.h"
#include "compute/casting/spans.h"
#include "shaders/shared/casting.h"

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(struct cast_push) <= 128, "cast_push is over 128 bytes");

bool casting_by_pixel(const struct casting *casting, const struct cast *cast)
{
    return casting->in_parts || cast->shadow;
}

static void
casting_push(const struct casting *casting, const struct cast *cast, struct cast_push *out)
{
    *out = (struct cast_push){
        .perspective = cast->rays.perspective,
        .begin = cast->rays.begin,
        .x = cast->x,
        .y = cast->y,
        .width = cast->width,
        .height = cast->height,
        .border = (cast->border ? cast->border : cast->edges) |
                  (casting_by_pixel(casting, cast) ? CAST_BY_PIXEL : 0),
    };
    memcpy(out->anchor, cast->rays.anchor, sizeof out->anchor);
    memcpy(out->across, cast->rays.across, sizeof out->across);
    memcpy(out->down, cast->rays.down, sizeof out->down);
    memcpy(out->eye, cast->rays.eye, sizeof out->eye);
    const struct atlas *atlas = casting->atlas;
    out->own_y = (atlas->base_y + atlas->own_y_first) | (atlas->base_y + atlas->own_y_last) << 16;
    out->own_z = (atlas->base_z + atlas->own_first) | (atlas->base_z + atlas->own_last) << 16;
}

static void
casting_shadow_push(const struct cast *cast, const struct cast_push *push, struct shadow_push *out)
{
    *out = (struct shadow_push){
        .light = cast->light,
        .x = push->x,
        .y = push->y,
        .width = push->width,
        .height = push->height,
        .own_y = push->own_y,
        .own_z = push->own_z,
    };
}

static void
casting_contours(const struct casting *casting, const struct cast *cast, struct contours_block *out)
{
    *out = (struct contours_block){
        .count = cast->contours > 0 ? cast->contours : 1,
        .clipped = cast->plane_count > 0 ? cast->clipped : 0,
        .clip_all = cast->clip_all,
        .plane_count = cast->plane_count,
        .caps = cast->caps,
        .grey = section_greys(&cast->greys, casting->atlas),
        .section_count = cast->section_count,
    };
    memcpy(out->planes, cast->planes, sizeof out->planes);
    memcpy(out->sections, cast->sections, sizeof out->sections);
    for (uint32_t i = 0; i < out->count; i++) {
        struct cast_contour *own = &out->list[i];
        out->opacity[i] = 1 - cast->transparencies[i];
        own->iso = atlas_iso(casting->atlas->type, cast->isos[i]);
        skips_key(&casting->skips, own->iso.key, &own->cubes_most, &own->cubes_least);
    }
}

static bool casting_has_caps(const struct casting *casting)
{
    return casting->many >= CAST_MANY_CAPS;
}

static uint32_t casting_across(uint32_t pixels)
{
    return (pixels + CAST_TILE - 1) / CAST_TILE;
}

uint32_t casting_shaded(const struct casting *casting)
{
    return casting->pixels * (1 + casting->edges.samples);
}

uint32_t casting_tiles(const struct cast *cast)
{
    return casting_across(cast->width) * casting_across(cast->height);
}

void casting_bind(struct casting *casting, const struct cast *cast, struct casting_bound *out)
{
    const struct buffer *buffers = casting->buffers;
    *out =
        (struct casting_bound){ .table = {
                                    [BINDING_CUBES] = { &buffers[CASTING_CUBES] },
                                    [BINDING_HITS] = { &buffers[CASTING_HITS] },
                                    [BINDING_CONTOURS] = { &buffers[CASTING_CONTOURS] },
                                    [BINDING_HIT_LIST] = { &buffers[CASTING_LIST] },
                                    [BINDING_HIT_COUNTS] = { &buffers[CASTING_COUNTS] },
                                    [BINDING_SPANS] = { &buffers[CASTING_SPANS_OF] },
                                    [BINDING_SQUARES] = { &buffers[CASTING_SQUARES] },
                                    [BINDING_SQUARES_COUNTER] = { &buffers[CASTING_SQUARES_COUNT] },
                                    [BINDING_TILES] = { &buffers[CASTING_TILES] },
                                    [BINDING_POINTS] = { &buffers[CASTING_POINTS_OF] },
                                    [BINDING_NEAREST] = { &buffers[CASTING_NEAREST] },
                                    [BINDING_NEAREST_LIST] = { &buffers[CASTING_NEAREST_LIST] },
                                    [BINDING_NEAREST_COUNTS] = { &buffers[CASTING_NEAREST_COUNTS] },
                                } };
    out->state = casting_find(casting, cast->caster);
    assert(out->state);
    atlas_bind(casting->atlas, out->table);
    caster_state_bind(out->state, out->table);
    masks_bind(&casting->masks, out->table);
    edges_bind(&casting->edges, out->table);
    casting_contours(casting, cast, &out->contours);
    casting_push(casting, cast, &out->push);
    casting_shadow_push(cast, &out->push, &out->shadow);
    assert((uint64_t)cast->width * cast->height <= casting->pixels);
}

// Whether the list of hits is that of the layer recorded last.
static bool casting_in_layers(const struct casting *casting)
{
    return casting->at == LAYERS_OF_PIXELS || casting->at == LAYERS_OF_SAMPLES;
}

// Binds what is stored of each ray: of pixels, or of samples while these go through layers.
static void casting_bind_rays(const struct casting *casting, struct binding table[BINDINGS])
{
    const struct buffer *buffers = casting->buffers;
    edges_bind(&casting->edges, table);
    table[BINDING_HITS] = (struct binding){ &buffers[CASTING_HITS] };
    table[BINDING_POINTS] = (struct binding){ &buffers[CASTING_POINTS_OF] };
    table[BINDING_COLOURS] = (struct binding){ &buffers[CASTING_COLOURS] };
    if (casting->at == LAYERS_OF_SAMPLES) {
        table[BINDING_HITS] = table[BINDING_EDGE_NEAREST];
        table[BINDING_POINTS] = table[BINDING_EDGE_POINTS];
        table[BINDING_COLOURS] = table[BINDING_EDGE_COLOURS];
    }
}

void casting_bind_hits(const struct casting *casting, struct binding table[BINDINGS])
{
    const struct buffer *buffers = casting->buffers;
    const bool parts = casting->in_parts;
    const enum casting_buffer list = parts ? CASTING_NEAREST_LIST : CASTING_LIST;
    const enum casting_buffer counts = parts ? CASTING_NEAREST_COUNTS : CASTING_COUNTS;
    table[BINDING_HIT_LIST] = (struct binding){ &buffers[list] };
    table[BINDING_HIT_COUNTS] = (struct binding){ &buffers[counts] };
    table[BINDING_TILES] = (struct binding){ &buffers[CASTING_TILES] };
    casting_bind_rays(casting, table);
    if (casting_in_layers(casting)) {
        wavefront_bind_hits(&casting->layers, table);
    }
}

const struct buffer *casting_arguments(const struct casting *casting, uint64_t *offset)
{
    const bool layers = casting_in_layers(casting);
    *offset = layers ? 0 : COUNTER_FIRST;
    return layers              ? &casting->layers.buffers[WAVEFRONT_ARGUMENTS]
           : casting->in_parts ? &casting->buffers[CASTING_NEAREST_COUNTS]
                               : &casting->buffers[CASTING_COUNTS];
}

// Records the list of squares that have a span.
static void casting_record_squares(
    struct casting *casting, struct run *run, uint32_t across, uint32_t down,
    const struct binding table[BINDINGS])
{
    assert(across <= 0x10000 && down <= 0x10000); // the list has 16 bits for each
    const uint32_t each = counter_cast_lanes(casting->gpu) / (SPAN_SIDE * SPAN_SIDE);
    counter_record_none(run, &casting->buffers[CASTING_SQUARES_COUNT], across * down, each, each);
    masks_record_squares(&casting->masks, run, table, across, down);
}

void casting_record_spans(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound)
{
    struct spans_push push;
    const struct atlas *atlas = casting->atlas;
    spans_of(
        &cast->rays, (const uint32_t[3]){ 0, atlas->base_y, atlas->base_z }, atlas->dim, cast->x,
        cast->y, cast->width, cast->height, &push);
    run_fill(
        run, &casting->buffers[CASTING_SPANS_OF], 0, 8 * ((uint64_t)push.across * push.down + 1),
        SPAN_NONE);
    run_dispatch_indirect(
        run, &casting->kernels[CASTING_SPANS], bound->table, &push,
        &casting->masks.buffers[MASKS_COUNT], COUNTER_SECOND);
    casting_record_squares(casting, run, push.across, push.down, bound->table);
}

void casting_record_all_squares(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound)
{
    const uint32_t across = (cast->width + SPAN_SIDE - 1) / SPAN_SIDE;
    const uint32_t down = (cast->height + SPAN_SIDE - 1) / SPAN_SIDE;
    run_fill(
        run, &casting->buffers[CASTING_SPANS_OF], 0, 8 * ((uint64_t)across * down + 1), ~SPAN_NONE);
    casting_record_squares(casting, run, across, down, bound->table);
}

// Records what comes before the caster's own kernels.
static void casting_open(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound)
{
    counter_record_no_rays(run, &casting->buffers[CASTING_COUNTS], casting_shaded(casting));
    run_update(
        run, &casting->buffers[CASTING_CONTOURS], 0, &bound->contours, sizeof bound->contours);
    if (!casting->in_parts) { // in parts, the tiles collect the hits of all parts
        run_fill(run, &casting->buffers[CASTING_TILES], 0, casting_tiles(cast) * UINT64_C(4), 0);
    }
    caster_state_record(bound->state, run, bound->table);
    casting->has_masks = cast->caster->spans || cast->edges || cast->shadow || cast_layered(cast);
    if (casting->has_masks) {
        masks_record(
            &casting->masks, run, casting->atlas, &casting->buffers[CASTING_CONTOURS],
            &bound->contours);
        casting_record_spans(casting, run, cast, bound);
    }
    if (cast->caster->spans) {
        run_fill(
            run, &casting->buffers[CASTING_HITS], 0,
            (uint64_t)cast->width * cast->height * sizeof(struct cast_hit), CAST_NOTHING);
    }
    if (casting->has_masks || cast->caster->tree == CASTER_BVH) {
        run_stamp(run, STAGE_UPDATE);
    }
}

static bool casting_waits(const struct cast *cast)
{
    return cast->caster->wavefront && cast->rounds == CAST_ROUNDS_HOST;
}

// For a cast in which the host waits for each round. Starts the rays of all pixels (`first`), or
// runs the next round, and waits for it. *left: number of rays that go on in another round.
static bool casting_step(
    struct casting *casting, const struct cast *cast, bool first, uint32_t *left,
    struct problem *problem)
{
    struct casting_bound bound;
    struct run run;
    *left = 0;
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    casting_bind(casting, cast, &bound);
    struct wavefront *wavefront = &bound.state->wavefront;
    const struct wavefront_cast what = { bound.table, &bound.push };
    run_begin(&run, casting->gpu, cmd, NULL);
    if (first) {
        casting_open(casting, &run, cast, &bound);
        wavefront_record_pixels(wavefront, &run, &what);
    } else {
        wavefront_record_round(wavefront, &run, &what);
    }
    wavefront_record_counts(wavefront, &run);
    if (!gpu_submit_and_wait(casting->gpu, cmd, problem)) {
        return false;
    }
    *left = wavefront_left(wavefront);
    return true;
}

bool casting_begin(struct casting *casting, const struct cast *cast, struct problem *problem)
{
    uint32_t left = 0;
    bool fine = !casting_waits(cast) || casting_step(casting, cast, true, &left, problem);
    // This loop ends: in each round a ray searches at least one cell, or ends.
    while (left > 0) {
        fine = casting_step(casting, cast, false, &left, problem);
    }
    return fine;
}

static void
casting_record_rounds(struct run *run, const struct cast *cast, const struct casting_bound *bound)
{
    const struct wavefront_cast what = { bound->table, &bound->push };
    struct wavefront *wavefront = &bound->state->wavefront;
    const uint32_t rounds = cast->rounds == CAST_ROUNDS_DEFAULT ? CAST_ROUNDS
                            : cast->rounds == CAST_ROUNDS_NONE  ? 0
                                                                : cast->rounds;
    assert(rounds <= CAST_ROUNDS_MOST);
    assert(wavefront->method == wavefront_method(cast->method));
    wavefront_record_pixels(wavefront, run, &what);
    for (uint32_t i = 0; i < rounds; i++) {
        wavefront_record_round(wavefront, run, &what);
    }
    wavefront_record_tail(wavefront, run, &what);
    wavefront_record_counts(wavefront, run);
}

// Records the list of samples at edges.
static void casting_record_find(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound)
{
    if (casting_has_caps(casting)) { // squares without a surface may have caps
        casting_record_all_squares(casting, run, cast, bound);
    }
    edges_record_find(
        &casting->edges, run, bound->table, &bound->push, &casting->buffers[CASTING_SQUARES_COUNT],
        cast_layered(cast));
}

void casting_record(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct buffer *buffers = casting->buffers;
    struct casting_bound bound;
    casting_bind(casting, cast, &bound);
    casting->at = LAYERS_NONE;
    if (!casting_waits(cast)) {
        casting_open(casting, run, cast, &bound);
    }
    if (cast->caster->spans) {
        run_dispatch_indirect(
            run, &bound.state->kernel, bound.table, &bound.push, &buffers[CASTING_SQUARES_COUNT],
            COUNTER_FIRST);
        run_stamp(run, STAGE_MARCH);
    } else if (!cast->caster->wavefront) {
        run_dispatch(
            run, &bound.state->kernel, bound.table, &bound.push, casting_across(cast->width),
            casting_across(cast->height), 1);
        run_stamp(run, STAGE_MARCH);
    } else if (!casting_waits(cast)) {
        casting_record_rounds(run, cast, &bound);
    }
    if (casting_has_caps(casting)) {
        run_dispatch(
            run, &casting->kernels[CASTING_CAPS], bound.table, &bound.push,
            casting_across(cast->width), casting_across(cast->height), 1);
    }
    run_dispatch_indirect(
        run, &casting->kernels[CASTING_POINTS], bound.table, &bound.push, &buffers[CASTING_COUNTS],
        COUNTER_FIRST);
    if (cast->shadow) {
        shadow_record_clear(&casting->shadow, run, (uint64_t)cast->width * cast->height);
        for (enum shadow_kernel which = SHADOW_HITS; which <= SHADOW_MEAN; which++) {
            shadow_record(
                &casting->shadow, which, run, bound.table, &bound.shadow, &buffers[CASTING_COUNTS]);
        }
    }
    casting->has_edges = cast->edges && !cast_layered(cast);
    if (casting->has_edges) {
        casting_record_find(casting, run, cast, &bound);
        edges_record_samples(&casting->edges, run, bound.table, &bound.push, false);
    }
    if (casting->has_edges && cast->shadow) {
        shadow_record(
            &casting->shadow, SHADOW_EDGES, run, bound.table, &bound.shadow,
            &casting->edges.buffers[EDGES_COUNTS]);
    }
    run_copy(
        run, &buffers[CASTING_COUNTS], 0, &buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(run, &buffers[CASTING_COUNTED], ACCESS_HOST);
    run_stamp(run, STAGE_POINTS);
}

bool cast_layered(const struct cast *cast)
{
    bool layered = false;
    for (int i = 0; i < CONTOURS_MOST; i++) {
        layered = layered || cast->transparencies[i] > 0;
    }
    return layered;
}

static void casting_bind_layers(const struct casting *casting, struct casting_bound *bound)
{
    casting_bind_rays(casting, bound->table);
    bound->push.border |= casting->at == LAYERS_OF_SAMPLES ? CAST_BY_SAMPLE : 0;
}

// Records the points of the list of hits of a layer.
static void
casting_record_layer_points(struct casting *casting, struct run *run, struct casting_bound *bound)
{
    wavefront_bind_hits(&casting->layers, bound->table);
    uint64_t offset;
    const struct buffer *arguments = casting_arguments(casting, &offset);
    run_dispatch_indirect(
        run, &casting->kernels[CASTING_POINTS], bound->table, &bound->push, arguments, offset);
    run_stamp(run, STAGE_POINTS);
}

void casting_record_layer(struct casting *casting, struct run *run, const struct cast *cast)
{
    struct casting_bound bound;
    casting_bind(casting, cast, &bound);
    assert(!casting_by_pixel(casting, cast));
    if (casting->at == LAYERS_NONE) {
        wavefront_record_first(
            &casting->layers, run, bound.table, &casting->buffers[CASTING_COUNTS], COUNTER_FIRST);
        casting->at = LAYERS_OF_PIXELS;
    }
    const struct wavefront_cast what = { bound.table, &bound.push };
    casting_bind_layers(casting, &bound);
    wavefront_record_layer(&casting->layers, run, &what);
    casting_record_layer_points(casting, run, &bound);
}

void casting_find_samples(struct casting *casting, struct run *run, const struct cast *cast)
{
    struct casting_bound bound;
    casting_bind(casting, cast, &bound);
    bound.table[BINDING_NEXT_RAYS] =
        (struct binding){ &casting->layers.buffers[WAVEFRONT_RAYS] }; // what rays have seen
    casting_record_find(casting, run, cast, &bound);
    casting->has_edges = true;
    casting->at = LAYERS_FOUND;
}

void casting_record_samples(struct casting *casting, struct run *run, const struct cast *cast)
{
    struct casting_bound bound;
    casting_bind(casting, cast, &bound);
    wavefront_record_empty(&casting->layers, run, bound.table);
    edges_record_samples(&casting->edges, run, bound.table, &bound.push, true);
    run_dispatch(
        run, &casting->kernels[CASTING_ARRANGE], bound.table, &(struct arrange_push){ 1, 1 }, 1, 1,
        1);
    casting->at = LAYERS_OF_SAMPLES;
    casting_bind_layers(casting, &bound);
    casting_record_layer_points(casting, run, &bound);
}

void casting_end_samples(struct casting *casting)
{
    casting->at = LAYERS_ENDED;
}

void casting_record_left(struct casting *casting, struct run *run)
{
    const struct buffer *buffers = casting->buffers;
    wavefront_record_counts(&casting->layers, run);
    run_copy( // rays that did not end are counted in each layer
        run, &buffers[CASTING_COUNTS], 0, &buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(run, &buffers[CASTING_COUNTED], ACCESS_HOST);
}

uint32_t casting_layers_left(const struct casting *casting)
{
    return wavefront_left(&casting->layers);
}

bool casting_layers_go_on(const struct casting *casting, const struct cast *cast)
{
    return casting->at == LAYERS_NONE ||
           (casting->at != LAYERS_ENDED && (cast->edges || casting_layers_left(casting) > 0));
}

bool casting_free_memory(const struct casting *casting, const struct problem *why)
{
    return why->kind == PROBLEM_DEVICE_MEMORY && casting->in_parts &&
           budget_give_up(&casting->gpu->budget, GIVE_UP_PARTS);
}

bool casting_again(struct casting *casting, bool *again, struct problem *problem)
{
    struct edges *edges = &casting->edges;
    struct problem why;
    do {
        why = (struct problem){ 0 };
        *again = casting->has_edges && edges_overflowed(edges) &&
                 edges_enlarge(casting->gpu, edges, &why);
    } while (casting_free_memory(casting, &why));
    if (*again && casting->at == LAYERS_FOUND && casting_has_layers(casting)) {
        casting->at = LAYERS_OF_PIXELS; // what their rays have met is still there
        *again = false;
    }
    return why.kind == PROBLEM_NONE || problem_of_size(why.kind) ||
           problem_set(problem, why.kind, "%s", why.text);
}

void casting_rounds(struct casting *casting, const struct cast *cast, struct cast_rounds *out)
{
    const struct caster_state *state = casting_find(casting, cast->caster);
    wavefront_rounds(&state->wavefront, out);
}

bool casting_check(const struct casting *casting, struct problem *problem)
{
    const struct list_counter *counts = casting->buffers[CASTING_COUNTED].mapped;
    return counts->spare == 0 ||
           problem_set(
               problem, PROBLEM_INTERNAL,
               "%u rays did not end within the bound of their loops: please report this",
               counts->spare);
}

bool casting_collect(struct casting *casting, uint32_t *hits, struct problem *problem)
{
    if (casting->has_masks) {
        masks_done(&casting->masks);
    }
    const struct list_counter *counts = casting->buffers[CASTING_COUNTED].mapped;
    *hits = counts->count - counts->wrapped; // without the border
    return casting_check(casting, problem);
}

bool casting_run(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem)
{
    return casting_set_many(casting, cast, problem) &&
           casting_prepare(casting, cast->caster, cast->method, problem) &&
           casting_begin(casting, cast, problem) &&
           casting_run_recorded(casting, cast, hits, problem);
}

bool casting_submit(
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
    return gpu_submit_and_wait(casting->gpu, cmd, problem);
}

bool casting_run_recorded(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem)
{
    return casting_submit(casting, cast, casting_record, problem) &&
           casting_collect(casting, hits, problem);
}
