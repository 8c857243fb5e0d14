#include "compute/casting/counter.h"
#include "compute/casting/internal.h"

#include "compute/casting/spans.h"
#include "compute/compaction/compaction.h"
#include "compute/gpu/transfer.h"
#include "shaders.h"
#include "shaders/shared/casting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct cast_hit) == 8, "a hit is two words");

// A ray passes fewer cells and fewer cubes than this. So all loops of a subgroup's rays together
// stay below CAST_TURNS.
#define LENGTH_MOST 16384

static void casting_params(
    const struct skips *skips, uint64_t pixels, struct buffer_params out[CASTING_BUFFERS])
{
    const struct buffer_params all[CASTING_BUFFERS] = {
        [CASTING_CUBES] = { .name = "cubes that rays skip",
                            .size = (uint64_t)skips->words * 4,
                            .texels = { VK_FORMAT_R32_UINT },
                            .samples = true },
        [CASTING_HITS] = { .name = "hits",
                           .size = pixels * sizeof(struct cast_hit),
                           .texels = { VK_FORMAT_R32G32_UINT },
                           .maybe_texels = true },
        [CASTING_LIST] = { .name = "list of hits", .size = pixels * 4 },
        [CASTING_COUNTS] = { .name = "counts of a cast", .size = sizeof(struct raised_counter) },
        [CASTING_SPANS_OF] = { .name = "spans of rays",
                               .size = spans_words(pixels) * 4,
                               .texels = { VK_FORMAT_R32G32_UINT },
                               .maybe_texels = true },
        [CASTING_SQUARES] = { .name = "squares of rays", .size = spans_words(pixels) * 2 },
        [CASTING_SQUARES_COUNT] = { .name = "count of squares",
                                    .size = sizeof(struct raised_counter) },
        // Enough for the worst case: pixels in a single row or column take the most tiles.
        [CASTING_TILES] = { .name = "tiles of a cast",
                            .size =
                                (pixels / CAST_TILE + pixels / (CAST_TILE * CAST_TILE) + 2) * 4 },
        [CASTING_POINTS_OF] = { .name = "points of hits", .size = pixels * VERTEX_BYTES },
        [CASTING_COLOURS] = { .name = "colours of hits", .size = pixels * 8 },
        [CASTING_COUNTED] = { .name = "counts of a cast for the host",
                              .size = sizeof(struct list_counter),
                              .memory = BUFFER_READBACK },
        [CASTING_CONTOURS] = { .name = "contours of a cast",
                               .size = sizeof(struct contours_block) },
        [CASTING_NEAREST] = { .name = "nearest hits",
                              .size = pixels * sizeof(struct cast_hit),
                              .texels = { VK_FORMAT_R32G32_UINT },
                              .maybe_texels = true },
        [CASTING_NEAREST_LIST] = { .name = "list of nearest hits", .size = pixels * 4 },
        [CASTING_NEAREST_COUNTS] = { .name = "counts of nearest hits",
                                     .size = sizeof(struct raised_counter) },
    };
    memcpy(out, all, sizeof all);
}

static uint32_t casting_buffers(bool in_parts)
{
    return in_parts ? CASTING_BUFFERS : CASTING_NEAREST;
}

uint64_t casting_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const uint32_t part[3],
    const struct caster *caster, const struct method *method, uint32_t pixels, uint32_t samples)
{
    const uint32_t *held = part ? part : dim;
    struct skips skips;
    skips_shape(gpu, held, dim, &skips);
    struct buffer_params params[CASTING_BUFFERS];
    casting_params(&skips, pixels, params);
    return caster_state_bytes(gpu, held, &skips, caster, method, pixels) +
           edges_bytes(gpu, pixels, samples, part) +
           buffers_bytes(gpu, params, casting_buffers(part)) + masks_bytes(gpu, held);
}

