#include "compute/casting/casting.h"

#include "compute/casting/spans.h"
#include "compute/compaction/compaction.h"
#include "compute/gpu/transfer.h"
#include "shaders.h"
#include "shaders/shared/casting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

uint64_t casting_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const struct caster *caster,
    const struct method *method, uint32_t pixels, uint32_t samples)
{
    struct skips skips;
    skips_shape(gpu, dim, &skips);
    uint64_t bytes = prepared_bytes(gpu, dim, &skips, caster, method, pixels) +
                     edges_bytes(gpu, pixels, samples);
    for (int i = 0; i < CASTING_BUFFERS; i++) {
        const struct buffer_params params = casting_buffer(i, &skips, pixels);
        bytes += buffer_bytes(gpu, &params);
    }
    return bytes + masks_bytes(gpu, dim);
}

static void casting_constants(const struct casting *casting, uint32_t constants[CONSTANTS])
{
    atlas_constants(casting->atlas, constants);
    compaction_constants(casting->gpu, constants);
    constants[CONSTANT_CUBE_SHIFT] = casting->skips.shift;
}

static bool casting_make_kernels(struct casting *casting, struct problem *problem)
{
    const struct {
        const char *name;
        const struct shader *buffer, *image; // for the two storages of an atlas
    } rows[CASTING_KERNELS] = {
        [CASTING_SPANS] = { "spans", &shader_cast_spans, &shader_cast_spans },
        [CASTING_LIST_SQUARES] = { "squares", &shader_cast_squares, &shader_cast_squares },
        [CASTING_ARRANGE_SQUARES] = { "arrange squares", &shader_arrange, &shader_arrange },
        [CASTING_ARRANGE] = { "arrange hits", &shader_arrange, &shader_arrange },
        [CASTING_POINTS] = { "points", &shader_cast_points_buffer, &shader_cast_points_image },
    };
    const bool image = casting->atlas->storage == ATLAS_STORAGE_IMAGE;
    uint32_t constants[CONSTANTS];
    casting_constants(casting, constants);
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

struct prepared *casting_find(struct casting *casting, const struct caster *caster)
{
    for (uint32_t i = 0; i < casting->prepared_count; i++) {
        if (casting->prepared[i].caster == caster) {
            return &casting->prepared[i];
        }
    }
    return NULL;
}

static bool casting_add(
    struct casting *casting, const struct caster *caster, struct prepared **out,
    struct problem *problem)
{
    *out = &casting->prepared[casting->prepared_count];
    assert(casting->prepared_count < CASTERS_MOST);
    uint32_t constants[CONSTANTS];
    casting_constants(casting, constants);
    const bool made = prepared_create(
        casting->gpu, casting->atlas, &casting->skips, &casting->buffers[CASTING_CUBES], caster,
        constants, casting->pixels, *out, problem);
    casting->prepared_count += made;
    return made;
}

bool casting_prepare(
    struct casting *casting, const struct caster *caster, const struct method *method,
    struct problem *problem)
{
    struct prepared *prepared = casting_find(casting, caster);
    return (prepared || casting_add(casting, caster, &prepared, problem)) &&
           (!caster->wavefront || wavefront_prepare(&prepared->wavefront, method, problem));
}

bool casting_prepare_shadow(struct casting *casting, struct problem *problem)
{
    uint32_t constants[CONSTANTS];
    casting_constants(casting, constants);
    casting->has_shadow = casting->has_shadow || shadow_create(
                                                     casting->gpu, casting->atlas, constants,
                                                     casting->pixels, &casting->shadow, problem);
    return casting->has_shadow;
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

static bool casting_make_further(struct casting *casting, uint32_t samples, struct problem *problem)
{
    uint32_t constants[CONSTANTS];
    casting_constants(casting, constants);
    return masks_create(casting->gpu, casting->atlas, constants, &casting->masks, problem) &&
           edges_create(
               casting->gpu, casting->atlas, constants, casting->pixels, samples, &casting->edges,
               problem);
}

bool casting_create(
    struct gpu *gpu, const struct atlas *atlas, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, uint32_t samples, struct casting *out,
    struct problem *problem)
{
    const uint32_t *dim = atlas->dim;
    assert(memcmp(dim, atlas->whole, sizeof atlas->whole) == 0);
    *out = (struct casting){ 0 };
    if ((uint64_t)dim[0] + dim[1] + dim[2] > LENGTH_MOST) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "rays go through volumes of at most %d samples along x, y and z together, and this one "
            "has %ux%ux%u: draw triangles, or reduce it (cubist convert --stride 2)",
            LENGTH_MOST, dim[0], dim[1], dim[2]);
    }
    // The number of a cell shares its word with CAST_BACK; CAST_NOTHING and CAST_EDGE are none.
    const uint64_t cells = (uint64_t)(dim[0] - 1) * (dim[1] - 1) * (dim[2] - 1);
    if (cells >= (CAST_EDGE & ~CAST_BACK)) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "rays go through volumes of fewer than 2^31 cells, and this one has %ux%ux%u samples: "
            "draw triangles, or reduce it (cubist convert --stride 2)",
            dim[0], dim[1], dim[2]);
    }
    *out = (struct casting){ .gpu = gpu, .atlas = atlas, .caster = caster, .pixels = pixels };
    skips_shape(gpu, dim, &out->skips);
    bool fine = true;
    for (int i = 0; fine && i < CASTING_BUFFERS; i++) {
        const struct buffer_params params = casting_buffer(i, &out->skips, pixels);
        fine = buffer_create(gpu, &params, &out->buffers[i], problem);
    }
    fine = fine && casting_make_kernels(out, problem) &&
           casting_upload_cubes(out, cubes, problem) &&
           casting_add(out, caster, &(struct prepared *){ NULL }, problem) &&
           casting_make_further(out, samples, problem);
    if (!fine) {
        casting_destroy(out);
    }
    return fine;
}

void casting_destroy(struct casting *casting)
{
    struct gpu *gpu = casting->gpu;
    for (uint32_t i = 0; i < casting->prepared_count; i++) {
        prepared_destroy(gpu, &casting->prepared[i]);
    }
    for (int i = 0; gpu && i < CASTING_KERNELS; i++) {
        kernel_destroy(gpu, &casting->kernels[i]);
    }
    for (int i = 0; gpu && i < CASTING_BUFFERS; i++) {
        buffer_destroy(gpu, &casting->buffers[i]);
    }
    if (gpu) {
        masks_destroy(gpu, &casting->masks);
        edges_destroy(gpu, &casting->edges);
        shadow_destroy(gpu, &casting->shadow);
    }
    *casting = (struct casting){ 0 };
}

bool casting_fetch(
    struct casting *casting, const struct cast *cast, struct cast_hit *out, struct problem *problem)
{
    return transfer_download(
        casting->gpu, &casting->buffers[CASTING_HITS], 0, out,
        (uint64_t)cast->width * cast->height * sizeof *out, problem);
}
