// Cutting a volume into slabs, and the run from slab to slab; what is on the device meanwhile
// stands in slabs_device.c.

#include "compute/extraction/slabs_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(struct problem *problem)
{
    return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory cutting the volume into slabs");
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
    slabs->shared = params->source ? malloc(SLABS_SHARED * slabs->slice_bytes) : NULL;
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
        slabs_clear(slabs);
        free(slabs->list);
        free(slabs->shared);
        free(slabs);
    }
}

const struct slabs_plan *slabs_planned(const struct slabs *slabs)
{
    return &slabs->plan;
}

// What the caller does there is held to the limit that stood before the run, not to the slabs'.
static bool report(struct slabs *slabs)
{
    const struct slabs_sink *sink = &slabs->step->sink;
    const uint64_t limit = slabs->gpu->budget.limit;
    slabs->gpu->budget.limit = slabs->limit;
    const bool ok = !sink->progress || sink->progress(sink->user, &slabs->progress);
    slabs->gpu->budget.limit = limit;
    return ok && !interrupted;
}

bool slabs_read(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    struct slabs *slabs = user;
    const uint64_t size = slabs->slice_bytes;
    char *to = samples;
    uint32_t had = 0;
    while (had < count && slabs->shared_z[(z + had) % SLABS_SHARED] == z + had + 1) {
        memcpy(to + had * size, slabs->shared + (z + had) % SLABS_SHARED * size, size);
        had++;
    }
    const struct atlas_source *source = slabs->params.source;
    if (had < count &&
        !source->read(source->user, z + had, count - had, to + had * size, problem)) {
        return false;
    }
    for (uint32_t i = count > SLABS_SHARED ? count - SLABS_SHARED : 0; i < count; i++) {
        memcpy(slabs->shared + (z + i) % SLABS_SHARED * size, to + i * size, size);
        slabs->shared_z[(z + i) % SLABS_SHARED] = z + i + 1;
    }
    slabs->result->bytes_read += (count - had) * size;
    slabs->progress.bytes_read = slabs->result->bytes_read;
    return report(slabs) || problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
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
    slabs->handing = sink->part; // what that has taken cannot be made again
    if (sink->part) {
        struct mesh mesh;
        if (!extraction_download(slabs->extraction, &slabs->surface, found, &mesh, problem)) {
            return false;
        }
        const struct volume *volume = slabs->params.volume;
        const struct atlas_slab *slab = &slabs->now->slab;
        const uint32_t end = slab->first + slab->layers;
        const struct slabs_part part = {
            .mesh = &mesh,
            .vertices =
                end == volume->dim[2] - 1 ? mesh.vertex_count : vertices_below(&mesh, volume, end),
            .first_vertex = result->vertices,
            .first_triangle = result->triangles,
            .slab = *slab,
            .result = found,
        };
        ok = sink->part(sink->user, &part, problem);
        result->vertices += part.vertices;
        mesh_destroy(&mesh);
    }
    ok = ok && (!sink->surface ||
                sink->surface(sink->user, &slabs->now->atlas, &slabs->surface, found, problem));
    if (ok) {
        result->triangles += found->triangles;
        result->active_bricks += found->active_bricks;
        result->active_cells += found->active_cells;
    }
    return ok;
}

static bool misses(const struct slabs *slabs, const struct one *one)
{
    return one->known && !slabs->step->every_brick &&
           !(one->range[0] < slabs->key && one->range[1] >= slabs->key);
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

// Loads a slab and hands its surface over, unless it turns out to have none.
static bool run_one(struct slabs *slabs, struct one *one, struct problem *problem)
{
    struct extraction_result found;
    return slabs_load(slabs, one, problem) &&
           (misses(slabs, one) ||
            (slabs_extract(slabs, &found, problem) && hand_over(slabs, &found, problem)));
}

// One slab after another; one that the device has no memory for, with nothing else on it, is cut
// and tried again.
static bool run_all(struct slabs *slabs, struct problem *problem)
{
    bool alone = slabs->residents.count == 0; // nothing else is on the device
    for (uint32_t i = 0; i < slabs->count;) {
        if (!report(slabs)) {
            return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
        }
        struct one *one = &slabs->list[i];
        if (misses(slabs, one)) {
            slabs->result->missed++;
        } else {
            slabs->handing = false;
            if (!run_one(slabs, one, problem)) {
                if (problem->kind != PROBLEM_DEVICE_MEMORY || slabs->handing ||
                    (alone && one->slab.layers == 1)) {
                    return false;
                }
                slabs_clear(slabs);
                if (alone) {
                    if (!cut(slabs, i, problem)) {
                        return false;
                    }
                    slabs->result->cut++;
                }
                alone = true;
                continue;
            }
            alone = false;
        }
        slabs->progress.layers_done = one->slab.first + one->slab.layers;
        i++;
    }
    return report(slabs) || problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
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
            problem, PROBLEM_UNSUPPORTED, "%s cannot run here: %s", step->method->name, why);
    }
    *out = (struct slabs_result){ 0 };
    slabs->step = step;
    slabs->key = atlas_iso(slabs->params.volume->type, step->iso).key;
    slabs->result = out;
    slabs->progress = (struct slabs_progress){ .layers = slabs->params.volume->dim[2] - 1 };
    slabs->limit = gpu->budget.limit;
    if (!slabs->limit || slabs->plan.budget < slabs->limit) {
        gpu->budget.limit = slabs->plan.budget;
    }
    struct problem ours = { 0 };
    const bool ok = run_all(slabs, &ours);
    if (!ok && ours.kind != PROBLEM_INTERRUPTED) {
        slabs_clear(slabs);
    }
    gpu->budget.limit = slabs->limit;
    out->slabs = slabs->count;
    out->held = slabs->residents.count;
    return ok || problem_set(problem, ours.kind, "%s", ours.text);
}

void slabs_release(struct slabs *slabs)
{
    slabs_clear(slabs);
}

void slabs_add_stages(struct extraction_result *total, const struct extraction_result *slab)
{
    total->bricks_choice = slab->bricks_choice;
    total->cells_choice = slab->cells_choice;
    for (uint32_t i = 0; i < slab->stage_count; i++) {
        uint32_t at = 0;
        while (at < total->stage_count && total->stages[at].kind != slab->stages[i].kind) {
            at++;
        }
        if (at == STOPWATCH_STAGES) {
            continue;
        }
        if (at == total->stage_count) {
            total->stages[total->stage_count++] = slab->stages[i];
            total->stage_ms[at] = 0;
        }
        total->stage_ms[at] += slab->stage_ms[i];
    }
}
