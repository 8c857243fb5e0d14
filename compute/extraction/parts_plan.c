// How a volume is divided into parts. The memory of a part grows with its layers and its rows, so
// the largest part that fits is found by bisection.

#include "compute/extraction/parts_plan.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#define WORK_SHARE 4 // 1/WORK_SHARE of the memory is for a part, its scratch and its surface

// Work on a device cannot be interrupted. So a CPU device gets small parts where it needs several:
// each takes well under a second.
#define CELLS_OF_A_CPU (UINT64_C(1) << 24)

// Whether a part of so many layers and rows fits into `have` bytes. Its staging buffer comes first.
// All its other buffers together get 1/share of the bytes that are left.
static bool parts_fit(
    const struct gpu *gpu, const struct parts_params *params, uint64_t have, uint32_t layers,
    uint32_t rows, uint64_t share)
{
    const struct part_size size = part_size(gpu, params, layers, rows, false, NULL);
    return size.all <= have && size.all - size.staging <= (have - size.staging) / share;
}

// The number of layers that fit, less than `fails`; 0: not even one.
static uint32_t parts_most_layers(
    const struct gpu *gpu, const struct parts_params *params, uint64_t have, uint32_t fails)
{
    // If several parts stay on the device, most of the memory is for their atlases; they share
    // scratch and surface. But a single layer is not divided only to let other parts stay.
    const uint64_t share = params->residents != 1 && !params->layers ? WORK_SHARE : 1;
    uint32_t fit = 0;
    while (fails - fit > 1) {
        const uint32_t middle = fit + (fails - fit) / 2;
        if (parts_fit(gpu, params, have, middle, 0, share)) {
            fit = middle;
        } else {
            fails = middle;
        }
    }
    return fit > 0 ? fit : parts_fit(gpu, params, have, 1, 0, 1);
}

// The number of rows of one layer that fit, if not all do; at least one fits.
static uint32_t
parts_most_rows(const struct gpu *gpu, const struct parts_params *params, uint64_t have)
{
    uint32_t fit = 1, fails = params->volume->dim[1] - 1;
    while (fails - fit > 1) {
        const uint32_t middle = fit + (fails - fit) / 2;
        if (parts_fit(gpu, params, have, 1, middle, 1)) {
            fit = middle;
        } else {
            fails = middle;
        }
    }
    return fit;
}

// The size of the parts if `all` is divided into parts of at most `most`, as equal as possible.
static uint32_t parts_even(uint32_t all, uint32_t most)
{
    const uint32_t count = (all - 1) / most + 1;
    return (all - 1) / count + 1;
}

// Selects parts of layers; or parts of rows, if no layer fits or rows were requested.
static void parts_select_size(
    const struct gpu *gpu, const struct parts_params *params, uint64_t have, struct parts_plan *out)
{
    const uint32_t *dim = params->volume->dim;
    const uint32_t all = out->to - out->from, all_rows = dim[1] - 1;
    const bool asked = params->layers > 0 && params->layers < all;
    const bool whole = !asked && !(params->several && all > 1);
    uint32_t layers = all;
    if (!whole || !parts_fit(gpu, params, have, all, 0, 1)) {
        layers = parts_most_layers(gpu, params, have, asked ? params->layers + 1 : all);
        const uint64_t quick = CELLS_OF_A_CPU / ((uint64_t)dim[0] * dim[1]);
        if (gpu->software && !params->layers && quick < layers) {
            layers = quick > 0 ? (uint32_t)quick : 1;
        }
    }
    uint32_t rows = layers > 0 ? all_rows : parts_most_rows(gpu, params, have);
    if (params->several && all == 1 && all_rows > 1 && rows == all_rows) {
        rows = all_rows / 2;
    }
    if (params->rows > 0 && params->rows < rows) {
        out->rows = params->rows;
    } else if (rows < all_rows) {
        out->rows = parts_even(all_rows, rows);
    }
    // Make layers as equal as possible, unless a thickness was requested.
    out->layers = out->rows ? 1 : params->layers ? layers : parts_even(all, layers);
    // Fewer slices may need a larger grid of tiles.
    if (!out->rows && !parts_fit(gpu, params, have, out->layers, 0, 1)) {
        out->layers = layers;
    }
}

bool parts_plan(
    struct gpu *gpu, const struct parts_params *params, struct parts_plan *out,
    struct problem *problem)
{
    const uint32_t *dim = params->volume->dim;
    const struct budget *budget = &gpu->budget;
    const uint64_t free_now = gpu_memory_free_for(gpu, PURPOSE_PICTURE);
    *out = (struct parts_plan){
        .budget = budget->limit ? budget->limit : budget->allocated + free_now,
        .from = params->some ? params->from : 0,
        .to = params->some ? params->to : dim[2] - 1,
    };
    assert(out->from <= out->to && out->to < dim[2]);
    if (out->from == out->to) {
        return true;
    }
    // Other things may already use some of the budget.
    const uint64_t picture = budget->held[PURPOSE_PICTURE];
    const uint64_t kept = params->reserve > picture ? params->reserve - picture : 0;
    const uint64_t held = budget->allocated + kept;
    const uint64_t left = free_now + params->given_back;
    const uint64_t free_then = left > kept ? left - kept : 0;
    const uint64_t have = free_then < out->budget ? free_then : out->budget;
    struct problem why = { 0 };
    out->least = part_size(gpu, params, 1, 1, true, &why).all;
    if (out->least >= GPU_TOO_MUCH) {
        return problem_set(
            problem, why.kind,
            "not even one row of cells between two slices of %ux%u fits this device: %s", dim[0],
            dim[1], why.text);
    }
    if (out->least > have) {
        // Rounded up, so that a budget of this size is enough.
        const double need = ceil((double)(out->least + held) / 104857.6) / 10;
        return problem_set(
            problem, PROBLEM_DEVICE_MEMORY,
            "not even one row of cells between two slices of %ux%u fits the %s: it needs %.1f MiB "
            "(%" PRIu64 " bytes) with its surface%s, the %s %.1f MiB (%" PRIu64
            "); %ssample the volume coarser",
            dim[0], dim[1], budget->limit ? "memory budget" : "device's memory", need,
            out->least + held, held ? " and what else is on the device" : "",
            budget->limit ? "budget is" : "device has", (double)out->budget / 1048576, out->budget,
            budget->limit ? "raise it or " : "");
    }
    parts_select_size(gpu, params, have, out);
    const uint64_t across = out->rows ? (dim[1] - 2) / out->rows + 1 : 1;
    const uint64_t count = ((out->to - out->from - 1) / out->layers + 1) * across;
    if (count > UINT32_MAX) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "a volume of %ux%ux%u would be cut into more than 2^32 parts: give it more memory",
            dim[0], dim[1], dim[2]);
    }
    out->count = (uint32_t)count;
    const struct part_size size = part_size(gpu, params, out->layers, out->rows, false, NULL);
    out->bytes = size.all > out->least ? size.all : out->least;
    out->resident = size.atlas;
    return true;
}
