#include "compute/casting/wavefront.h"

#include "shaders.h"

#include <assert.h>
#include <string.h>

// Slots of the counters.
enum { SLOT_READ, SLOT_MADE, SLOTS };

static struct buffer_params wavefront_buffer(enum wavefront_buffer which, uint64_t pixels)
{
    const uint64_t rounds = (CAST_ROUNDS_MOST + 1) * sizeof(uint32_t);
    const struct buffer_params all[WAVEFRONT_BUFFERS] = {
        [WAVEFRONT_LIST] = { .name = "list of rays",
                             .size = pixels * 4,
                             .texels = { VK_FORMAT_R32_UINT },
                             .purpose = PURPOSE_PICTURE },
        [WAVEFRONT_OTHER_LIST] = { .name = "next list of rays",
                                   .size = pixels * 4,
                                   .texels = { VK_FORMAT_R32_UINT },
                                   .purpose = PURPOSE_PICTURE },
        [WAVEFRONT_COUNTERS] = { .name = "counts of rays",
                                 .size = SLOTS * BUFFER_SLOT,
                                 .slots = true,
                                 .purpose = PURPOSE_PICTURE },
        [WAVEFRONT_ARGUMENTS] = { .name = "arguments of rays",
                                  .size = 16,
                                  .purpose = PURPOSE_PICTURE },
        [WAVEFRONT_ROUNDS] = { .name = "rays by round",
                               .size = rounds,
                               .purpose = PURPOSE_PICTURE },
        [WAVEFRONT_COUNTED] = { .name = "rays by round for the host",
                                .size = rounds,
                                .memory = BUFFER_READBACK,
                                .purpose = PURPOSE_PICTURE },
    };
    return all[which];
}

static enum stream wavefront_march(bool image)
{
    return image ? STREAM_MARCH_IMAGE : STREAM_MARCH;
}

const struct method *wavefront_method(const struct method *asked)
{
    return asked && !asked->selects ? asked : method_default();
}

// The streams that a method compacts.
static void wavefront_sizes(
    const struct method *method, bool image, uint32_t pixels, struct compaction_size out[STREAMS])
{
    const struct compaction_size size = { .lanes = pixels, .room = pixels };
    if (method->once) {
        out[STREAM_PIXELS] = out[wavefront_march(image)] = size;
    } else {
        out[STREAM_WORDS] = size;
    }
}

uint64_t wavefront_bytes(const struct gpu *gpu, const struct method *asked, uint32_t pixels)
{
    const struct method *method = wavefront_method(asked);
    struct compaction_size sizes[STREAMS] = { 0 };
    wavefront_sizes(method, false, pixels, sizes);
    uint64_t bytes = compaction_bytes(gpu, method, sizes);
    for (int i = 0; i < WAVEFRONT_BUFFERS; i++) {
        const struct buffer_params params = wavefront_buffer(i, pixels);
        bytes += buffer_bytes(gpu, &params);
    }
    return bytes;
}

static bool wavefront_make_kernel(
    struct wavefront *wavefront, enum wavefront_kernel which, struct problem *problem)
{
    const struct {
        const char *name;
        const struct shader *buffer, *image; // for the two storages of an atlas
    } rows[WAVEFRONT_KERNELS] = {
        [WAVEFRONT_PIXELS] = { "pixels", &shader_in_place_pixels, &shader_in_place_pixels },
        [WAVEFRONT_MARCH] = { "march", &shader_in_place_march_buffer,
                              &shader_in_place_march_image },
        [WAVEFRONT_TAIL] = { "tail", &shader_in_place_march_buffer, &shader_in_place_march_image },
        [WAVEFRONT_TURN] = { "turn", &shader_cast_turn, &shader_cast_turn },
    };
    uint32_t constants[CONSTANTS];
    memcpy(constants, wavefront->constants, sizeof constants);
    constants[CONSTANT_CAST_CELLS] =
        which == WAVEFRONT_TAIL ? UINT32_MAX : constants[CONSTANT_CAST_CELLS];
    const struct kernel_params params = {
        .name = rows[which].name,
        .shader = wavefront->image ? rows[which].image : rows[which].buffer,
        .constants = constants,
        .constant_count = CONSTANTS,
    };
    struct kernel *kernel = &wavefront->kernels[which];
    return kernel->pipeline || kernel_create(wavefront->gpu, &params, kernel, problem);
}

