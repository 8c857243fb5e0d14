// Atlases stay on the device while there is room (residents.h). Kernels, scratch and surface are
// one slab's, used again for the next where that has the same shape, which all have but the first
// and the last.

#include "compute/extraction/slabs_internal.h"

#include <string.h>

void slabs_clear(struct slabs *slabs)
{
    extraction_destroy(slabs->extraction);
    slabs->extraction = NULL;
    for (int i = 0; i < SHAPES - 1; i++) {
        extraction_destroy(slabs->others[i]);
        slabs->others[i] = NULL;
    }
    surface_destroy(slabs->gpu, &slabs->surface);
    residents_clear(slabs->gpu, &slabs->residents);
    slabs->now = NULL;
}

static struct resident *
spare_of(const struct slabs *slabs, const struct atlas_slab *slab, const struct resident *keep)
{
    const uint32_t layers = slabs->params.volume->dim[2] - 1;
    return residents_spare(&slabs->residents, slab, layers, slabs->key, keep);
}

static bool caller_gives_up(const struct slabs *slabs)
{
    const struct slabs_sink *sink = &slabs->step->sink;
    return sink->give_up && sink->give_up(sink->user);
}

// The kernels of another shape.
static bool give_up_kernels(struct slabs *slabs)
{
    for (int i = SHAPES - 2; i >= 0; i--) {
        if (slabs->others[i]) {
            extraction_destroy(slabs->others[i]);
            slabs->others[i] = NULL;
            return true;
        }
    }
    return false;
}

bool slabs_give_up(struct slabs *slabs)
{
    struct resident *spare = spare_of(slabs, &slabs->now->slab, slabs->now);
    if (spare) {
        residents_drop(slabs->gpu, &slabs->residents, spare);
    }
    return spare || give_up_kernels(slabs) || caller_gives_up(slabs);
}

// Brings what is for slabs of this shape to the front, where there is such; the others are
// stripped.
static void choose_extraction(struct slabs *slabs, const struct atlas *described)
{
    struct extraction *last = slabs->extraction;
    if (last && extraction_fits(last, described)) {
        return;
    }
    slabs->extraction = NULL;
    slabs->turned_to = 0;
    if (last) {
        extraction_strip(last);
    }
    // `last` goes to the front of the others, up to the place where the wanted one has been.
    for (int i = 0; i < SHAPES - 1 && (last || !slabs->extraction); i++) {
        struct extraction *one = slabs->others[i];
        slabs->others[i] = last;
        last = NULL;
        if (one && extraction_fits(one, described)) {
            slabs->extraction = one;
            return;
        }
        last = one;
    }
    extraction_destroy(last);
}

static struct atlas_params
params_of(const struct slabs *slabs, const struct one *one, const struct atlas_source *source)
{
    return (struct atlas_params){
        .storage = slabs->params.storage,
        .max_extent = slabs->params.max_extent,
        .slab = &one->slab,
        .source = slabs->params.source ? source : NULL,
        .gaps = slabs->gaps,
        .extremes = slabs->extremes,
    };
}

// Whether an atlas is made for all that has been met.
static bool has_all(const struct slabs *slabs, const struct atlas *atlas)
{
    return atlas->has_gaps == slabs->gaps && atlas->has_extremes == slabs->extremes;
}

// Somewhere to load a slab into: with an atlas of its shape, or none. NULL: out of memory.
static struct resident *seat(struct slabs *slabs, const struct one *one)
{
    struct gpu *gpu = slabs->gpu;
    const struct volume *volume = slabs->params.volume;
    const uint32_t most = slabs->params.residents ? slabs->params.residents : UINT32_MAX;
    const struct atlas_params params = params_of(slabs, one, NULL);
    struct atlas atlas;
    if (!atlas_describe(gpu, volume, &params, &atlas, NULL)) {
        return residents_add(&slabs->residents); // loading says why not
    }
    uint64_t room[LISTS];
    extraction_most(&atlas, room);
    uint64_t need = atlas_bytes(gpu, &atlas) + slabs_staging(gpu, &atlas, room);
    choose_extraction(slabs, &atlas);
    if (!slabs->turned_to) { // its scratch is still to be made
        const uint64_t has = surface_bytes(&slabs->surface);
        extraction_guess(&atlas, room);
        const uint64_t wants = extraction_bytes(gpu, &atlas, slabs->step->method, room);
        need += wants > has ? wants - has : 0;
    }
    for (;;) {
        struct resident *spare = spare_of(slabs, &one->slab, NULL);
        const bool fits = gpu_memory_free(gpu) >= need;
        if (!spare && !fits && (give_up_kernels(slabs) || caller_gives_up(slabs))) {
            continue;
        }
        if (!spare || (spare->loaded && fits && slabs->residents.count < most)) {
            return residents_add(&slabs->residents);
        }
        if (atlas_holds(&spare->atlas, volume, &one->slab) && has_all(slabs, &spare->atlas)) {
            return spare;
        }
        residents_drop(gpu, &slabs->residents, spare);
    }
}

