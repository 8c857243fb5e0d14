// Atlases stay on the device as long as memory allows (held_parts.h). Kernels, scratch and surface
// belong to one part and are reused for the next one of the same shape. All parts except the first
// and the last have the same shape.

#include "compute/extraction/part_size.h"
#include "compute/extraction/parts_internal.h"

#include "volumes/base/clock.h"

#include <string.h>

static struct held_part *parts_victim(
    const struct parts *parts, const struct atlas_part *cells, const struct held_part *keep)
{
    const uint32_t layers = parts->params.volume->dim[2] - 1;
    const uint32_t key = parts->extract ? parts->extract->key : 0;
    return held_parts_victim(&parts->held, cells, layers, key, keep);
}

// Gives up a held part that is not the current one.
static bool parts_give_up_part(void *user)
{
    struct parts *parts = user;
    if (!parts->now || parts->kept) {
        return false;
    }
    // Between two extractions there is no current part.
    struct held_part *keep = parts->extract ? parts->now : NULL;
    struct held_part *victim = parts_victim(parts, &parts->now->cells, keep);
    if (victim && victim == parts->now) {
        parts->now = NULL;
        parts->turned_to = 0;
    }
    if (victim) {
        held_parts_drop(parts->gpu, &parts->held, victim);
    }
    return victim;
}

// Gives up the kernels for another shape.
static bool parts_give_up_kernels(void *user)
{
    struct parts *parts = user;
    for (int i = PARTS_SHAPES - 2; i >= 0; i--) {
        if (parts->others[i]) {
            extraction_destroy(parts->others[i]);
            parts->others[i] = NULL;
            return true;
        }
    }
    return false;
}

void parts_offer(struct parts *parts)
{
    budget_offer(&parts->gpu->budget, GIVE_UP_PARTS, parts_give_up_part, parts);
    budget_offer(&parts->gpu->budget, GIVE_UP_KERNELS, parts_give_up_kernels, parts);
}

// Lets the budget give up something that is not needed now; never the current part.
static bool parts_free_memory(struct parts *parts)
{
    return budget_give_up(&parts->gpu->budget, GIVE_UP_SHOWN_SURFACE);
}

// Moves the extraction for parts of this shape to the front, if there is one, and strips the
// others.
static void parts_select_extraction(struct parts *parts, const struct atlas *described)
{
    struct extraction *last = parts->extraction;
    if (last && extraction_fits(last, described)) {
        return;
    }
    parts->extraction = NULL;
    parts->turned_to = 0;
    if (last) {
        extraction_strip(last);
    }
    // Moves `last` to the front of the others, and shifts those before the wanted one.
    for (int i = 0; i < PARTS_SHAPES - 1 && (last || !parts->extraction); i++) {
        struct extraction *one = parts->others[i];
        parts->others[i] = last;
        last = NULL;
        if (one && extraction_fits(one, described)) {
            parts->extraction = one;
            return;
        }
        last = one;
    }
    extraction_destroy(last);
}

// Provides slices for an atlas: first those shared with the previous part, then the source's.
static bool
parts_read(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    struct parts *parts = user;
    const uint64_t size = parts->slice_bytes;
    char *to = samples;
    uint32_t had = 0;
    while (parts->shared && had < count &&
           parts->shared_z[(z + had) % PARTS_SHARED] == z + had + 1) {
        memcpy(to + had * size, parts->shared + (z + had) % PARTS_SHARED * size, size);
        had++;
    }
    const struct atlas_source *source = &parts->source;
    if (had < count &&
        !source->read(source->user, z + had, count - had, to + had * size, problem)) {
        return false;
    }
    for (uint32_t i = count > PARTS_SHARED ? count - PARTS_SHARED : 0; parts->shared && i < count;
         i++) {
        memcpy(parts->shared + (z + i) % PARTS_SHARED * size, to + i * size, size);
        parts->shared_z[(z + i) % PARTS_SHARED] = z + i + 1;
    }
    parts->extract->totals.bytes_read += (count - had) * size;
    return true;
}

