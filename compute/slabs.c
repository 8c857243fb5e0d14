// One slab is on the device at a time. Its atlas, scratch and surface are used again for the next
// one where that has the same shape, which all have but the first and the last.

#include "compute/slabs_plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARED 3 // slices that the atlases of neighbours share, at most

struct one {
    struct atlas_slab slab;
    bool known;        // what it was cut from, or itself, has been loaded, or its slices are known
    uint32_t range[2]; // least and greatest key of its samples
};

struct slabs {
    struct gpu *gpu;
    struct slabs_params params;
    struct slabs_plan plan;
    struct one *list; // bottom to top
    uint32_t count;
    uint64_t held; // bytes of device memory, of what is below

    // What is on the device.
    struct atlas atlas;
    bool loaded; // the atlas holds `slab`
    struct atlas_slab slab;
    bool gaps; // some slab has had samples that are not finite
    struct extraction *extraction;
    struct surface surface;

    // The last slices that have been read: slice z in place z % SHARED.
    char *shared;
    uint64_t slice_bytes;
    uint32_t shared_z[SHARED]; // z + 1; 0: none

    // Of the run.
    const struct slabs_step *step;
    struct slabs_result *result;
    struct slabs_progress progress;
};

static void clear(struct slabs *slabs)
{
    extraction_destroy(slabs->extraction);
    slabs->extraction = NULL;
    surface_destroy(slabs->gpu, &slabs->surface);
    atlas_destroy(slabs->gpu, &slabs->atlas);
    slabs->loaded = false;
}

static bool no_memory(struct problem *problem)
{
    return problem_set(problem, PROBLEM_DEVICE, "out of memory cutting the volume into slabs");
}

// What it spans by its slices, of which the last is the next slab's first. Where none of them has a
// finite sample it spans nothing.
static void know(struct one *one, const struct slice_range *ranges, enum volume_type type)
{
    double min = INFINITY, max = -INFINITY;
    for (uint32_t z = one->slab.first; z <= one->slab.first + one->slab.layers; z++) {
        min = fmin(min, ranges[z].min);
        max = fmax(max, ranges[z].max);
    }
    one->known = true;
    one->range[0] = min <= max ? atlas_iso(type, min).key : UINT32_MAX;
    one->range[1] = min <= max ? atlas_iso(type, max).key : 0;
}

bool slabs_create(
    struct gpu *gpu, const struct slabs_params *params, struct slabs **out, struct problem *problem)
{
    *out = NULL;
    struct slabs_plan plan;
    if (!slabs_plan(gpu, params, &plan, problem)) {
        return false;
    }
    const struct volume *volume = params->volume;
    struct slabs *slabs = calloc(1, sizeof *slabs);
    if (!slabs) {
        return no_memory(problem);
    }
    *slabs = (struct slabs){
        .gpu = gpu,
        .params = *params,
        .plan = plan,
        .list = calloc(plan.count, sizeof *slabs->list),
        .slice_bytes = (uint64_t)volume->dim[0] * volume->dim[1] * volume_type_size(volume->type),
    };
    slabs->shared = params->source ? malloc(SHARED * slabs->slice_bytes) : NULL;
    if (!slabs->list || (params->source && !slabs->shared)) {
        slabs_destroy(slabs);
        return no_memory(problem);
    }
    const uint32_t layers = volume->dim[2] - 1;
    for (uint32_t first = 0; first < layers; first += plan.layers) {
        const uint32_t left = layers - first;
        slabs->list[slabs->count++].slab = (struct atlas_slab){
            first,
            left < plan.layers ? left : plan.layers,
        };
        if (params->ranges) {
            know(&slabs->list[slabs->count - 1], params->ranges, volume->type);
        }
    }
    slabs->params.ranges = NULL;
    *out = slabs;
    return true;
}

void slabs_destroy(struct slabs *slabs)
{
    if (slabs) {
        clear(slabs);
        free(slabs->list);
        free(slabs->shared);
        free(slabs);
    }
}

const struct slabs_plan *slabs_planned(const struct slabs *slabs)
{
    return &slabs->plan;
}

static bool report(struct slabs *slabs)
{
    const struct slabs_sink *sink = &slabs->step->sink;
    return !gpu_interrupted && (!sink->progress || sink->progress(sink->user, &slabs->progress));
}

