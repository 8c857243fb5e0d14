#include "compute/casting/wavefront.h"

#include "shaders.h"

#include <assert.h>
#include <string.h>

// Slots of the counters.
enum { SLOT_READ, SLOT_MADE, SLOTS };

static void
wavefront_params(uint64_t pixels, uint32_t levels, struct buffer_params out[WAVEFRONT_BUFFERS])
{
    const uint64_t rounds = 2 * (CAST_ROUNDS_MOST + 1) * sizeof(uint32_t);
    const bool layers = levels == WAVEFRONT_OF_LAYERS;
    const uint64_t sums = (pixels * 4 * LAYERS_WORDS + 15) / 16 * 16;
    const struct buffer_params all[WAVEFRONT_BUFFERS] = {
        [WAVEFRONT_LIST] = { .name = "list of rays",
                             .size = pixels * 4,
                             .texels = { VK_FORMAT_R32_UINT } },
        [WAVEFRONT_OTHER_LIST] = { .name = "next list of rays",
                                   .size = pixels * 4,
                                   .texels = { VK_FORMAT_R32_UINT } },
        [WAVEFRONT_RAYS] = { .name = "rays",
                             .size = layers ? sums : pixels * 16,
                             .texels = { VK_FORMAT_R32G32B32A32_UINT } },
        [WAVEFRONT_OTHER_RAYS] = { .name = "next rays",
                                   .size = layers ? 16 : pixels * 16,
                                   .texels = { VK_FORMAT_R32G32B32A32_UINT } },
        [WAVEFRONT_COUNTERS] = { .name = "counts of rays",
                                 .size = SLOTS * BUFFER_SLOT,
                                 .slots = true },
        [WAVEFRONT_ARGUMENTS] = { .name = "arguments of rays", .size = 16 },
        [WAVEFRONT_ROUNDS] = { .name = "rays by round", .size = rounds },
        [WAVEFRONT_COUNTED] = { .name = "rays by round for the host",
                                .size = rounds,
                                .memory = BUFFER_READBACK },
        [WAVEFRONT_STACKS] = { .name = "stacks of rays", .size = pixels * levels * 4 },
    };
    memcpy(out, all, sizeof all);
}

// Number of buffers. The last one, the stacks, exists only with boxes.
static uint32_t wavefront_buffers(uint32_t levels)
{
    return levels && levels != WAVEFRONT_OF_LAYERS ? WAVEFRONT_BUFFERS : WAVEFRONT_STACKS;
}

// The shaders and streams of each kernel, for an atlas in a buffer and for one in an image.
static const struct wavefront_row {
    const char *name;
    const struct shader *buffer, *image;
    enum stream stream, stream_image; // of kernels that compact
    enum stage_kind stage;
} wavefront_rows[WAVEFRONT_KERNELS] = {
    [WAVEFRONT_PIXELS] = { "pixels", &shader_in_place_pixels, &shader_in_place_pixels,
                           STREAM_PIXELS, STREAM_PIXELS, STAGE_GENERATE },
    [WAVEFRONT_MARCH] = { "march", &shader_in_place_march_buffer, &shader_in_place_march_image,
                          STREAM_MARCH, STREAM_MARCH_IMAGE, STAGE_MARCH },
    [WAVEFRONT_TRAVERSE] = { "traverse", &shader_in_place_traverse, &shader_in_place_traverse,
                             STREAM_TRAVERSE, STREAM_TRAVERSE, STAGE_TRAVERSE },
    [WAVEFRONT_INTERSECT] = { "intersect", &shader_in_place_intersect_buffer,
                              &shader_in_place_intersect_image, STREAM_INTERSECT,
                              STREAM_INTERSECT_IMAGE, STAGE_INTERSECT },
    [WAVEFRONT_LAYERS] = { "layers", &shader_in_place_layers_buffer, &shader_in_place_layers_image,
                           STREAM_LAYERS, STREAM_LAYERS_IMAGE, STAGE_MARCH },
    // The tail uses the shader of the march, or of the intersection; its constant for the number of
    // cells lets it go on to the ray's end.
    [WAVEFRONT_TAIL] = { "tail" },
    [WAVEFRONT_TURN] = { "turn", &shader_cast_turn, &shader_cast_turn },
};

