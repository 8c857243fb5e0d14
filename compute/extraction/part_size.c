#include "compute/extraction/part_size.h"

#include "compute/atlas_load.h"
#include "compute/gpu/transfer.h"

#include <inttypes.h>

static uint64_t part_size_greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t
part_staging(const struct gpu *gpu, const struct atlas *described, const uint64_t capacity[LISTS])
{
    const uint64_t mesh =
        capacity[LIST_VERTICES] * (VERTEX_BYTES + 4) + capacity[LIST_TRIANGLES] * 12;
    return part_size_greater(
        atlas_load_bytes(gpu, described), transfer_staging_bytes(gpu, mesh));
}

// The size of the part at one position of the volume.
static struct part_size part_size_at(
    const struct gpu *gpu, const struct parts_params *params, const struct atlas_part *cells,
    bool full, struct problem *problem)
{
    const struct part_size too_much = { .all = GPU_TOO_MUCH };
    const struct atlas_params atlas_params = {
        .storage = params->storage,
        .max_extent = params->max_extent,
        .cells = cells,
        .gaps = params->volume->type == VOLUME_FLOAT32,
    };
    struct atlas atlas;
    if (!atlas_describe(gpu, params->volume, &atlas_params, &atlas, problem)) {
        return too_much;
    }
    const struct method *method = params->method;
    const uint64_t longest = method ? method_longest(method, gpu->traits) : 0;
    if (longest && extraction_longest(&atlas, method) > longest) {
        problem_set(
            problem, PROBLEM_LIMIT, "%s takes streams of at most %" PRIu64 " elements",
            method->name, longest);
        return too_much;
    }
    uint64_t capacity[LISTS];
    extraction_most(&atlas, capacity); // staging must be large enough for any surface
    const uint64_t bytes = atlas_bytes(gpu, &atlas), staging = part_staging(gpu, &atlas, capacity);
    if (!full) {
        extraction_guess(gpu, &atlas, capacity);
    }
    const uint64_t all = bytes + staging + extraction_bytes(gpu, &atlas, method, capacity);
    if (all >= GPU_TOO_MUCH) {
        const double mebi = 1 << 20;
        problem_set(
            problem, PROBLEM_LIMIT,
            "a buffer has at most %.1f MiB, as storage buffer %.1f MiB (maxStorageBufferRange), an "
            "image %.1f MiB, an allocation %.1f MiB (maxMemoryAllocationSize), a texel buffer %u "
            "elements (maxTexelBufferElements)",
            (double)gpu->limits.buffer / mebi,
            (double)gpu->properties.limits.maxStorageBufferRange / mebi,
            (double)gpu->limits.image / mebi, (double)gpu->limits.allocation / mebi,
            gpu->properties.limits.maxTexelBufferElements);
        return too_much;
    }
    return (struct part_size){ bytes, staging, all };
}

// The first layers (or rows) of three parts of `count` out of `all`: at the beginning, in the
// middle, at the end. The part in the middle holds one more on either side.
static void part_size_places(uint32_t count, uint32_t all, uint32_t out[3])
{
    const uint32_t last = all - count;
    out[0] = 0;
    out[1] = last < 1 ? last : 1;
    out[2] = last;
}

struct part_size part_size(
    const struct gpu *gpu, const struct parts_params *params, uint32_t layers, uint32_t rows,
    bool full, struct problem *problem)
{
    const uint32_t *dim = params->volume->dim;
    uint32_t firsts[3], first_rows[3] = { 0 };
    struct part_size most = { 0 };
    part_size_places(layers, dim[2] - 1, firsts);
    if (rows > 0) {
        part_size_places(rows, dim[1] - 1, first_rows);
    }
    for (int i = 0; i < (rows > 0 ? 9 : 3) && most.all < GPU_TOO_MUCH; i++) {
        const struct atlas_part cells = { firsts[i % 3], layers, first_rows[i / 3], rows };
        const struct part_size size = part_size_at(gpu, params, &cells, full, problem);
        most.atlas = part_size_greater(most.atlas, size.atlas);
        most.staging = part_size_greater(most.staging, size.staging);
        most.all = part_size_greater(most.all, size.all);
    }
    return most;
}