// Slices for the atlas: those that the slab before has had, then those of the source.
static bool
read_slices(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    struct slabs *slabs = user;
    const uint64_t size = slabs->slice_bytes;
    char *to = samples;
    uint32_t had = 0;
    while (had < count && slabs->shared_z[(z + had) % SHARED] == z + had + 1) {
        memcpy(to + had * size, slabs->shared + (z + had) % SHARED * size, size);
        had++;
    }
    const struct atlas_source *source = slabs->params.source;
    if (had < count &&
        !source->read(source->user, z + had, count - had, to + had * size, problem)) {
        return false;
    }
    for (uint32_t i = count > SHARED ? count - SHARED : 0; i < count; i++) {
        memcpy(slabs->shared + (z + i) % SHARED * size, to + i * size, size);
        slabs->shared_z[(z + i) % SHARED] = z + i + 1;
    }
    slabs->result->bytes_read += (count - had) * size;
    slabs->progress.bytes_read = slabs->result->bytes_read;
    return report(slabs) || problem_set(problem, PROBLEM_CANCELLED, "interrupted");
}

// Has the slab on the device, and learns what it spans.
static bool load(struct slabs *slabs, struct one *one, struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    const struct slabs_params *params = &slabs->params;
    if (slabs->loaded && slabs->slab.first == one->slab.first &&
        slabs->slab.layers == one->slab.layers) {
        slabs->result->resident++;
        return true;
    }
    const struct atlas_source source = { read_slices, slabs };
    const struct atlas_params atlas_params = {
        .storage = params->storage,
        .max_extent = params->max_extent,
        .slab = &one->slab,
        .source = params->source ? &source : NULL,
        .gaps = slabs->gaps,
    };
    slabs->loaded = false;
    const bool had_gaps = slabs->atlas.has_gaps;
    if (slabs->atlas.brick_count && atlas_holds(&slabs->atlas, params->volume, &one->slab)) {
        if (!atlas_load(gpu, params->volume, &atlas_params, &slabs->atlas, problem)) {
            return false;
        }
    } else {
        clear(slabs);
        if (!atlas_create(gpu, params->volume, &atlas_params, &slabs->atlas, problem)) {
            return false;
        }
    }
    slabs->gaps |= slabs->atlas.has_gaps;
    if (slabs->extraction && slabs->atlas.has_gaps != had_gaps) {
        extraction_destroy(slabs->extraction);
        slabs->extraction = NULL;
    }
    if (slabs->extraction) {
        extraction_forget(slabs->extraction);
    }
    if (!atlas_range(gpu, &slabs->atlas, one->range, problem)) {
        return false;
    }
    one->known = true;
    slabs->loaded = true;
    slabs->slab = one->slab;
    slabs->result->loaded++;
    return true;
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
        });
    if (!gpu_submit_and_wait(slabs->gpu, cmd, problem)) {
        return false;
    }
    extraction_collect(slabs->extraction, out);
    return true;
}

static bool create_extraction(struct slabs *slabs, struct problem *problem)
{
    if (!extraction_create(slabs->gpu, &slabs->atlas, &slabs->extraction, problem)) {
        return false;
    }
    extraction_choose_by(slabs->extraction, slabs->params.times);
    return true;
}

// The surface of the slab on the device. What grows needs room for its old self, too, until it has
// grown; where there is none all is given back first, and made as large as is needed.
static bool extract(struct slabs *slabs, struct extraction_result *out, struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    const struct method *method = slabs->step->method;
    bool given_back = false;
    for (int attempt = 0; attempt < 12; attempt++) {
        if (!slabs->extraction && !create_extraction(slabs, problem)) {
            return false;
        }
        uint64_t room[LISTS];
        extraction_wanted(slabs->extraction, room);
        if (extraction_prepare(slabs->extraction, &slabs->surface, method, problem)) {
            given_back = false;
            if (!step_once(slabs, out, problem)) {
                return false;
            }
            if (out->whole) {
                return true;
            }
            continue;
        }
        if (given_back) {
            return false;
        }
        extraction_destroy(slabs->extraction);
        surface_destroy(gpu, &slabs->surface);
        if (!create_extraction(slabs, problem)) {
            return false;
        }
        extraction_want(slabs->extraction, room);
        given_back = true;
    }
    return problem_set(
        problem, PROBLEM_DEVICE, "the surface at %g of a slab has more than 2^32 elements",
        slabs->step->iso);
}

// The same, leaving free what loading and reading back take.
static bool
extract_within(struct slabs *slabs, struct extraction_result *out, struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    const uint64_t limit = gpu->memory_limit;
    uint64_t room[LISTS];
    extraction_most(&slabs->atlas, room);
    const uint64_t staging = slabs_staging(gpu, &slabs->atlas, room);
    gpu->memory_limit = staging < limit ? limit - staging : 1; // 0 would be none
    const bool ok = extract(slabs, out, problem);
    gpu->memory_limit = limit;
    return ok;
}