uint64_t casting_layers_bytes(
    const struct gpu *gpu, const struct method *method, uint32_t pixels, uint32_t samples)
{
    const struct method *own = wavefront_refuses(gpu, method) ? NULL : method;
    return wavefront_bytes(gpu, own, false, pixels, WAVEFRONT_OF_LAYERS) +
           edges_layers_bytes(gpu, pixels, samples);
}

static void casting_constants(
    const struct casting *casting, const struct atlas *frame, uint32_t constants[CONSTANTS])
{
    struct buffer_params params[CASTING_BUFFERS];
    casting_params(&casting->skips, casting->pixels, params);
    atlas_constants(frame, constants);
    compaction_constants(casting->gpu, constants);
    // Checking the hits is enough: spans take fewer texels, or too few to matter.
    constants[CONSTANT_CAST_TEXELS] =
        casting->gpu->traits->cast_texels && buffer_all_texels(casting->gpu, &params[CASTING_HITS]);
    constants[CONSTANT_CAST_LANES] = counter_cast_lanes(casting->gpu);
    constants[CONSTANT_CUBE_SHIFT] = casting->skips.shift;
    constants[CONSTANT_CAST_MANY] = casting->many;
    constants[CONSTANT_SAMPLES] = casting->edges.samples;
    if (casting->in_parts) { // each cast says which slices and rows are the part's own
        constants[CONSTANT_OWN_FIRST] = constants[CONSTANT_OWN_Y_FIRST] = 0;
        constants[CONSTANT_OWN_LAST] = frame->dim[2] - 1;
        constants[CONSTANT_OWN_Y_LAST] = frame->dim[1] - 1;
        constants[CONSTANT_WHOLE_Y] = frame->whole[1];
        constants[CONSTANT_WHOLE_Z] = frame->whole[2];
    }
}

static bool casting_make_kernels(struct casting *casting, struct problem *problem)
{
    const bool image = casting->frame.storage == ATLAS_STORAGE_IMAGE;
    const struct shader *const points[2][2] = {
        { &shader_cast_points_buffer, &shader_cast_points_image },
        { &shader_cast_points_parts_buffer, &shader_cast_points_parts_image },
    };
    const struct kernel_row rows[CASTING_KERNELS] = {
        [CASTING_SPANS] = { "spans", image ? &shader_cast_spans_image : &shader_cast_spans_buffer },
        [CASTING_ARRANGE] = { "arrange samples", &shader_arrange },
        [CASTING_CAPS] = { "caps", image ? &shader_cast_caps_image : &shader_cast_caps_buffer },
        [CASTING_POINTS] = { "points", points[casting->in_parts][image], .alternates = true },
    };
    return kernels_create(
        casting->gpu, rows, CASTING_KERNELS, casting->constants, casting->kernels, problem);
}

struct caster_state *casting_find(struct casting *casting, const struct caster *caster)
{
    for (uint32_t i = 0; i < casting->state_count; i++) {
        if (casting->states[i].caster == caster) {
            return &casting->states[i];
        }
    }
    return NULL;
}

static bool casting_add(
    struct casting *casting, const struct caster *caster, struct caster_state **out,
    struct problem *problem)
{
    *out = &casting->states[casting->state_count];
    assert(casting->state_count < CASTERS_MOST);
    const bool made = caster_state_create(
        casting->gpu, &casting->frame, &casting->skips,
        casting->in_parts ? NULL : &casting->buffers[CASTING_CUBES], caster, casting->constants,
        casting->pixels, *out, problem);
    casting->state_count += made;
    return made;
}

bool casting_prepare(
    struct casting *casting, const struct caster *caster, const struct method *method,
    struct problem *problem)
{
    struct caster_state *state = casting_find(casting, caster);
    return (state || casting_add(casting, caster, &state, problem)) &&
           (!caster->wavefront || wavefront_prepare(&state->wavefront, method, problem));
}

// How many rays go through layers at a time, at most: one for each pixel, or for each sample at
// edges.
static uint32_t casting_layer_rays(const struct casting *casting)
{
    const uint32_t samples = casting->edges.capacity;
    return samples > casting->pixels ? samples : casting->pixels;
}