// Whether the rays of a kernel are compacted. `levels` 0: there are no boxes.
static bool wavefront_compacts(enum wavefront_kernel which, uint32_t levels)
{
    if (levels == WAVEFRONT_OF_LAYERS) {
        return which == WAVEFRONT_LAYERS;
    }
    return which == WAVEFRONT_PIXELS ||
           (levels ? which == WAVEFRONT_TRAVERSE || which == WAVEFRONT_INTERSECT
                   : which == WAVEFRONT_MARCH);
}

static enum stream wavefront_stream(enum wavefront_kernel which, bool image)
{
    const struct wavefront_row *row = &wavefront_rows[which];
    return image ? row->stream_image : row->stream;
}

const struct method *wavefront_method(const struct method *asked)
{
    return asked && !asked->selects ? asked : method_default();
}

// Sets the sizes of the streams to compact. `in_kernel`: in the kernels that make the streams.
static void wavefront_sizes(
    bool in_kernel, bool image, uint32_t pixels, uint32_t levels,
    struct compaction_size out[STREAMS])
{
    for (int i = 0; i < WAVEFRONT_KERNELS; i++) {
        if (wavefront_compacts(i, levels)) {
            const enum stream stream = in_kernel ? wavefront_stream(i, image) : STREAM_WORDS;
            out[stream] = (struct compaction_size){ .lanes = pixels, .capacity = pixels };
        }
    }
}

uint64_t wavefront_bytes(
    const struct gpu *gpu, const struct method *asked, bool separate, uint32_t pixels,
    uint32_t levels)
{
    const struct method *method = wavefront_method(asked);
    struct compaction_size sizes[STREAMS] = { 0 };
    wavefront_sizes(method->once && !separate, false, pixels, levels, sizes);
    struct buffer_params params[WAVEFRONT_BUFFERS];
    wavefront_params(pixels, levels, params);
    return compaction_bytes(gpu, method, sizes) +
           buffers_bytes(gpu, params, wavefront_buffers(levels));
}

static bool wavefront_make_kernel(
    struct wavefront *wavefront, enum wavefront_kernel which, struct problem *problem)
{
    const enum wavefront_kernel of = which != WAVEFRONT_TAIL ? which
                                     : wavefront->levels     ? WAVEFRONT_INTERSECT
                                                             : WAVEFRONT_MARCH;
    const struct wavefront_row *row = &wavefront_rows[of];
    uint32_t constants[CONSTANTS];
    memcpy(constants, wavefront->constants, sizeof constants);
    constants[CONSTANT_CAST_CELLS] =
        which == WAVEFRONT_TAIL ? UINT32_MAX : constants[CONSTANT_CAST_CELLS];
    const struct kernel_params params = {
        .alternates = true,
        .name = wavefront_rows[which].name,
        .shader = wavefront->image ? row->image : row->buffer,
        .constants = constants,
    };
    struct kernel *kernel = &wavefront->kernels[which];
    return kernel->pipeline || kernel_create(wavefront->gpu, &params, kernel, problem);
}