// Where samples that are not finite, or extreme, come up for the first time: from now on every slab
// is made for them.
static void meet(struct slabs *slabs, const struct atlas *atlas)
{
    slabs->gaps |= atlas->has_gaps;
    slabs->extremes |= atlas->has_extremes;
    for (uint32_t i = 0; i < slabs->residents.count; i++) {
        slabs->residents.list[i]->loaded &= has_all(slabs, &slabs->residents.list[i]->atlas);
    }
}

static bool
fill(struct slabs *slabs, const struct one *one, struct resident *out, struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    const struct volume *volume = slabs->params.volume;
    const struct atlas_source source = { slabs_read, slabs };
    const struct atlas_params params = params_of(slabs, one, &source);
    out->loaded = false;
    out->slab = one->slab;
    out->serial = ++slabs->loads;
    out->used = slabs->residents.finds;
    return (out->atlas.brick_count ? atlas_load(gpu, volume, &params, &out->atlas, problem)
                                   : atlas_create(gpu, volume, &params, &out->atlas, problem)) &&
           atlas_range(gpu, &out->atlas, out->range, problem);
}

bool slabs_load(struct slabs *slabs, struct one *one, struct problem *problem)
{
    slabs->now = residents_find(&slabs->residents, &one->slab);
    if (slabs->now) {
        slabs->result->resident++;
        return true;
    }
    slabs->now = seat(slabs, one);
    if (!slabs->now) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory loading a slab");
    }
    if (!fill(slabs, one, slabs->now, problem)) {
        residents_drop(slabs->gpu, &slabs->residents, slabs->now);
        slabs->now = NULL;
        return false;
    }
    meet(slabs, &slabs->now->atlas);
    slabs->now->loaded = true;
    one->known = true;
    memcpy(one->range, slabs->now->range, sizeof one->range);
    slabs->result->loaded++;
    return true;
}

// An extraction for the slab that is worked on.
static bool have_extraction(struct slabs *slabs, struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    const struct resident *now = slabs->now;
    choose_extraction(slabs, &now->atlas);
    if (slabs->turned_to == now->serial) {
        return true;
    }
    slabs->turned_to = now->serial;
    while (
        !(slabs->extraction ? extraction_turn(slabs->extraction, &now->atlas, problem)
                            : extraction_create(gpu, &now->atlas, &slabs->extraction, problem))) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !slabs_give_up(slabs)) {
            slabs->turned_to = 0;
            return false;
        }
    }
    extraction_choose_by(slabs->extraction, slabs->params.times);
    return true;
}

// Gives scratch and surface back.
static void strip(struct slabs *slabs)
{
    if (slabs->extraction) {
        extraction_strip(slabs->extraction);
    }
    slabs->turned_to = 0;
    surface_destroy(slabs->gpu, &slabs->surface);
}

static bool step_once(struct slabs *slabs, struct extraction_result *out, struct problem *problem)
{
    VkCommandBuffer cmd = gpu_begin(slabs->gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, slabs->gpu, cmd, NULL);
    extraction_record(
        slabs->extraction, &run,
        &(struct extraction_step){
            .iso = slabs->step->iso,
            .method = slabs->step->method,
            .target = &slabs->surface,
            .every_brick = slabs->step->every_brick,
        });
    if (!gpu_submit_and_wait(slabs->gpu, cmd, problem)) {
        return false;
    }
    extraction_collect(slabs->extraction, out);
    return true;
}

// What grows needs room for its old self, too, until it has grown; where there is none other slabs
// go, and at last all is given back and made as large as is needed.
static bool extract(struct slabs *slabs, struct extraction_result *out, struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    bool given_back = false;
    while (gpu_memory_held(gpu) > gpu->budget.limit && slabs_give_up(slabs)) {
    }
    if (gpu_memory_held(gpu) > gpu->budget.limit) {
        strip(slabs);
    }
    if (!have_extraction(slabs, problem)) {
        return false;
    }
    for (int attempt = 0; attempt < 12;) {
        uint64_t room[LISTS];
        extraction_wanted(slabs->extraction, room);
        if (extraction_prepare(slabs->extraction, &slabs->surface, slabs->step->method, problem)) {
            given_back = false;
            attempt++;
            if (!step_once(slabs, out, problem)) {
                return false;
            }
            if (out->whole) {
                return true;
            }
            continue;
        }
        if (given_back || problem->kind != PROBLEM_DEVICE_MEMORY) {
            return false;
        }
        if (!slabs_give_up(slabs)) {
            strip(slabs);
            if (!have_extraction(slabs, problem)) {
                return false;
            }
            given_back = true;
        }
        extraction_want(slabs->extraction, room);
    }
    return problem_set(
        problem, PROBLEM_DEVICE_MEMORY, "the surface at %g of a slab has more than 2^32 elements",
        slabs->step->iso);
}

bool slabs_extract(struct slabs *slabs, struct extraction_result *out, struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    const uint64_t limit = gpu->budget.limit;
    uint64_t room[LISTS];
    extraction_most(&slabs->now->atlas, room);
    const uint64_t staging = slabs_staging(gpu, &slabs->now->atlas, room);
    gpu->budget.limit = staging < limit ? limit - staging : 1; // 0 would be none
    const bool ok = extract(slabs, out, problem);
    gpu->budget.limit = limit;
    return ok;
}