bool casting_prepare_layers(
    struct casting *casting, const struct method *method, struct problem *problem)
{
    struct wavefront *layers = &casting->layers;
    struct gpu *gpu = casting->gpu;
    const uint32_t *constants = casting->constants;
    const uint32_t rays = casting_layer_rays(casting);
    if (layers->gpu && layers->pixels < rays) {
        wavefront_destroy(layers);
    }
    return (layers->gpu ||
            wavefront_create(
                gpu, &casting->frame, constants, rays, WAVEFRONT_OF_LAYERS, layers, problem)) &&
           wavefront_prepare(layers, method, problem) &&
           edges_prepare_layers(gpu, &casting->frame, constants, &casting->edges, problem);
}

bool casting_has_layers(const struct casting *casting)
{
    return casting->layers.gpu && casting->layers.pixels >= casting_layer_rays(casting);
}

bool casting_prepare_shadow(struct casting *casting, struct problem *problem)
{
    casting->has_shadow =
        casting->has_shadow || shadow_create(
                                   casting->gpu, &casting->frame, casting->constants,
                                   casting->pixels, &casting->shadow, problem);
    return casting->has_shadow;
}

void casting_drop_shadow(struct casting *casting)
{
    shadow_free_shades(casting->gpu, &casting->shadow);
    casting->has_shadow = false;
}

// Fills the buffer of cubes, and the casters' trees from the cubes.
static bool
casting_upload_cubes(struct casting *casting, const struct cubes *cubes, struct problem *problem)
{
    const uint64_t bytes = (uint64_t)casting->skips.words * 4;
    uint32_t *words = malloc(bytes);
    if (!words) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the cubes of rays");
    }
    bool fine =
        skips_fill(&casting->skips, cubes, casting->atlas, words, problem) &&
        transfer_upload(casting->gpu, &casting->buffers[CASTING_CUBES], 0, words, bytes, problem);
    for (uint32_t i = 0; fine && i < casting->state_count; i++) {
        fine =
            caster_state_fill(casting->gpu, &casting->states[i], &casting->skips, words, problem);
    }
    free(words);
    return fine;
}

// Makes the buffer of cubes for the frame.
static bool casting_make_cubes(struct casting *casting, struct problem *problem)
{
    struct gpu *gpu = casting->gpu;
    struct buffer *cubes = &casting->buffers[CASTING_CUBES];
    struct buffer_params params[CASTING_BUFFERS];
    buffer_destroy(gpu, cubes);
    skips_shape(gpu, casting->frame.dim, casting->frame.whole, &casting->skips);
    casting_params(&casting->skips, casting->pixels, params);
    return buffers_create(gpu, &params[CASTING_CUBES], 1, PURPOSE_PICTURE, cubes, problem);
}

// Makes what depends on the constants; not casters, edges and shadow.
static bool casting_make_frame(struct casting *casting, struct problem *problem)
{
    uint32_t *constants = casting->constants;
    casting_constants(casting, &casting->frame, constants);
    return casting_make_kernels(casting, problem) &&
           masks_create(casting->gpu, &casting->frame, constants, &casting->masks, problem);
}

// Destroys what depends on the constants.
static void casting_destroy_frame(struct casting *casting)
{
    struct gpu *gpu = casting->gpu;
    for (uint32_t i = 0; i < casting->state_count; i++) {
        caster_state_destroy(gpu, &casting->states[i]);
    }
    casting->state_count = 0;
    wavefront_destroy(&casting->layers);
    kernels_destroy(gpu, casting->kernels, CASTING_KERNELS);
    masks_destroy(gpu, &casting->masks);
}

// Whether the number of a cell fits in a hit's word, beside CAST_BACK and `bits` bits for the
// contour. Even with all these bits the word must be less than CAST_EDGE and CAST_NOTHING.
static bool casting_cells_fit(const uint32_t dim[3], uint32_t bits)
{
    const uint32_t most = CAST_EDGE & ((CAST_BACK >> bits) - 1);
    return (uint64_t)(dim[0] - 1) * (dim[1] - 1) * (dim[2] - 1) < most;
}