bool wavefront_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t *constants, uint32_t pixels,
    uint32_t levels, struct wavefront *out, struct problem *problem)
{
    *out = (struct wavefront){
        .gpu = gpu,
        .pixels = pixels,
        .levels = levels,
        .image = atlas->storage == ATLAS_STORAGE_IMAGE,
    };
    memcpy(out->constants, constants, sizeof out->constants);
    out->constants[CONSTANT_COUNTED] = 1;
    const bool layers = levels == WAVEFRONT_OF_LAYERS;
    out->constants[CONSTANT_CAST_CELLS] = layers ? UINT32_MAX : levels ? 1 : CAST_CELLS_EACH;
    struct buffer_params params[WAVEFRONT_BUFFERS];
    wavefront_params(pixels, levels, params);
    const bool fine =
        compaction_create(
            gpu, &(struct compaction_params){ .constants = out->constants }, &out->compaction,
            problem) &&
        buffers_create(
            gpu, params, wavefront_buffers(levels), PURPOSE_PICTURE, out->buffers, problem) &&
        (layers || wavefront_make_kernel(out, WAVEFRONT_TAIL, problem)) &&
        wavefront_make_kernel(out, WAVEFRONT_TURN, problem);
    if (!fine) {
        wavefront_destroy(out);
    }
    return fine;
}

void wavefront_destroy(struct wavefront *wavefront)
{
    struct gpu *gpu = wavefront->gpu;
    if (gpu) {
        compaction_destroy(&wavefront->compaction);
        kernels_destroy(gpu, wavefront->kernels, WAVEFRONT_KERNELS);
        buffers_destroy(gpu, wavefront->buffers, WAVEFRONT_BUFFERS);
    }
    *wavefront = (struct wavefront){ 0 };
}

const char *wavefront_refuses(const struct gpu *gpu, const struct method *asked)
{
    const struct method *method = wavefront_method(asked);
    return method->cpu       ? "it runs on the CPU"
           : method->removes ? "it begins with a list whose length the host knows"
                             : method_unavailable(method, gpu);
}

bool wavefront_prepare(
    struct wavefront *wavefront, const struct method *asked, struct problem *problem)
{
    const struct method *method = wavefront_method(asked);
    const char *why = wavefront_refuses(wavefront->gpu, method);
    struct compaction_size sizes[STREAMS] = { 0 };
    if (why) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "%s cannot compact rays: %s", method->name, why);
    }
    const bool in_kernel = method->once && !wavefront->separate;
    wavefront_sizes(in_kernel, wavefront->image, wavefront->pixels, wavefront->levels, sizes);
    bool fine = compaction_prepare(&wavefront->compaction, method, sizes, problem);
    for (int i = 0; fine && !in_kernel && i < WAVEFRONT_KERNELS; i++) {
        fine = !wavefront_compacts(i, wavefront->levels) ||
               wavefront_make_kernel(wavefront, i, problem);
    }
    wavefront->method = fine ? method : wavefront->method;
    return fine;
}

// The push constants of a kernel without compaction.
struct wavefront_push {
    struct compact_push stream;
    struct cast_push own;
};
_Static_assert(sizeof(struct wavefront_push) <= 128, "wavefront_push is over 128 bytes");

// Binds the list and the rays that are read, and those that are made.
static void wavefront_bind(
    const struct wavefront *wavefront, const struct wavefront_cast *cast,
    struct binding table[BINDINGS])
{
    const struct buffer *buffers = wavefront->buffers;
    memcpy(table, cast->table, BINDINGS * sizeof *table);
    table[BINDING_WORDS] = (struct binding){ &buffers[WAVEFRONT_LIST + wavefront->list] };
    table[BINDING_LIST] = (struct binding){ &buffers[WAVEFRONT_LIST + !wavefront->list] };
    table[BINDING_RAYS] = (struct binding){ &buffers[WAVEFRONT_RAYS + wavefront->rays] };
    table[BINDING_NEXT_RAYS] = (struct binding){ &buffers[WAVEFRONT_RAYS + !wavefront->rays] };
    table[BINDING_WORDS_COUNTER] = (struct binding){ &buffers[WAVEFRONT_COUNTERS], SLOT_READ };
    table[BINDING_COUNTER] = (struct binding){ &buffers[WAVEFRONT_COUNTERS], SLOT_MADE };
    table[BINDING_ARGUMENTS] = (struct binding){ &buffers[WAVEFRONT_ARGUMENTS] };
    table[BINDING_ROUNDS] = (struct binding){ &buffers[WAVEFRONT_ROUNDS] };
    if (wavefront_buffers(wavefront->levels) == WAVEFRONT_BUFFERS) {
        table[BINDING_STACKS] = (struct binding){ &buffers[WAVEFRONT_STACKS] };
    }
}

