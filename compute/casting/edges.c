#include "compute/casting/edges.h"

#include "compute/casting/counter.h"
#include "shaders.h"

#include <string.h>

#define EDGES_SHARE 16 // at first the list can hold one in this many samples

static void edges_params(uint32_t capacity, struct buffer_params out[EDGES_BUFFERS])
{
    const struct buffer_params all[EDGES_BUFFERS] = {
        [EDGES_LIST] = { .name = "samples at edges", .size = (uint64_t)capacity * 8 },
        [EDGES_COUNTS] = { .name = "counts of edges", .size = sizeof(struct raised_counter) },
        [EDGES_POINTS] = { .name = "points of edges", .size = (uint64_t)capacity * VERTEX_BYTES },
        [EDGES_COLOURS] = { .name = "colours of edges", .size = (uint64_t)capacity * 8 },
        [EDGES_COUNTED] = { .name = "counts of edges for the host",
                            .size = sizeof(struct list_counter),
                            .memory = BUFFER_READBACK },
        [EDGES_NEAREST] = { .name = "nearest hits of edges", .size = (uint64_t)capacity * 8 },
    };
    memcpy(out, all, sizeof all);
}

// Rounds up to an even number, so that the list fills its buffer.
static uint32_t edges_capacity(uint64_t samples)
{
    return (uint32_t)(samples + 1) & ~1u;
}

static uint32_t edges_first_capacity(uint32_t pixels, uint32_t samples)
{
    return edges_capacity((uint64_t)pixels * samples / EDGES_SHARE);
}

// Number of buffers. The last one, EDGES_NEAREST, exists only in parts and for layers.
static uint32_t edges_buffers(bool nearest)
{
    return nearest ? EDGES_BUFFERS : EDGES_NEAREST;
}

uint64_t edges_bytes(const struct gpu *gpu, uint32_t pixels, uint32_t samples, bool in_parts)
{
    struct buffer_params params[EDGES_BUFFERS];
    edges_params(edges_first_capacity(pixels, samples), params);
    return samples > 1 ? buffers_bytes(gpu, params, edges_buffers(in_parts)) : 0;
}

uint64_t edges_layers_bytes(const struct gpu *gpu, uint32_t pixels, uint32_t samples)
{
    struct buffer_params params[EDGES_BUFFERS];
    edges_params(edges_first_capacity(pixels, samples), params);
    return samples > 1 ? buffer_bytes(gpu, &params[EDGES_NEAREST]) : 0;
}

static bool edges_make_kernels(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct edges *edges, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    const struct shader *const casts[2][2] = {
        { &shader_cast_edge_cast_buffer, &shader_cast_edge_cast_image },
        { &shader_cast_edge_cast_parts_buffer, &shader_cast_edge_cast_parts_image },
    };
    const struct kernel_row rows[EDGES_FIND_LAYERS] = {
        [EDGES_FIND] = { "find edges", &shader_cast_edge_find },
        [EDGES_CAST] = { "cast edges", casts[edges->in_parts][image] },
    };
    return kernels_create(gpu, rows, EDGES_FIND_LAYERS, constants, edges->kernels, problem);
}

static bool edges_make_buffers(
    struct gpu *gpu, bool nearest, uint32_t capacity, struct buffer out[EDGES_BUFFERS],
    struct problem *problem)
{
    struct buffer_params params[EDGES_BUFFERS];
    edges_params(capacity, params);
    return buffers_create(gpu, params, edges_buffers(nearest), PURPOSE_PICTURE, out, problem);
}

bool edges_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    uint32_t pixels, uint32_t samples, bool in_parts, struct edges *out, struct problem *problem)
{
    *out = (struct edges){
        .samples = samples,
        .capacity = edges_first_capacity(pixels, samples),
        .in_parts = in_parts,
    };
    if (samples <= 1 || (edges_make_kernels(gpu, atlas, constants, out, problem) &&
                         edges_make_buffers(gpu, in_parts, out->capacity, out->buffers, problem))) {
        return true;
    }
    edges_destroy(gpu, out);
    return false;
}

bool edges_turn(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct edges *edges, struct problem *problem)
{
    kernels_destroy(gpu, edges->kernels, EDGES_KERNELS);
    return edges->samples <= 1 || edges_make_kernels(gpu, atlas, constants, edges, problem);
}