static bool casting_open(
    struct gpu *gpu, const struct atlas *frame, bool in_parts, const struct caster *caster,
    uint32_t pixels, uint32_t samples, struct casting *out, struct problem *problem)
{
    const uint32_t *dim = frame->whole;
    *out = (struct casting){ 0 };
    if ((uint64_t)dim[0] + dim[1] + dim[2] > LENGTH_MOST) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "rays go through volumes of at most %d samples along x, y and z together, and this one "
            "has %ux%ux%u: draw triangles, or reduce it (cubist convert --stride 2)",
            LENGTH_MOST, dim[0], dim[1], dim[2]);
    }
    if (!casting_cells_fit(dim, 0)) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "rays go through volumes of about 2^31 cells at most, and this one has %ux%ux%u "
            "samples: "
            "draw triangles, or reduce it (cubist convert --stride 2)",
            dim[0], dim[1], dim[2]);
    }
    *out = (struct casting){
        .gpu = gpu,
        .frame = *frame,
        .in_parts = in_parts,
        .caster = caster,
        .pixels = pixels,
        .edges.samples = samples,
    };
    struct buffer_params params[CASTING_BUFFERS];
    const uint32_t first = CASTING_CUBES + 1, count = casting_buffers(in_parts) - first;
    if (!casting_make_cubes(out, problem) || !casting_make_frame(out, problem)) {
        return false;
    }
    casting_params(&out->skips, pixels, params);
    return buffers_create(
               gpu, &params[first], count, PURPOSE_PICTURE, &out->buffers[first], problem) &&
           edges_create(
               gpu, frame, out->constants, pixels, samples, in_parts, &out->edges, problem);
}

bool casting_create(
    struct gpu *gpu, const struct atlas *atlas, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, uint32_t samples, struct casting *out,
    struct problem *problem)
{
    assert(memcmp(atlas->dim, atlas->whole, sizeof atlas->whole) == 0);
    bool fine = casting_open(gpu, atlas, false, caster, pixels, samples, out, problem);
    out->atlas = atlas;
    fine = fine && casting_upload_cubes(out, cubes, problem) &&
           casting_add(out, caster, &(struct caster_state *){ NULL }, problem);
    if (!fine) {
        casting_destroy(out);
    }
    return fine;
}

bool casting_create_parts(
    struct gpu *gpu, const struct atlas *frame, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, uint32_t samples, struct casting *out,
    struct problem *problem)
{
    const bool fine = casting_open(gpu, frame, true, caster, pixels, samples, out, problem) &&
                      casting_add(out, caster, &(struct caster_state *){ NULL }, problem);
    out->cubes = cubes;
    if (!fine) {
        casting_destroy(out);
    }
    return fine;
}

// Replaces everything that depends on the constants. `frame`: the new frame, whose cubes must be
// uploaded; NULL: it stays, and so do the cubes.
static bool
casting_reframe(struct casting *casting, const struct atlas *frame, struct problem *problem)
{
    const uint32_t count = casting->state_count;
    const struct caster *casters[CASTERS_MOST];
    const struct method *methods[CASTERS_MOST];
    for (uint32_t i = 0; i < count; i++) {
        casters[i] = casting->states[i].caster;
        methods[i] = casting->states[i].wavefront.method;
    }
    casting_destroy_frame(casting);
    casting->frame = frame ? *frame : casting->frame;
    struct gpu *gpu = casting->gpu;
    const struct atlas *now = &casting->frame;
    const uint32_t *constants = casting->constants;
    bool fine = (!frame || casting_make_cubes(casting, problem)) &&
                casting_make_frame(casting, problem) &&
                edges_turn(gpu, now, constants, &casting->edges, problem) &&
                shadow_turn(gpu, now, constants, &casting->shadow, problem);
    for (uint32_t i = 0; fine && i < count; i++) {
        fine = casting_prepare(casting, casters[i], methods[i], problem);
    }
    return fine;
}