static void wavefront_dispatch(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast,
    enum wavefront_kernel which)
{
    struct binding table[BINDINGS];
    const struct wavefront_push push = { .own = *cast->push };
    wavefront_bind(wavefront, cast, table);
    run_dispatch_indirect(
        run, &wavefront->kernels[which], table, &push, &wavefront->buffers[WAVEFRONT_ARGUMENTS], 0);
}

// Records a kernel; its rays that go on become the list that is read next.
static void wavefront_compact(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast,
    enum wavefront_kernel which)
{
    const bool in_kernel = wavefront->method->once && !wavefront->separate;
    const enum stage_kind stage = wavefront_rows[which].stage;
    struct binding table[BINDINGS];
    struct compaction_run what = {
        .method = wavefront->method,
        .stream = wavefront_stream(which, wavefront->image),
        .table = table,
        .capacity = wavefront->pixels,
        .own = cast->push,
        .lane_arguments = &wavefront->buffers[WAVEFRONT_ARGUMENTS],
    };
    if (!in_kernel) {
        wavefront_dispatch(wavefront, run, cast, which);
        run_stamp(run, stage);
        what.stream = STREAM_WORDS;
        what.own = NULL;
        wavefront->list = !wavefront->list; // the invalid words are in the other list
    }
    wavefront_bind(wavefront, cast, table);
    compaction_record(&wavefront->compaction, run, &what);
    if (in_kernel) {
        run_stamp(run, stage);
    }
    wavefront->list = !wavefront->list;
    wavefront->rays = which == WAVEFRONT_LAYERS ? wavefront->rays : !wavefront->rays;
    // The counts of leaves come after the counts of rays.
    const uint32_t round = wavefront->round, most = CAST_ROUNDS_MOST;
    const uint32_t first = which == WAVEFRONT_TRAVERSE ? most + 1 : 0;
    const struct turn_push push = { first + (round < most ? round : most) };
    run_dispatch(run, &wavefront->kernels[WAVEFRONT_TURN], table, &push, 1, 1, 1);
    run_stamp(run, STAGE_COMPACTION);
}

void wavefront_record_pixels(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast)
{
    const struct buffer *buffers = wavefront->buffers;
    const uint32_t all = cast->push->width * cast->push->height;
    const struct list_counter pixels = { all, all }, none = { .capacity = wavefront->pixels };
    uint32_t arguments[4] = { 0, 0, 1 };
    assert(all <= wavefront->pixels && wavefront->method);
    run_fold(all, GROUP, arguments);
    run_update(run, &buffers[WAVEFRONT_COUNTERS], SLOT_READ * BUFFER_SLOT, &pixels, sizeof pixels);
    run_update(run, &buffers[WAVEFRONT_COUNTERS], SLOT_MADE * BUFFER_SLOT, &none, sizeof none);
    run_update(run, &buffers[WAVEFRONT_ARGUMENTS], 0, arguments, sizeof arguments);
    wavefront->list = wavefront->rays = wavefront->round = 0;
    wavefront_compact(wavefront, run, cast, WAVEFRONT_PIXELS);
}

void wavefront_record_round(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast)
{
    if (wavefront->levels) {
        wavefront_compact(wavefront, run, cast, WAVEFRONT_TRAVERSE);
    }
    wavefront->round++;
    wavefront_compact(
        wavefront, run, cast, wavefront->levels ? WAVEFRONT_INTERSECT : WAVEFRONT_MARCH);
}

