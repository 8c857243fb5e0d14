#include "compute/casting/casting.h"

#include "compute/atlas_keys.h"
#include "compute/compaction/compaction.h"
#include "compute/gpu/transfer.h"
#include "shaders.h"
#include "shaders/shared/casting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct cast_push) <= 128, "cast_push is over 128 bytes");
_Static_assert(sizeof(struct cast_hit) == 8, "a hit is two words");

// A ray passes fewer cells than this, and fewer cubes. So all loops of a subgroup's rays together
// stay below CAST_TURNS.
#define LENGTH_MOST 16384

static struct buffer_params
casting_buffer(enum casting_buffer which, const struct skips *skips, uint64_t pixels)
{
    const struct buffer_params all[CASTING_BUFFERS] = {
        [CASTING_CUBES] = { .name = "cubes that rays skip",
                            .size = (uint64_t)skips->words * 4,
                            .purpose = PURPOSE_RANGES,
                            .texels = { VK_FORMAT_R32_UINT },
                            .samples = true },
        [CASTING_HITS] = { .name = "hits",
                           .size = pixels * sizeof(struct cast_hit),
                           .purpose = PURPOSE_PICTURE },
        [CASTING_LIST] = { .name = "list of hits", .size = pixels * 4, .purpose = PURPOSE_PICTURE },
        [CASTING_COUNTS] = { .name = "counts of a cast",
                             .size = sizeof(struct list_counter),
                             .purpose = PURPOSE_PICTURE },
        [CASTING_ARGUMENTS] = { .name = "arguments of a cast",
                                .size = 16,
                                .purpose = PURPOSE_PICTURE },
        // A band of one row, or one column, has the most tiles for its pixels.
        [CASTING_TILES] = { .name = "tiles of a cast",
                            .size = (pixels / CAST_TILE + pixels / (CAST_TILE * CAST_TILE) + 2) * 4,
                            .purpose = PURPOSE_PICTURE },
        [CASTING_POINTS_OF] = { .name = "points of hits",
                                .size = pixels * VERTEX_BYTES,
                                .purpose = PURPOSE_PICTURE },
        [CASTING_COUNTED] = { .name = "counts of a cast for the host",
                              .size = sizeof(struct list_counter),
                              .memory = BUFFER_READBACK,
                              .purpose = PURPOSE_PICTURE },
    };
    return all[which];
}

uint64_t casting_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const struct caster *caster,
    const struct method *method, uint32_t pixels)
{
    struct skips skips;
    uint64_t bytes = caster->wavefront ? wavefront_bytes(gpu, method, pixels) : 0;
    skips_shape(gpu, dim, &skips);
    for (int i = 0; i < CASTING_BUFFERS; i++) {
        const struct buffer_params params = casting_buffer(i, &skips, pixels);
        bytes += buffer_bytes(gpu, &params);
    }
    return bytes;
}

static bool casting_make_kernels(struct casting *casting, struct problem *problem)
{
    const struct caster *caster = casting->caster;
    const struct {
        const char *name;
        const struct shader *buffer, *image; // for the two storages of an atlas
    } rows[CASTING_KERNELS] = {
        [CASTING_DDA] = { caster->name, caster->buffer, caster->image },
        [CASTING_ARRANGE] = { "arrange hits", &shader_arrange, &shader_arrange },
        [CASTING_POINTS] = { "points", &shader_cast_points_buffer, &shader_cast_points_image },
    };
    const bool image = casting->atlas->storage == ATLAS_STORAGE_IMAGE;
    uint32_t constants[CONSTANTS];
    atlas_constants(casting->atlas, constants);
    compaction_constants(casting->gpu, constants);
    constants[CONSTANT_CUBE_SHIFT] = casting->skips.shift;
    if (caster->wavefront && !wavefront_create(
                                 casting->gpu, casting->atlas, constants, casting->pixels,
                                 &casting->wavefront, problem)) {
        return false;
    }
    for (int i = 0; i < CASTING_KERNELS; i++) {
        const struct kernel_params params = {
            .name = rows[i].name,
            .shader = image ? rows[i].image : rows[i].buffer,
            .constants = constants,
            .constant_count = CONSTANTS,
        };
        if (params.shader && !kernel_create(casting->gpu, &params, &casting->kernels[i], problem)) {
            return false;
        }
    }
    return true;
}

static bool
casting_upload_cubes(struct casting *casting, const struct cubes *cubes, struct problem *problem)
{
    const uint64_t bytes = (uint64_t)casting->skips.words * 4;
    uint32_t *words = malloc(bytes);
    if (!words) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the cubes of rays");
    }
    const bool fine =
        skips_fill(&casting->skips, cubes, casting->atlas->type, words, problem) &&
        transfer_upload(casting->gpu, &casting->buffers[CASTING_CUBES], 0, words, bytes, problem);
    free(words);
    return fine;
}