static struct atlas_params parts_atlas_params(
    const struct parts *parts, const struct one_part *one, const struct atlas_source *source)
{
    return (struct atlas_params){
        .storage = parts->params.storage,
        .max_extent = parts->params.max_extent,
        .cells = &one->cells,
        .source = parts->source.read ? source : NULL,
        .gaps = parts->gaps,
        .extremes = parts->extremes,
    };
}

// Whether an atlas is made for all kinds of samples that have been found so far.
static bool parts_atlas_suits(const struct parts *parts, const struct atlas *atlas)
{
    return atlas->has_gaps == parts->gaps && atlas->has_extremes == parts->extremes;
}

bool parts_extracts(const struct parts *parts)
{
    return !parts->extract->query.load_only || parts->count == 1;
}

// Reserves budget for this part's staging buffers until the next part begins.
static void parts_reserve_staging(struct parts *parts, const struct atlas *atlas)
{
    uint64_t capacity[LISTS] = { 0 };
    if (parts_extracts(parts)) {
        extraction_most(atlas, capacity);
    }
    parts->gpu->budget.reserve[PURPOSE_STAGING] = part_staging(parts->gpu, atlas, capacity);
}

// The held part to load a part into: one with an atlas of its shape, or an empty one. NULL: out of
// memory.
static struct held_part *parts_find_held(struct parts *parts, const struct one_part *one)
{
    struct gpu *gpu = parts->gpu;
    const struct volume *volume = parts->params.volume;
    const uint32_t most = parts->params.residents ? parts->params.residents : UINT32_MAX;
    const struct atlas_params params = parts_atlas_params(parts, one, NULL);
    struct atlas atlas;
    if (!atlas_describe(gpu, volume, &params, &atlas, NULL)) {
        return held_parts_add(&parts->held); // loading will report the problem
    }
    parts_reserve_staging(parts, &atlas);
    uint64_t need = atlas_bytes(gpu, &atlas);
    parts_select_extraction(parts, &atlas);
    if (parts_extracts(parts) && !parts->turned_to) { // its scratch has not been allocated yet
        const uint64_t has = surface_bytes(&parts->surface);
        uint64_t capacity[LISTS];
        extraction_guess(gpu, &atlas, capacity);
        const uint64_t wants =
            extraction_bytes(gpu, &atlas, parts->extract->query.method, capacity);
        need += wants > has ? wants - has : 0;
    }
    for (;;) {
        struct held_part *victim = parts_victim(parts, &one->cells, NULL);
        const bool fits = gpu_memory_free(gpu) >= need;
        if (!victim && !fits && parts_free_memory(parts)) {
            continue;
        }
        if (!victim || (victim->loaded && fits && parts->held.count < most)) {
            return held_parts_add(&parts->held);
        }
        if (victim == parts->now) {
            parts->now = NULL;
        }
        if (atlas_holds(&victim->atlas, volume, &one->cells) &&
            parts_atlas_suits(parts, &victim->atlas)) {
            return victim;
        }
        held_parts_drop(gpu, &parts->held, victim);
    }
}

bool parts_place(struct parts *parts, struct one_part *one, bool *there, struct problem *problem)
{
    struct held_part *found = held_parts_find(&parts->held, &one->cells);
    *there = found;
    if (found) {
        parts->now = found;
        parts->extract->totals.resident++;
        parts_reserve_staging(parts, &found->atlas);
        return true;
    }
    parts->now = NULL;
    parts->now = parts_find_held(parts, one);
    return parts->now || problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory loading a part");
}

bool parts_fill(struct parts *parts, struct one_part *one, struct problem *problem)
{
    struct gpu *gpu = parts->gpu;
    struct held_part *now = parts->now;
    const struct volume *volume = parts->params.volume;
    const struct atlas_source source = { parts_read, parts };
    const struct atlas_params params = parts_atlas_params(parts, one, &source);
    now->loaded = false;
    now->cells = one->cells;
    now->serial = ++parts->loads;
    now->used = parts->held.finds;
    return (now->atlas.brick_count || atlas_make(gpu, volume, &params, &now->atlas, problem)) &&
           atlas_load_begin(gpu, volume, &params, &now->atlas, &parts->extract->loading, problem);
}