void wavefront_record_tail(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast)
{
    wavefront_dispatch(wavefront, run, cast, WAVEFRONT_TAIL);
    run_stamp(run, STAGE_TAIL);
}

void wavefront_record_empty(
    struct wavefront *wavefront, struct run *run, struct binding table[BINDINGS])
{
    const struct buffer *buffers = wavefront->buffers;
    const struct list_counter none = { .capacity = wavefront->pixels };
    for (int slot = SLOT_READ; slot <= SLOT_MADE; slot++) {
        run_update(run, &buffers[WAVEFRONT_COUNTERS], slot * BUFFER_SLOT, &none, sizeof none);
    }
    run_fill(run, &buffers[WAVEFRONT_RAYS], 0, buffers[WAVEFRONT_RAYS].size, 0);
    wavefront->list = wavefront->round = 0;
    wavefront->rays = 1; // the first rays are those that kernels write
    table[BINDING_LIST] = (struct binding){ &buffers[WAVEFRONT_LIST] };
    table[BINDING_COUNTER] = (struct binding){ &buffers[WAVEFRONT_COUNTERS], SLOT_READ };
    table[BINDING_ARGUMENTS] = (struct binding){ &buffers[WAVEFRONT_ARGUMENTS] };
}

void wavefront_record_first(
    struct wavefront *wavefront, struct run *run, const struct binding hits[BINDINGS],
    const struct buffer *arguments, uint64_t offset)
{
    struct binding table[BINDINGS];
    const struct buffer *list = hits[BINDING_HIT_LIST].buffer;
    wavefront_record_empty(wavefront, run, table);
    run_copy(run, list, 0, table[BINDING_LIST].buffer, 0, list->size);
    run_copy(
        run, hits[BINDING_HIT_COUNTS].buffer, 0, table[BINDING_COUNTER].buffer,
        SLOT_READ * BUFFER_SLOT, sizeof(struct list_counter));
    run_copy(run, arguments, offset, table[BINDING_ARGUMENTS].buffer, 0, 16);
}

void wavefront_record_layer(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast)
{
    wavefront->round++;
    wavefront_compact(wavefront, run, cast, WAVEFRONT_LAYERS);
}

void wavefront_bind_hits(const struct wavefront *wavefront, struct binding table[BINDINGS])
{
    const struct buffer *buffers = wavefront->buffers;
    table[BINDING_HIT_LIST] = (struct binding){ &buffers[WAVEFRONT_LIST + wavefront->list] };
    table[BINDING_HIT_COUNTS] = (struct binding){ &buffers[WAVEFRONT_COUNTERS], SLOT_READ };
}

void wavefront_record_counts(struct wavefront *wavefront, struct run *run)
{
    const struct buffer *buffers = wavefront->buffers;
    run_copy(
        run, &buffers[WAVEFRONT_ROUNDS], 0, &buffers[WAVEFRONT_COUNTED], 0,
        2 * (CAST_ROUNDS_MOST + 1) * sizeof(uint32_t));
    run_use(run, &buffers[WAVEFRONT_COUNTED], ACCESS_HOST);
}

uint32_t wavefront_left(const struct wavefront *wavefront)
{
    const uint32_t *counted = wavefront->buffers[WAVEFRONT_COUNTED].mapped;
    return counted[wavefront->round < CAST_ROUNDS_MOST ? wavefront->round : CAST_ROUNDS_MOST];
}

void wavefront_rounds(const struct wavefront *wavefront, struct cast_rounds *out)
{
    const uint32_t most = CAST_ROUNDS_MOST, round = wavefront->round;
    const uint32_t *counted = wavefront->buffers[WAVEFRONT_COUNTED].mapped;
    const uint32_t known = round < most ? round : most;
    *out = (struct cast_rounds){ .count = round };
    memcpy(out->rays, counted, (known + 1) * sizeof *out->rays);
    if (wavefront->levels) {
        memcpy(out->leaves, counted + most + 1, known * sizeof *out->leaves);
    }
}