bool wavefront_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t *constants, uint32_t pixels,
    struct wavefront *out, struct problem *problem)
{
    *out = (struct wavefront){
        .gpu = gpu,
        .pixels = pixels,
        .image = atlas->storage == ATLAS_STORAGE_IMAGE,
    };
    memcpy(out->constants, constants, sizeof out->constants);
    out->constants[CONSTANT_COUNTED] = 1;
    out->constants[CONSTANT_CAST_CELLS] = 1;
    bool fine = compaction_create(
        gpu, &(struct compaction_params){ .constants = out->constants }, &out->compaction, problem);
    for (int i = 0; fine && i < WAVEFRONT_BUFFERS; i++) {
        const struct buffer_params params = wavefront_buffer(i, pixels);
        fine = buffer_create(gpu, &params, &out->buffers[i], problem);
    }
    fine = fine && wavefront_make_kernel(out, WAVEFRONT_TAIL, problem) &&
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
        for (int i = 0; i < WAVEFRONT_KERNELS; i++) {
            kernel_destroy(gpu, &wavefront->kernels[i]);
        }
        for (int i = 0; i < WAVEFRONT_BUFFERS; i++) {
            buffer_destroy(gpu, &wavefront->buffers[i]);
        }
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
    wavefront_sizes(method, wavefront->image, wavefront->pixels, sizes);
    if (!compaction_prepare(&wavefront->compaction, method, sizes, problem) ||
        (!method->once && (!wavefront_make_kernel(wavefront, WAVEFRONT_PIXELS, problem) ||
                           !wavefront_make_kernel(wavefront, WAVEFRONT_MARCH, problem)))) {
        return false;
    }
    wavefront->method = method;
    return true;
}

// What a kernel gets that does work without compaction.
struct wavefront_push {
    struct compact_push stream;
    struct cast_push own;
};
_Static_assert(sizeof(struct wavefront_push) <= 128, "wavefront_push is over 128 bytes");

// The list that is read, and the one that is made.
static void wavefront_bind(
    const struct wavefront *wavefront, const struct wavefront_cast *cast, uint32_t read,
    uint32_t made, struct binding table[BINDINGS])
{
    const struct buffer *buffers = wavefront->buffers;
    memcpy(table, cast->table, BINDINGS * sizeof *table);
    table[BINDING_WORDS] = (struct binding){ &buffers[WAVEFRONT_LIST + read] };
    table[BINDING_LIST] = (struct binding){ &buffers[WAVEFRONT_LIST + made] };
    table[BINDING_WORDS_COUNTER] = (struct binding){ &buffers[WAVEFRONT_COUNTERS], SLOT_READ };
    table[BINDING_COUNTER] = (struct binding){ &buffers[WAVEFRONT_COUNTERS], SLOT_MADE };
    table[BINDING_ARGUMENTS] = (struct binding){ &buffers[WAVEFRONT_ARGUMENTS] };
    table[BINDING_ROUNDS] = (struct binding){ &buffers[WAVEFRONT_ROUNDS] };
}

static void wavefront_dispatch(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast,
    enum wavefront_kernel which)
{
    struct binding table[BINDINGS];
    const struct wavefront_push push = { .own = *cast->push };
    wavefront_bind(wavefront, cast, wavefront->list, !wavefront->list, table);
    run_dispatch_indirect(
        run, &wavefront->kernels[which], table, &push, &wavefront->buffers[WAVEFRONT_ARGUMENTS], 0);
}

// The rays that go on become the list that is read next.
static void wavefront_compact(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast,
    enum stream stream, enum stage_kind stage)
{
    const bool once = wavefront->method->once;
    struct binding table[BINDINGS];
    struct compaction_run what = {
        .method = wavefront->method,
        .stream = stream,
        .table = table,
        .capacity = wavefront->pixels,
        .own = cast->push,
        .lane_arguments = &wavefront->buffers[WAVEFRONT_ARGUMENTS],
    };
    if (!once) {
        wavefront_dispatch(
            wavefront, run, cast, stream == STREAM_PIXELS ? WAVEFRONT_PIXELS : WAVEFRONT_MARCH);
        run_stamp(run, stage);
        what.stream = STREAM_WORDS;
        what.own = NULL;
        wavefront->list = !wavefront->list; // the invalid words are in the other list
    }
    wavefront_bind(wavefront, cast, wavefront->list, !wavefront->list, table);
    compaction_record(&wavefront->compaction, run, &what);
    if (once) {
        run_stamp(run, stage);
    }
    wavefront->list = !wavefront->list;
    const uint32_t round = wavefront->round;
    const struct turn_push push = { round < CAST_ROUNDS_MOST ? round : CAST_ROUNDS_MOST };
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
    wavefront->list = wavefront->round = 0;
    wavefront_compact(wavefront, run, cast, STREAM_PIXELS, STAGE_GENERATE);
}

void wavefront_record_round(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast)
{
    wavefront->round++;
    wavefront_compact(wavefront, run, cast, wavefront_march(wavefront->image), STAGE_MARCH);
}

void wavefront_record_tail(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast)
{
    wavefront_dispatch(wavefront, run, cast, WAVEFRONT_TAIL);
    run_stamp(run, STAGE_TAIL);
}

void wavefront_record_counts(struct wavefront *wavefront, struct run *run)
{
    const struct buffer *buffers = wavefront->buffers;
    run_copy(
        run, &buffers[WAVEFRONT_ROUNDS], 0, &buffers[WAVEFRONT_COUNTED], 0,
        sizeof((struct cast_rounds *)0)->rays);
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
    *out = (struct cast_rounds){ .count = round };
    memcpy(
        out->rays, wavefront->buffers[WAVEFRONT_COUNTED].mapped,
        ((round < most ? round : most) + 1) * sizeof *out->rays);
}