// When samples that are not finite, or extreme, are found for the first time, all later parts are
// made for them.
static void parts_note_samples(struct parts *parts, const struct atlas *atlas)
{
    parts->gaps |= atlas->has_gaps;
    parts->extremes |= atlas->has_extremes;
    for (uint32_t i = 0; i < parts->held.count; i++) {
        struct held_part *held = parts->held.list[i];
        held->loaded &= parts_atlas_suits(parts, &held->atlas);
    }
}

bool parts_loaded(struct parts *parts, struct one_part *one, struct problem *problem)
{
    struct extract *extract = parts->extract;
    struct held_part *now = parts->now;
    atlas_load_end(extract->loading);
    extract->loading = NULL;
    if (!atlas_range(parts->gpu, &now->atlas, now->range, problem)) {
        return false;
    }
    extract->totals.upload_ms += now->atlas.upload_ms;
    extract->totals.ranges_ms += now->atlas.ranges_ms;
    extract->totals.loaded++;
    parts_note_samples(parts, &now->atlas);
    now->loaded = true;
    one->known = true;
    memcpy(one->range, now->range, sizeof one->range);
    return true;
}

void parts_drop_now(struct parts *parts)
{
    atlas_load_end(parts->extract->loading);
    parts->extract->loading = NULL;
    if (parts->now) {
        held_parts_drop(parts->gpu, &parts->held, parts->now);
        parts->now = NULL;
    }
}

bool parts_have_extraction(struct parts *parts, struct problem *problem)
{
    struct gpu *gpu = parts->gpu;
    const struct held_part *now = parts->now;
    parts_select_extraction(parts, &now->atlas);
    if (parts->turned_to == now->serial) {
        return true;
    }
    const double start = clock_ms();
    parts->turned_to = now->serial;
    if (parts->extraction) {
        extraction_turn(parts->extraction, &now->atlas);
    }
    while (!parts->extraction &&
           !extraction_create(gpu, &now->atlas, &parts->extraction, problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !parts_free_memory(parts)) {
            parts->turned_to = 0;
            return false;
        }
    }
    extraction_set_times(parts->extraction, parts->params.times);
    parts->extract->totals.kernels_ms += clock_ms() - start;
    return true;
}

// Frees scratch and surface.
static void parts_strip(struct parts *parts)
{
    if (parts->extraction) {
        extraction_strip(parts->extraction);
    }
    surface_destroy(parts->gpu, &parts->surface);
}

bool parts_extract(struct parts *parts, struct extraction_result *out, struct problem *problem)
{
    const struct budget *budget = &parts->gpu->budget;
    while (budget_exceeded(budget) && parts_free_memory(parts)) {
    }
    if (budget_exceeded(budget)) {
        parts_strip(parts);
    }
    const struct query *query = &parts->extract->query;
    const struct extraction_step step = {
        .iso = query->iso,
        .method = query->method,
        .target = &parts->surface,
        .every_brick = query->every_brick,
        .draws = query->draws,
    };
    bool fine = parts_have_extraction(parts, problem);
    const double start = clock_ms();
    fine = fine && extraction_run(parts->extraction, &step, out, problem);
    parts->extract->totals.extract_ms += clock_ms() - start;
    return fine;
}

void parts_clear(struct parts *parts)
{
    extraction_destroy(parts->extraction);
    parts->extraction = NULL;
    for (int i = 0; i < PARTS_SHAPES - 1; i++) {
        extraction_destroy(parts->others[i]);
        parts->others[i] = NULL;
    }
    surface_destroy(parts->gpu, &parts->surface);
    held_parts_clear(parts->gpu, &parts->held);
    parts->now = NULL;
    parts->turned_to = 0;
}