bool edges_prepare_layers(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct edges *edges, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    const struct kernel_row rows[] = {
        { "find edges of layers", &shader_cast_edge_find_layers },
        { "cast edges of layers",
          image ? &shader_cast_edge_cast_layers_image : &shader_cast_edge_cast_layers_buffer },
    };
    struct kernel *kernels = &edges->kernels[EDGES_FIND_LAYERS];
    struct buffer_params params[EDGES_BUFFERS];
    edges_params(edges->capacity, params);
    params[EDGES_NEAREST].purpose = PURPOSE_PICTURE;
    if (edges->samples <= 1) {
        return true;
    }
    edges->layers =
        edges->layers ||
        buffer_create(gpu, &params[EDGES_NEAREST], &edges->buffers[EDGES_NEAREST], problem);
    if (edges->layers && !kernels[1].pipeline &&
        !kernels_create(gpu, rows, 2, constants, kernels, problem)) {
        kernels_destroy(gpu, kernels, 2);
        return false;
    }
    return edges->layers;
}

void edges_destroy(struct gpu *gpu, struct edges *edges)
{
    kernels_destroy(gpu, edges->kernels, EDGES_KERNELS);
    buffers_destroy(gpu, edges->buffers, EDGES_BUFFERS);
    *edges = (struct edges){ 0 };
}

void edges_bind(const struct edges *edges, struct binding table[BINDINGS])
{
    const struct buffer *buffers = edges->buffers;
    if (edges->samples <= 1) {
        return;
    }
    table[BINDING_EDGES_LIST] = (struct binding){ &buffers[EDGES_LIST] };
    table[BINDING_EDGES_COUNTER] = (struct binding){ &buffers[EDGES_COUNTS] };
    table[BINDING_EDGE_POINTS] = (struct binding){ &buffers[EDGES_POINTS] };
    table[BINDING_EDGE_COLOURS] = (struct binding){ &buffers[EDGES_COLOURS] };
    if (edges->in_parts || edges->layers) {
        table[BINDING_EDGE_NEAREST] = (struct binding){ &buffers[EDGES_NEAREST] };
    }
}

void edges_record_find(
    struct edges *edges, struct run *run, const struct binding table[BINDINGS],
    const struct cast_push *push, const struct buffer *squares, bool layers)
{
    const struct buffer *buffers = edges->buffers;
    struct kernel *find = &edges->kernels[layers ? EDGES_FIND_LAYERS : EDGES_FIND];
    counter_record_no_rays(run, &buffers[EDGES_COUNTS], edges->capacity);
    run_dispatch_indirect(run, find, table, push, squares, COUNTER_FIRST);
    run_copy(
        run, &buffers[EDGES_COUNTS], 0, &buffers[EDGES_COUNTED], 0, sizeof(struct list_counter));
    run_use(run, &buffers[EDGES_COUNTED], ACCESS_HOST);
}

void edges_record_clear(const struct edges *edges, struct run *run)
{
    run_fill(run, &edges->buffers[EDGES_POINTS], 0, (uint64_t)edges->capacity * VERTEX_BYTES, 0);
    run_fill(run, &edges->buffers[EDGES_NEAREST], 0, (uint64_t)edges->capacity * 8, CAST_NOTHING);
}

void edges_record_samples(
    struct edges *edges, struct run *run, const struct binding table[BINDINGS],
    const struct cast_push *push, bool layers)
{
    struct kernel *cast = &edges->kernels[layers ? EDGES_CAST_LAYERS : EDGES_CAST];
    if (layers) { // samples without a hit have no colour
        run_fill(run, &edges->buffers[EDGES_COLOURS], 0, edges->buffers[EDGES_COLOURS].size, 0);
    }
    run_dispatch_indirect(
        run, cast, table, push, &edges->buffers[EDGES_COUNTS], counter_casts(run->gpu));
}

uint32_t edges_count(const struct edges *edges)
{
    const struct list_counter *counts = edges->buffers[EDGES_COUNTED].mapped;
    return counts ? counts->count : 0;
}

bool edges_overflowed(const struct edges *edges)
{
    return edges_count(edges) > edges->capacity;
}

bool edges_enlarge(struct gpu *gpu, struct edges *edges, struct problem *problem)
{
    struct buffer buffers[EDGES_BUFFERS] = { 0 };
    const uint32_t capacity = edges_capacity(edges_count(edges));
    if (!edges_make_buffers(gpu, edges->in_parts || edges->layers, capacity, buffers, problem)) {
        buffers_destroy(gpu, buffers, EDGES_BUFFERS);
        return false;
    }
    buffers_destroy(gpu, edges->buffers, EDGES_BUFFERS);
    memcpy(edges->buffers, buffers, sizeof buffers);
    edges->capacity = capacity;
    return true;
}
