#include "compute/casting/casting.h"

#include "compute/atlas_keys.h"
#include "compute/casting/spans.h"
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
        [CASTING_SPANS_OF] = { .name = "spans of rays",
                               .size = spans_words(pixels) * 4,
                               .purpose = PURPOSE_PICTURE },
        [CASTING_SQUARES] = { .name = "squares of rays",
                              .size = spans_words(pixels) * 2,
                              .purpose = PURPOSE_PICTURE },
        [CASTING_SQUARES_COUNT] = { .name = "count of squares",
                                    .size = sizeof(struct list_counter),
                                    .purpose = PURPOSE_PICTURE },
        [CASTING_SQUARES_ARGUMENTS] = { .name = "arguments of squares",
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

uint64_t casting_bytes(const struct gpu *gpu, const uint32_t dim[3], uint32_t pixels)
{
    struct skips skips;
    uint64_t bytes = 0;
    skips_shape(gpu, dim, &skips);
    for (int i = 0; i < CASTING_BUFFERS; i++) {
        const struct buffer_params params = casting_buffer(i, &skips, pixels);
        bytes += buffer_bytes(gpu, &params);
    }
    return bytes + masks_bytes(gpu, dim);
}

static bool casting_make_kernels(
    struct casting *casting, const uint32_t constants[CONSTANTS], struct problem *problem)
{
    const struct caster *caster = casting->caster;
    const struct {
        const char *name;
        const struct shader *buffer, *image; // for the two storages of an atlas
    } rows[CASTING_KERNELS] = {
        [CASTING_SPANS] = { "spans", &shader_cast_spans, &shader_cast_spans },
        [CASTING_LIST_SQUARES] = { "squares", &shader_cast_squares, &shader_cast_squares },
        [CASTING_ARRANGE_SQUARES] = { "arrange squares", &shader_arrange, &shader_arrange },
        [CASTING_DDA] = { caster->name, caster->buffer, caster->image },
        [CASTING_ARRANGE] = { "arrange hits", &shader_arrange, &shader_arrange },
        [CASTING_POINTS] = { "points", &shader_cast_points_buffer, &shader_cast_points_image },
    };
    const bool image = casting->atlas->storage == ATLAS_STORAGE_IMAGE;
    for (int i = 0; i < CASTING_KERNELS; i++) {
        const struct kernel_params params = {
            .name = rows[i].name,
            .shader = image ? rows[i].image : rows[i].buffer,
            .constants = constants,
            .constant_count = CONSTANTS,
        };
        if (!kernel_create(casting->gpu, &params, &casting->kernels[i], problem)) {
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
    uint32_t constants[CONSTANTS];
    atlas_constants(atlas, constants);
    compaction_constants(gpu, constants);
    constants[CONSTANT_CUBE_SHIFT] = out->skips.shift;
    fine = fine && masks_create(gpu, atlas, constants, &out->masks, problem) &&
           casting_make_kernels(out, constants, problem) &&
           casting_upload_cubes(out, cubes, problem);
    if (!fine) {
        casting_destroy(out);
    }
    return fine;
}

void casting_destroy(struct casting *casting)
{
    struct gpu *gpu = casting->gpu;
    for (int i = 0; gpu && i < CASTING_KERNELS; i++) {
        kernel_destroy(gpu, &casting->kernels[i]);
    }
    for (int i = 0; gpu && i < CASTING_BUFFERS; i++) {
        buffer_destroy(gpu, &casting->buffers[i]);
    }
    if (gpu) {
        masks_destroy(gpu, &casting->masks);
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

// Lists the squares that have a span, and their dispatch arguments.
static void casting_record_squares(
    struct casting *casting, struct run *run, uint32_t squares,
    const struct binding table[BINDINGS])
{
    const struct buffer *buffers = casting->buffers;
    const struct list_counter none = { .capacity = squares };
    const struct binding own[BINDINGS] = {
        [BINDING_COUNTER] = { &buffers[CASTING_SQUARES_COUNT] },
        [BINDING_ARGUMENTS] = { &buffers[CASTING_SQUARES_ARGUMENTS] },
    };
    uint32_t groups[2];
    run_update(run, &buffers[CASTING_SQUARES_COUNT], 0, &none, sizeof none);
    run_fold(squares, GROUP, groups);
    run_dispatch(
        run, &casting->kernels[CASTING_LIST_SQUARES], table, &(struct squares_push){ squares },
        groups[0], groups[1], 1);
    run_dispatch(
        run, &casting->kernels[CASTING_ARRANGE_SQUARES], own,
        &(struct arrange_push){ SPAN_SIDE * SPAN_SIDE, 1 }, 1, 1, 1);
}

static void casting_record_spans(
    struct casting *casting, struct run *run, const struct cast *cast,
    const struct binding table[BINDINGS])
{
    const uint32_t *fine = casting->skips.fine;
    struct spans_push push;
    uint32_t groups[2];
    spans_of(&cast->rays, casting->atlas->dim, cast->x, cast->y, cast->width, cast->height, &push);
    skips_key(
        &casting->skips, atlas_iso(casting->atlas->type, cast->iso).key, &push.most, &push.least);
    run_fill(
        run, &casting->buffers[CASTING_SPANS_OF], 0, 8 * ((uint64_t)push.across * push.down + 1),
        SPAN_NONE);
    run_fold((uint64_t)fine[0] * fine[1] * fine[2], GROUP, groups);
    run_dispatch(run, &casting->kernels[CASTING_SPANS], table, &push, groups[0], groups[1], 1);
    casting_record_squares(casting, run, push.across * push.down, table);
}

void casting_record(struct casting *casting, struct run *run, const struct cast *cast)
{
    const struct buffer *buffers = casting->buffers;
    const struct list_counter none = { .capacity = casting->pixels };
    struct binding table[BINDINGS] = {
        [BINDING_CUBES] = { &buffers[CASTING_CUBES] },
        [BINDING_HITS] = { &buffers[CASTING_HITS] },
        [BINDING_HIT_LIST] = { &buffers[CASTING_LIST] },
        [BINDING_HIT_COUNTS] = { &buffers[CASTING_COUNTS] },
        [BINDING_SPANS] = { &buffers[CASTING_SPANS_OF] },
        [BINDING_SQUARES] = { &buffers[CASTING_SQUARES] },
        [BINDING_SQUARES_COUNTER] = { &buffers[CASTING_SQUARES_COUNT] },
        [BINDING_TILES] = { &buffers[CASTING_TILES] },
        [BINDING_POINTS] = { &buffers[CASTING_POINTS_OF] },
        [BINDING_COUNTER] = { &buffers[CASTING_COUNTS] },
        [BINDING_ARGUMENTS] = { &buffers[CASTING_ARGUMENTS] },
    };
    assert(cast->caster == casting->caster);
    assert((uint64_t)cast->width * cast->height <= casting->pixels);
    struct cast_push push;
    casting_push(casting, cast, &push);
    atlas_bind(casting->atlas, table);
    masks_bind(&casting->masks, table);
    masks_record(&casting->masks, run, casting->atlas, push.key);
    run_update(run, &buffers[CASTING_COUNTS], 0, &none, sizeof none);
    casting_record_spans(casting, run, cast, table);
    run_fill(run, &buffers[CASTING_TILES], 0, casting_tiles(cast) * UINT64_C(4), 0);
    run_fill(
        run, &buffers[CASTING_HITS], 0,
        (uint64_t)cast->width * cast->height * sizeof(struct cast_hit), CAST_NOTHING);
    run_dispatch_indirect(
        run, &casting->kernels[CASTING_DDA], table, &push, &buffers[CASTING_SQUARES_ARGUMENTS], 0);
    run_dispatch(
        run, &casting->kernels[CASTING_ARRANGE], table, &(struct arrange_push){ 1, 1 }, 1, 1, 1);
    run_dispatch_indirect(
        run, &casting->kernels[CASTING_POINTS], table, &push, &buffers[CASTING_ARGUMENTS], 0);
    run_copy(
        run, &buffers[CASTING_COUNTS], 0, &buffers[CASTING_COUNTED], 0,
        sizeof(struct list_counter));
    run_use(run, &buffers[CASTING_COUNTED], ACCESS_HOST);
}

bool casting_collect(struct casting *casting, uint32_t *hits, struct problem *problem)
{
    masks_done(&casting->masks);
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