bool casting_create(
    struct gpu *gpu, const struct atlas *atlas, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, struct casting *out, struct problem *problem)
{
    const uint32_t *dim = atlas->dim;
    assert(memcmp(dim, atlas->whole, sizeof atlas->whole) == 0);
    *out = (struct casting){ .gpu = gpu, .atlas = atlas, .caster = caster, .pixels = pixels };
    if ((uint64_t)dim[0] + dim[1] + dim[2] > LENGTH_MOST) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "rays go through volumes of at most %d samples along x, y and z together, and this one "
            "has %ux%ux%u: draw triangles, or reduce it (cubist convert --stride 2)",
            LENGTH_MOST, dim[0], dim[1], dim[2]);
    }
    // The number of a cell shares its word with CAST_BACK; CAST_NOTHING is no number.
    const uint64_t cells = (uint64_t)(dim[0] - 1) * (dim[1] - 1) * (dim[2] - 1);
    if (cells >= CAST_BACK - 1) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "rays go through volumes of fewer than 2^31 cells, and this one has %ux%ux%u samples: "
            "draw triangles, or reduce it (cubist convert --stride 2)",
            dim[0], dim[1], dim[2]);
    }
    skips_shape(gpu, dim, &out->skips);
    bool fine = true;
    for (int i = 0; fine && i < CASTING_BUFFERS; i++) {
        const struct buffer_params params = casting_buffer(i, &out->skips, pixels);
        fine = buffer_create(gpu, &params, &out->buffers[i], problem);
    }
    fine = fine && casting_make_kernels(out, problem) && casting_upload_cubes(out, cubes, problem);
    if (!fine) {
        casting_destroy(out);
    }
    return fine;
}

void casting_destroy(struct casting *casting)
{
    struct gpu *gpu = casting->gpu;
    wavefront_destroy(&casting->wavefront);
    for (int i = 0; gpu && i < CASTING_KERNELS; i++) {
        kernel_destroy(gpu, &casting->kernels[i]);
    }
    for (int i = 0; gpu && i < CASTING_BUFFERS; i++) {
        buffer_destroy(gpu, &casting->buffers[i]);
    }
    *casting = (struct casting){ 0 };
}

static void
casting_push(const struct casting *casting, const struct cast *cast, struct cast_push *out)
{
    const struct atlas_iso iso = atlas_iso(casting->atlas->type, cast->iso);
    *out = (struct cast_push){
        .perspective = cast->rays.perspective,
        .begin = cast->rays.begin,
        .x = cast->x,
        .y = cast->y,
        .width = cast->width,
        .height = cast->height,
        .key = iso.key,
        .iso_key = iso.iso_key,
        .iso_high = iso.high,
        .iso_low = iso.low,
        .iso_exponent = iso.exponent,
    };
    memcpy(out->anchor, cast->rays.anchor, sizeof out->anchor);
    memcpy(out->across, cast->rays.across, sizeof out->across);
    memcpy(out->down, cast->rays.down, sizeof out->down);
    memcpy(out->eye, cast->rays.eye, sizeof out->eye);
    skips_key(&casting->skips, iso.key, &out->cubes_most, &out->cubes_least);
}

static uint32_t casting_across(uint32_t pixels)
{
    return (pixels + CAST_TILE - 1) / CAST_TILE;
}

uint32_t casting_tiles(const struct cast *cast)
{
    return casting_across(cast->width) * casting_across(cast->height);
}

bool casting_prepare(
    struct casting *casting, const struct caster *caster, const struct method *method,
    struct problem *problem)
{
    assert(caster == casting->caster);
    return !caster->wavefront || wavefront_prepare(&casting->wavefront, method, problem);
}

// What the kernels of a cast access, and get.
struct casting_bound {
    struct binding table[BINDINGS];
    struct cast_push push;
};

