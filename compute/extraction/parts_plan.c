// How thick a slab may be. Its device memory grows with its thickness, so that is found by halving.

#include "compute/extraction/parts_internal.h"

#include <inttypes.h>
#include <math.h>

#define WORK_SHARE 4 // of the budget, that a part takes with its scratch and its surface

// Nobody can stop what a device is at. Where it is a CPU, one of several parts is so small that it
// takes well under a second.
#define CELLS_OF_A_CPU (UINT64_C(1) << 24)

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t parts_staging(const struct gpu *gpu, const struct atlas *atlas, const uint64_t room[LISTS])
{
    const uint64_t longest = greater(room[LIST_VERTICES] * VERTEX_BYTES, room[LIST_TRIANGLES] * 12);
    return greater(atlas_staging_bytes(gpu, atlas), buffer_staging_bytes(gpu, longest));
}

struct need {
    uint64_t atlas, staging, all; // bytes; `all` with scratch and surface, too
};

// Device memory for a slab of so many layers that starts at `first`; 0 where the device cannot hold
// it whatever its memory. `full`: with every cell active.
static struct need part_need(
    const struct gpu *gpu, const struct parts_params *params, const struct atlas_slab *slab,
    bool full, struct problem *problem)
{
    const struct atlas_params atlas_params = {
        .storage = params->storage,
        .max_extent = params->max_extent,
        .slab = slab,
        .gaps = params->volume->type == VOLUME_FLOAT32,
    };
    struct atlas atlas;
    if (!atlas_describe(gpu, params->volume, &atlas_params, &atlas, problem)) {
        return (struct need){ 0 };
    }
    uint64_t room[LISTS];
    extraction_most(&atlas, room); // what a run keeps free for staging, whatever the surface
    const uint64_t staging = parts_staging(gpu, &atlas, room), bytes = atlas_bytes(gpu, &atlas);
    (full ? extraction_most : extraction_guess)(&atlas, room);
    return (struct need){
        .atlas = bytes,
        .staging = staging,
        .all = bytes + staging + extraction_bytes(gpu, &atlas, params->method, room),
    };
}

// The most that a slab of so many layers takes, wherever it lies: at the bottom, inside, on top.
static struct need most_of(
    const struct gpu *gpu, const struct parts_params *params, uint32_t layers, bool full,
    struct problem *problem)
{
    const uint32_t top = params->volume->dim[2] - 1 - layers;
    const uint32_t firsts[] = { 0, top < 1 ? top : 1, top };
    struct need most = { 0 };
    for (int i = 0; i < 3; i++) {
        const struct atlas_slab slab = { firsts[i], layers };
        const struct need need = part_need(gpu, params, &slab, full, problem);
        if (need.all == 0) {
            return need;
        }
        most.atlas = greater(most.atlas, need.atlas);
        most.staging = greater(most.staging, need.staging);
        most.all = greater(most.all, need.all);
    }
    return most;
}

bool parts_plan(
    struct gpu *gpu, const struct parts_params *params, struct parts_plan *out,
    struct problem *problem)
{
    const struct volume *volume = params->volume;
    const uint32_t layers = volume->dim[2] - 1;
    *out = (struct parts_plan){
        .budget =
            gpu->budget.limit ? gpu->budget.limit : gpu_memory_held(gpu) + gpu_memory_free(gpu),
    };
    // Others may hold some of it already.
    const uint64_t held = gpu_memory_held(gpu);
    const uint64_t left = (out->budget > held ? out->budget - held : 0) + params->given_back;
    const uint64_t have = left < out->budget ? left : out->budget;
    out->least = most_of(gpu, params, 1, true, problem).all;
    if (out->least == 0) {
        return false;
    }
    if (out->least > have) {
        // Rounded up: who asks for that much gets it.
        const double need = ceil((double)(out->least + held) / 104857.6) / 10;
        return problem_set(
            problem, PROBLEM_DEVICE_MEMORY,
            "not even one layer of cells between two slices of %ux%u fits the memory budget: it "
            "needs %.1f MiB (%" PRIu64
            " bytes) with its surface%s, the budget is %.1f MiB (%" PRIu64
            "); raise it or sample the volume coarser",
            volume->dim[0], volume->dim[1], need, out->least + held,
            held ? " and what else is on the device" : "", (double)out->budget / 1048576,
            out->budget);
    }
    uint32_t fits = 1, not = layers + 1; // so many layers fit, so many do not
    out->bytes = out->least;
    if (params->layers && params->layers < layers) {
        not = params->layers + 1;
    } else if (params->several && layers > 1) {
        not = layers;
    }
    // Several parts with the scratch of one need less than one slab: where not all is there at once
    // most of the budget is for samples.
    const uint64_t share = params->residents != 1 && !params->layers ? WORK_SHARE : 1;
    while (not -fits > 1) {
        // The first try is the whole.
        const bool whole = not == layers + 1;
        const uint32_t middle = whole ? layers : fits + (not -fits) / 2;
        const struct need need = most_of(gpu, params, middle, false, NULL);
        const uint64_t own = need.all - need.staging;
        if (need.all > 0 && need.all <= have && (whole || own <= (have - need.staging) / share)) {
            fits = middle;
            out->bytes = greater(need.all, out->least);
        } else {
            not = middle;
        }
    }
    const uint64_t quick = CELLS_OF_A_CPU / ((uint64_t)volume->dim[0] * volume->dim[1]);
    if (gpu->software && !params->layers && fits < layers && quick < fits) {
        fits = quick > 0 ? (uint32_t)quick : 1;
    }
    // As even as can be, unless a thickness was asked for.
    const uint32_t count = (layers + fits - 1) / fits;
    out->layers = params->layers ? fits : (layers + count - 1) / count;
    out->count = (layers + out->layers - 1) / out->layers;
    if (params->rows && params->rows < volume->dim[1] - 1) {
        out->rows = params->rows;
        out->layers = 1;
        out->count = layers * ((volume->dim[1] - 2) / params->rows + 1);
    }
    out->resident = most_of(gpu, params, out->layers, false, NULL).atlas;
    return true;
}