// The vertices of a canonical mesh whose edges start below slice z.
static uint64_t vertices_below(const struct mesh *mesh, const struct volume *volume, uint32_t z)
{
    const uint64_t end = (uint64_t)z * volume->dim[0] * volume->dim[1] * 3;
    uint64_t low = 0, high = mesh->vertex_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (mesh->edges[middle] < end) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool
hand_over(struct slabs *slabs, const struct extraction_result *found, struct problem *problem)
{
    const struct slabs_sink *sink = &slabs->step->sink;
    struct slabs_result *result = slabs->result;
    bool ok = true;
    if (sink->part) {
        struct mesh mesh;
        if (!extraction_download(slabs->extraction, &slabs->surface, found, &mesh, problem)) {
            return false;
        }
        const struct volume *volume = slabs->params.volume;
        const uint32_t end = slabs->slab.first + slabs->slab.layers;
        const struct slabs_part part = {
            .mesh = &mesh,
            .vertices =
                end == volume->dim[2] - 1 ? mesh.vertex_count : vertices_below(&mesh, volume, end),
            .first_vertex = result->vertices,
            .first_triangle = result->triangles,
            .slab = slabs->slab,
            .result = found,
        };
        ok = sink->part(sink->user, &part, problem);
        result->vertices += part.vertices;
        mesh_destroy(&mesh);
    }
    result->triangles += found->triangles;
    result->active_bricks += found->active_bricks;
    result->active_cells += found->active_cells;
    return ok && (!sink->surface ||
                  sink->surface(sink->user, &slabs->atlas, &slabs->surface, found, problem));
}

static bool misses(const struct one *one, uint32_t key)
{
    return one->known && !(one->range[0] < key && one->range[1] >= key);
}

// Two slabs in place of one. What the two span lies within what the one did.
static bool cut(struct slabs *slabs, uint32_t at, struct problem *problem)
{
    struct one *list = realloc(slabs->list, (slabs->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return no_memory(problem);
    }
    slabs->list = list;
    memmove(&list[at + 1], &list[at], (slabs->count - at) * sizeof *list);
    slabs->count++;
    const struct atlas_slab whole = list[at].slab;
    list[at].slab.layers = whole.layers / 2;
    list[at + 1].slab.first += list[at].slab.layers;
    list[at + 1].slab.layers -= list[at].slab.layers;
    return true;
}

// One slab after another; one that the device has no memory for is cut and tried again.
static bool run_all(struct slabs *slabs, uint32_t key, struct problem *problem)
{
    const struct gpu *gpu = slabs->gpu;
    for (uint32_t i = 0; i < slabs->count;) {
        if (!report(slabs)) {
            return problem_set(problem, PROBLEM_CANCELLED, "interrupted");
        }
        struct one *one = &slabs->list[i];
        struct extraction_result found;
        bool ok = true;
        if (misses(one, key)) {
            slabs->result->missed++;
        } else {
            struct problem why = { 0 };
            ok =
                load(slabs, one, &why) && (misses(one, key) || extract_within(slabs, &found, &why));
            if (!ok) {
                clear(slabs);
                if (why.code != PROBLEM_DEVICE || gpu->lost || one->slab.layers == 1) {
                    return problem_set(problem, why.code, "%s", why.text);
                }
                if (!cut(slabs, i, problem)) {
                    return false;
                }
                slabs->result->cut++;
                continue;
            }
            if (!misses(one, key) && !hand_over(slabs, &found, problem)) {
                return false;
            }
        }
        slabs->progress.layers_done = one->slab.first + one->slab.layers;
        i++;
    }
    return report(slabs) || problem_set(problem, PROBLEM_CANCELLED, "interrupted");
}

bool slabs_run(
    struct slabs *slabs, const struct slabs_step *step, struct slabs_result *out,
    struct problem *problem)
{
    struct gpu *gpu = slabs->gpu;
    assert(step->method);
    const char *why = method_unavailable(step->method, gpu);
    if (why) {
        return problem_set(
            problem, PROBLEM_DEVICE, "%s cannot run here: %s", step->method->name, why);
    }
    *out = (struct slabs_result){ 0 };
    slabs->step = step;
    slabs->result = out;
    slabs->progress = (struct slabs_progress){ .layers = slabs->params.volume->dim[2] - 1 };
    const uint64_t limit = gpu->memory_limit, others = gpu->allocated - slabs->held;
    const uint64_t own = others + slabs->plan.budget;
    gpu->memory_limit = limit && limit < own ? limit : own;
    const bool ok = run_all(slabs, atlas_iso(slabs->params.volume->type, step->iso).key, problem);
    if (!ok) {
        clear(slabs);
    }
    gpu->memory_limit = limit;
    slabs->held = gpu->allocated - others;
    out->slabs = slabs->count;
    return ok;
}