static void
casting_bind(const struct casting *casting, const struct cast *cast, struct casting_bound *out)
{
    const struct buffer *buffers = casting->buffers;
    *out = (struct casting_bound){ .table = {
                                       [BINDING_CUBES] = { &buffers[CASTING_CUBES] },
                                       [BINDING_HITS] = { &buffers[CASTING_HITS] },
                                       [BINDING_HIT_LIST] = { &buffers[CASTING_LIST] },
                                       [BINDING_HIT_COUNTS] = { &buffers[CASTING_COUNTS] },
                                       [BINDING_TILES] = { &buffers[CASTING_TILES] },
                                       [BINDING_POINTS] = { &buffers[CASTING_POINTS_OF] },
                                       [BINDING_COUNTER] = { &buffers[CASTING_COUNTS] },
                                       [BINDING_ARGUMENTS] = { &buffers[CASTING_ARGUMENTS] },
                                   } };
    atlas_bind(casting->atlas, out->table);
    casting_push(casting, cast, &out->push);
    assert(cast->caster == casting->caster);
    assert((uint64_t)cast->width * cast->height <= casting->pixels);
}

static void casting_clear(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct list_counter none = { .capacity = casting->pixels };
    run_update(run, &casting->buffers[CASTING_COUNTS], 0, &none, sizeof none);
    run_fill(run, &casting->buffers[CASTING_TILES], 0, casting_tiles(cast) * UINT64_C(4), 0);
}

static bool casting_waits(const struct cast *cast)
{
    return cast->caster->wavefront && cast->rounds == CAST_ROUNDS_HOST;
}

// Records the pixels of a cast that waits for each round, or its next round, submits it and waits.
// *left: rays of the next round.
static bool casting_step(
    struct casting *casting, const struct cast *cast, bool first, uint32_t *left,
    struct problem *problem)
{
    struct casting_bound bound;
    struct run run;
    struct wavefront *wavefront = &casting->wavefront;
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    casting_bind(casting, cast, &bound);
    const struct wavefront_cast what = { bound.table, &bound.push };
    run_begin(&run, casting->gpu, cmd, NULL);
    if (first) {
        casting_clear(casting, &run, cast);
        wavefront_record_pixels(wavefront, &run, &what);
    } else {
        wavefront_record_round(wavefront, &run, &what);
    }
    wavefront_record_counts(wavefront, &run);
    *left = 0;
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
    // Each ray searches a cell in each round, or ends.
    while (left > 0) {
        fine = casting_step(casting, cast, false, &left, problem);
    }
    return fine;
}

static void casting_record_rounds(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct casting_bound *bound)
{
    const struct wavefront_cast what = { bound->table, &bound->push };
    struct wavefront *wavefront = &casting->wavefront;
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

void casting_record(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct buffer *buffers = casting->buffers;
    struct casting_bound bound;
    casting_bind(casting, cast, &bound);
    if (!casting_waits(cast)) {
        casting_clear(casting, run, cast);
    }
    if (!cast->caster->wavefront) {
        run_dispatch(
            run, &casting->kernels[CASTING_DDA], bound.table, &bound.push,
            casting_across(cast->width), casting_across(cast->height), 1);
        run_stamp(run, STAGE_MARCH);
    } else if (!casting_waits(cast)) {
        casting_record_rounds(casting, run, cast, &bound);
    }
    run_dispatch(
        run, &casting->kernels[CASTING_ARRANGE], bound.table, &(struct arrange_push){ 1, 1 }, 1, 1,
        1);
    run_dispatch_indirect(
        run, &casting->kernels[CASTING_POINTS], bound.table, &bound.push,
        &buffers[CASTING_ARGUMENTS], 0);
    run_copy(
        run, &buffers[CASTING_COUNTS], 0, &buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(run, &buffers[CASTING_COUNTED], ACCESS_HOST);
    run_stamp(run, STAGE_POINTS);
}

void casting_rounds(const struct casting *casting, struct cast_rounds *out)
{
    wavefront_rounds(&casting->wavefront, out);
}

bool casting_collect(const struct casting *casting, uint32_t *hits, struct problem *problem)
{
    const struct list_counter *counts = casting->buffers[CASTING_COUNTED].mapped;
    *hits = counts->count;
    return counts->spare == 0 ||
           problem_set(
               problem, PROBLEM_INTERNAL,
               "%u rays did not end within the bound of their loops: please report this",
               counts->spare);
}

bool casting_run(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem)
{
    struct run run;
    if (!casting_prepare(casting, cast->caster, cast->method, problem) ||
        !casting_begin(casting, cast, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    run_begin(&run, casting->gpu, cmd, NULL);
    casting_record(casting, &run, cast);
    return gpu_submit_and_wait(casting->gpu, cmd, problem) &&
           casting_collect(casting, hits, problem);
}

bool casting_fetch(
    struct casting *casting, const struct cast *cast, struct cast_hit *out, struct problem *problem)
{
    return transfer_download(
        casting->gpu, &casting->buffers[CASTING_HITS], 0, out,
        (uint64_t)cast->width * cast->height * sizeof *out, problem);
}