// CONSTANT_CAST_MANY for a cast. *bits: of its contours, and CAST_CAP, in a hit.
static uint32_t casting_many(const struct cast *cast, uint32_t *bits)
{
    *bits = 0;
    assert(cast->contours <= CONTOURS_MOST);
    while (cast->contours > 1u << *bits) {
        (*bits)++;
    }
    const bool cut = cast->clipped && cast->plane_count > 0;
    const bool caps = cut && cast->caps;
    const uint32_t many = *bits > 0 || cut || cast_layered(cast) ? 1 + *bits : 0;
    *bits += caps;
    return many + (caps ? CAST_MANY_CAPS : 0);
}

uint32_t casting_cell_bits(const struct casting *casting)
{
    const uint32_t caps = casting->many / CAST_MANY_CAPS, many = casting->many % CAST_MANY_CAPS;
    return 31 - caps - (many > 0 ? many - 1 : 0);
}

bool casting_suits(const struct casting *casting, const struct cast *cast)
{
    uint32_t bits;
    return casting_many(cast, &bits) == casting->many;
}

bool casting_set_many(struct casting *casting, const struct cast *cast, struct problem *problem)
{
    const uint32_t *dim = casting->frame.whole;
    uint32_t bits;
    const uint32_t many = casting_many(cast, &bits);
    if (many == casting->many) {
        return true;
    }
    if (!casting_cells_fit(dim, bits)) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "rays for %u isovalues%s go through volumes of about 2^%u cells at most, and this one "
            "has %ux%ux%u samples: reduce it (cubist convert --stride 2)",
            cast->contours, cast->caps ? " with caps" : "", 31 - bits, dim[0], dim[1], dim[2]);
    }
    casting->many = many;
    return casting_reframe(casting, NULL, problem);
}

// The frame that a part needs. A buffer keeps the current frame's slices if these are more.
static struct atlas casting_frame_of(const struct casting *casting, const struct atlas *part)
{
    struct atlas frame = *part;
    if (frame.storage == ATLAS_STORAGE_BUFFER && frame.dim[2] < casting->frame.dim[2]) {
        frame.dim[2] = frame.rows = casting->frame.dim[2]; // slices are one below the other
    }
    return frame;
}

bool casting_turn(struct casting *casting, const struct atlas *atlas, struct problem *problem)
{
    assert(casting->in_parts);
    const struct atlas frame = casting_frame_of(casting, atlas);
    uint32_t wanted[CONSTANTS];
    casting_constants(casting, &frame, wanted);
    if (memcmp(casting->constants, wanted, sizeof wanted) != 0 &&
        !casting_reframe(casting, &frame, problem)) {
        return false;
    }
    casting->part = *atlas; // a copy, as the part may be given up before the cast ends
    casting->atlas = &casting->part;
    casting->masks.made = false;
    return casting_upload_cubes(casting, casting->cubes, problem);
}

void casting_destroy(struct casting *casting)
{
    struct gpu *gpu = casting->gpu;
    if (gpu) {
        casting_destroy_frame(casting);
        buffers_destroy(gpu, casting->buffers, CASTING_BUFFERS);
        edges_destroy(gpu, &casting->edges);
        shadow_destroy(gpu, &casting->shadow);
    }
    *casting = (struct casting){ 0 };
}

bool casting_fetch(
    struct casting *casting, const struct cast *cast, struct cast_hit *out, struct problem *problem)
{
    const uint64_t size = (uint64_t)cast->width * cast->height * sizeof *out;
    struct problem why = { 0 };
    while (!transfer_download(casting->gpu, &casting->buffers[CASTING_HITS], 0, out, size, &why)) {
        if (!casting_free_memory(casting, &why)) {
            return problem_set(problem, why.kind, "%s", why.text);
        }
    }
    return true;
}
