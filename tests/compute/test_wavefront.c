// ctest: plain twin
// A cast in rounds finds what dda finds, to the last bit, whichever method compacts the rays and
// however many rounds there are.
#include "tests/device.h"

#include "compute/casting/casting.h"
#include "compute/gpu/transfer.h"

#include <math.h>

static const struct caster *caster; // in rounds, that is tested

#define POISON 0xdeadbeefu

// A volume on the device, and rays through it: by dda, and in rounds.
struct front {
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
    uint32_t pixels;
    struct cast_hit *expected, *found;
    uint32_t *list;
};

static void front_open(
    struct front *front, const struct volume *volume, enum atlas_storage storage, uint32_t pixels)
{
    struct problem problem = { 0 };
    const struct atlas_params params = { .storage = storage };
    *front = (struct front){ .pixels = pixels };
    REQUIRE(atlas_create(&gpu, volume, &params, &front->atlas, &problem));
    REQUIRE(volume_cubes(volume, NULL, &front->cubes, &problem));
    REQUIRE(casting_create(
        &gpu, &front->atlas, &front->cubes, caster_find("dda"), pixels, 1, &front->casting,
        &problem));
    REQUIRE(casting_prepare(&front->casting, caster, NULL, &problem));
    front->expected = malloc(pixels * sizeof *front->expected);
    front->found = malloc(pixels * sizeof *front->found);
    front->list = malloc(pixels * sizeof *front->list);
}

static void front_close(struct front *front)
{
    free(front->expected);
    free(front->found);
    free(front->list);
    casting_destroy(&front->casting);
    cubes_destroy(&front->cubes);
    atlas_destroy(&gpu, &front->atlas);
}

// What a cast does not set must not matter.
static void front_poison(struct front *front)
{
    struct problem problem = { 0 };
    struct wavefront *wavefront = &casting_find(&front->casting, caster)->wavefront;
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    run_begin(&run, &gpu, cmd, NULL);
    for (int i = 0; i < CASTING_BUFFERS; i++) {
        const struct buffer *buffer = &front->casting.buffers[i];
        if (i != CASTING_CUBES && buffer->handle) {
            run_fill(&run, buffer, 0, buffer->size, POISON);
        }
    }
    for (int i = 0; i < WAVEFRONT_BUFFERS; i++) {
        if (wavefront->buffers[i].handle) {
            run_fill(&run, &wavefront->buffers[i], 0, wavefront->buffers[i].size, POISON);
        }
    }
    const struct buffer *const scratch[] = {
        &wavefront->compaction.masks,
        &wavefront->compaction.blocks,
        &wavefront->compaction.levels,
        &wavefront->compaction.arguments,
    };
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) {
        if (scratch[i]->handle) {
            run_fill(&run, scratch[i], 0, scratch[i]->size, POISON);
        }
    }
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
}

// Casts by dda. Returns the number of hits.
static uint32_t front_expect(struct front *front, struct cast *cast)
{
    struct problem problem = { 0 };
    uint32_t hits;
    cast->caster = caster_find("dda");
    REQUIRE(casting_run(&front->casting, cast, &hits, &problem));
    REQUIRE(casting_fetch(&front->casting, cast, front->expected, &problem));
    cast->caster = caster;
    return hits;
}

static int by_index(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The list of hits has each pixel that has one, once.
static void front_check_list(struct front *front, uint32_t count, uint32_t hits)
{
    struct problem problem = { 0 };
    REQUIRE(transfer_download(
        &gpu, &front->casting.buffers[CASTING_LIST], 0, front->list, (uint64_t)hits * 4, &problem));
    qsort(front->list, hits, sizeof *front->list, by_index);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (front->expected[i].cell != CAST_NOTHING) {
            assert_true(at < hits);
            assert_int_equal(front->list[at++], i);
        }
    }
    assert_int_equal(at, hits);
}

// The tiles that have a hit are marked, and no others.
static void front_check_tiles(struct front *front, const struct cast *cast)
{
    struct problem problem = { 0 };
    const uint32_t tiles = casting_tiles(cast), across = (cast->width + CAST_TILE - 1) / CAST_TILE;
    uint32_t *marks = malloc(tiles * sizeof *marks), *expected = calloc(tiles, sizeof *expected);
    REQUIRE(transfer_download(
        &gpu, &front->casting.buffers[CASTING_TILES], 0, marks, tiles * UINT64_C(4), &problem));
    for (uint32_t i = 0; i < cast->width * cast->height; i++) {
        const uint32_t x = i % cast->width / CAST_TILE, y = i / cast->width / CAST_TILE;
        if (front->expected[i].cell != CAST_NOTHING) {
            expected[y * across + x] = 1;
        }
    }
    assert_memory_equal(marks, expected, tiles * sizeof *marks);
    free(marks);
    free(expected);
}

// Casts in rounds, and compares. *rounds: the lengths of the lists.
static void
front_check(struct front *front, const struct cast *cast, uint32_t hits, struct cast_rounds *rounds)
{
    struct problem problem = { 0 };
    const uint32_t count = cast->width * cast->height;
    uint32_t own;
    REQUIRE(casting_prepare(&front->casting, cast->caster, cast->method, &problem));
    front_poison(front);
    REQUIRE(casting_run(&front->casting, cast, &own, &problem));
    REQUIRE(casting_fetch(&front->casting, cast, front->found, &problem));
    casting_rounds(&front->casting, cast, rounds);
    const char *name = cast->method ? cast->method->name : "the default";
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(&front->found[i], &front->expected[i], sizeof *front->found) != 0) {
            fail_msg("%s, %#x rounds: pixel %u of %u differs", name, cast->rounds, i, count);
        }
    }
    assert_int_equal(own, hits);
    front_check_list(front, count, hits);
    front_check_tiles(front, cast);
}

// Whether the method compacts rays.
static bool compacts_rays(const struct method *method)
{
    return !wavefront_refuses(&gpu, method);
}

// A perspective view from above, or an orthographic one along x.
static struct cast
view_of(const struct volume *volume, double iso, bool ortho, uint32_t width, uint32_t height)
{
    const double c = cos(0.7), s = sin(0.7);
    double half = 0;
    for (int i = 0; i < 3; i++) {
        half = fmax(half, (volume->dim[i] - 1) / 2.0);
    }
    const double turned[3][3] = { { c, -s * c, s * s }, { s, c * c, -c * s }, { 0, s, c } };
    const double along[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    const double(*view)[3] = ortho ? along : turned;
    struct rays_camera camera = {
        .half_width = (ortho ? half : 0.5) * 1.2,
        .half_height = (ortho ? half : 0.5) * 1.2 * height / width,
        .ortho = ortho,
        .near_plane = ortho ? -1e3 * half : 1e-3 * half,
        .width = width,
        .height = height,
    };
    for (int r = 0; r < 3; r++) {
        camera.to_view[3][r] = r == 2 ? -3 * half : 0;
        for (int k = 0; k < 3; k++) {
            camera.to_view[k][r] = view[k][r];
            camera.to_view[3][r] -= view[k][r] * (volume->dim[k] - 1) / 2.0;
        }
    }
    camera.to_view[3][3] = 1;
    struct cast cast = { .isos = { iso }, .width = width, .height = height };
    rays_of(&camera, volume->dim, &cast.rays);
    return cast;
}

static const uint32_t all_rounds[] = { 8, CAST_ROUNDS_NONE, 1, CAST_ROUNDS_HOST, 3 };

// Every method, and numbers of rounds. A method that evaluated keep_if twice would march each ray
// twice in a round: the lengths of its lists would be others.
static void try_methods(struct front *front, struct cast *cast, size_t round_count)
{
    const uint32_t hits = front_expect(front, cast);
    struct cast_rounds first[sizeof all_rounds / sizeof *all_rounds], own;
    assert_true(hits > 100);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        cast->method = method;
        for (size_t i = 0; compacts_rays(method) && i < round_count; i++) {
            cast->rounds = all_rounds[i];
            front_check(front, cast, hits, &own);
            if (method == method_default()) {
                memcpy(&first[i], &own, sizeof own);
            }
            assert_memory_equal(&own, &first[i], sizeof own);
        }
    }
    assert_int_equal(first[0].count, 8);
    assert_true(first[0].rays[0] > first[0].rays[1] && first[0].rays[1] > first[0].rays[2]);
    assert_true(first[0].rays[2] > 0);
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(first[0].leaves[i] <= first[0].rays[i]);
        assert_true(
            (first[0].leaves[i] > 0) == (caster->tree == CASTER_BVH && first[0].rays[i] > 0));
    }
}

static void test_methods(void **state)
{
    (void)state;
    enum { WIDTH = 70, HEIGHT = 53 }; // whole tiles, and others at the borders
    struct problem problem = { 0 };
    struct volume volume;
    struct front front;
    const bool whole = is_set("CUBIST_WHOLE");
    REQUIRE(volume_generate("noise", (uint32_t[]){ 21, 34, 18 }, VOLUME_UINT8, &volume, &problem));
    front_open(&front, &volume, ATLAS_STORAGE_BUFFER, WIDTH * HEIGHT);
    struct cast cast = view_of(&volume, 200.5, false, WIDTH, HEIGHT);
    try_methods(&front, &cast, whole ? sizeof all_rounds / sizeof *all_rounds : 2);
    front_close(&front);
    volume_destroy(&volume);
    if (!whole) {
        return;
    }
    const uint32_t dim[3] = { 40, 33, 37 };
    REQUIRE(volume_generate("gyroid", dim, VOLUME_FLOAT32, &volume, &problem));
    ((float *)volume.samples)[volume_count(&volume) / 2] = NAN;
    for (int image = 0; image < 2; image++) {
        front_open(
            &front, &volume, image ? ATLAS_STORAGE_IMAGE : ATLAS_STORAGE_BUFFER, WIDTH * HEIGHT);
        for (int ortho = 0; ortho < 2; ortho++) {
            cast = view_of(&volume, 0.1, ortho, WIDTH, HEIGHT);
            const uint32_t hits = front_expect(&front, &cast);
            for (const struct method *method = method_next(NULL); method;
                 method = method_next(method)) {
                struct cast_rounds rounds;
                cast.method = method;
                for (size_t i = 0; compacts_rays(method) && i < 4; i++) {
                    cast.rounds = all_rounds[i];
                    front_check(&front, &cast, hits, &rounds);
                }
            }
        }
        front_close(&front);
    }
    volume_destroy(&volume);
}

// One pixel; rows, columns, and about as many pixels as 2^16. The buffers have room for more.
static void test_pictures(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = { { 1, 1 },     { 65537, 1 }, { 1, 300 }, { 257, 255 },
                                         { 256, 256 }, { 17, 33 },   { 16, 16 } };
    struct problem problem = { 0 };
    struct volume volume;
    struct front front;
    struct cast_rounds rounds;
    REQUIRE(volume_generate("gyroid", (uint32_t[]){ 12, 9, 10 }, VOLUME_UINT8, &volume, &problem));
    front_open(&front, &volume, ATLAS_STORAGE_AUTO, 65540);
    static const char *const names[] = { "ink-collate", "ink-compact", "ofk-compact" };
    const bool whole = is_set("CUBIST_WHOLE");
    for (size_t i = !whole; i < sizeof sizes / sizeof *sizes; i += whole ? 1 : 2) {
        // All are of the same view, of which a row or a column is in the middle.
        struct cast cast = view_of(&volume, 120.5, false, 100, 100);
        cast.width = sizes[i][0];
        cast.height = sizes[i][1];
        cast.x = cast.width == 1 ? 50 : 0;
        cast.y = cast.height == 1 ? 50 : 0;
        for (int axis = 0; axis < 3; axis++) {
            cast.rays.across[axis] *= cast.width == 1 ? 1 : 100.0f / (float)cast.width;
            cast.rays.down[axis] *= cast.height == 1 ? 1 : 100.0f / (float)cast.height;
        }
        const uint32_t hits = front_expect(&front, &cast);
        assert_true(hits > 0);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            cast.method = method_find(names[k]);
            front_check(&front, &cast, hits, &rounds);
        }
    }
    front_close(&front);
    volume_destroy(&volume);
}

// Rays that miss the volume, and an isovalue that nothing has: lists are empty at first, or stay as
// long until the rays leave.
static void test_nothing(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    struct front front;
    struct cast_rounds rounds;
    REQUIRE(volume_generate("gyroid", (uint32_t[]){ 12, 9, 10 }, VOLUME_UINT8, &volume, &problem));
    front_open(&front, &volume, ATLAS_STORAGE_AUTO, 1000);
    for (int away = 0; away < 2; away++) {
        struct cast cast = view_of(&volume, away ? 120.5 : 300, false, 40, 25);
        cast.rays.begin = away ? 1000 : cast.rays.begin;
        assert_int_equal(front_expect(&front, &cast), 0);
        for (const struct method *method = method_next(NULL); method;
             method = method_next(method)) {
            cast.method = method;
            if (compacts_rays(method) && (method->once || is_set("CUBIST_WHOLE"))) {
                for (int host = 0; host < 2; host++) {
                    cast.rounds = host ? CAST_ROUNDS_HOST : CAST_ROUNDS_DEFAULT;
                    front_check(&front, &cast, 0, &rounds);
                    assert_true(away ? rounds.rays[0] == 0 : rounds.rays[0] > 300);
                    assert_int_equal(rounds.rays[1], 0);
                    assert_int_equal(rounds.count, !host ? CAST_ROUNDS : away ? 0 : 1);
                }
            }
        }
    }
    front_close(&front);
    volume_destroy(&volume);
}

// Rays beside the surface, in 299 cells that have it. Without boxes all are there in each of 64
// rounds, and the host needs more. The timer has all stages.
static void test_long_rays(void **state)
{
    (void)state;
    enum { SIDE = 20, CELLS = 299 };
    const uint32_t dim[3] = { CELLS + 1, 6, 6 };
    const bool boxes = caster->tree == CASTER_BVH;
    struct problem problem = { 0 };
    struct volume volume;
    struct front front;
    struct cast_rounds rounds;
    REQUIRE(volume_create(dim, VOLUME_UINT8, &volume, &problem));
    for (uint32_t i = 0; i < volume_count(&volume); i++) {
        ((uint8_t *)volume.samples)[i] = (uint8_t)(i / dim[0] / dim[1]);
    }
    front_open(&front, &volume, ATLAS_STORAGE_AUTO, SIDE * SIDE);
    struct cast cast = {
        .isos = { 2.75 },
        .width = SIDE,
        .height = SIDE,
        .rays = { .anchor = { 3, 1, 2.0625f },
                  .across = { 0, 0.125f, 0 },
                  .down = { 0, 0, 0.03125f },
                  .eye = { -1, 0, 0 },
                  .begin = -10 },
    };
    assert_int_equal(front_expect(&front, &cast), 0);
    static const char *const names[] = { "ink-collate", "ink-compact", "lookback" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cast.method = method_find(names[i]);
        cast.rounds = CAST_ROUNDS_MOST;
        front_check(&front, &cast, 0, &rounds);
        assert_int_equal(rounds.count, CAST_ROUNDS_MOST);
        for (uint32_t k = 0; k <= (boxes ? 0 : CAST_ROUNDS_MOST); k++) {
            assert_int_equal(rounds.rays[k], SIDE * SIDE);
        }
        cast.rounds = CAST_ROUNDS_HOST;
        front_check(&front, &cast, 0, &rounds);
        assert_true(
            boxes ? rounds.count > 0
                  : rounds.count == (CELLS + CAST_CELLS_EACH - 1) / CAST_CELLS_EACH);
    }
    struct stopwatch timer;
    struct run run;
    REQUIRE(stopwatch_create(&gpu, &timer, &problem));
    cast.rounds = CAST_ROUNDS_MOST;
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    run_begin(&run, &gpu, cmd, &timer);
    casting_record(&front.casting, &run, &cast);
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
    uint32_t stages[STAGE_KINDS] = { 0 };
    for (uint32_t i = 0; i < timer.count; i++) {
        stages[timer.stages[i].kind]++;
    }
    assert_false(timer.overflowed);
    assert_int_equal(stages[STAGE_GENERATE], 1);
    assert_int_equal(stages[STAGE_UPDATE], boxes);
    assert_int_equal(stages[STAGE_MARCH], boxes ? 0 : CAST_ROUNDS_MOST);
    assert_int_equal(stages[STAGE_TRAVERSE], boxes ? CAST_ROUNDS_MOST : 0);
    assert_int_equal(stages[STAGE_INTERSECT], boxes ? CAST_ROUNDS_MOST : 0);
    assert_int_equal(stages[STAGE_COMPACTION], (boxes ? 2 : 1) * CAST_ROUNDS_MOST + 1);
    assert_int_equal(stages[STAGE_TAIL], 1);
    assert_int_equal(stages[STAGE_POINTS], 1);
    stopwatch_destroy(&gpu, &timer);
    front_close(&front);
    volume_destroy(&volume);
}

// Records a cast without barrier `drop`, and never submits it. Returns the number of barriers.
static uint32_t
record_cast(struct front *front, const struct cast *cast, struct tracker *tracker, uint32_t drop)
{
    struct problem problem = { 0 };
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    const uint32_t messages = gpu.messages;
    run_begin_dropping(&run, &gpu, cmd, tracker, drop);
    casting_record(&front->casting, &run, cast);
    assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
    gpu_drop(&gpu, cmd);
    // The validation layers rightly complain about the missing barrier.
    gpu.messages = drop == UINT32_MAX ? gpu.messages : messages;
    return run.barriers;
}

// Every barrier of a cast is needed: if it is left out, the tracker reports a hazard.
static void test_barriers(void **state)
{
    (void)state;
    static struct tracker tracker;
    struct problem problem = { 0 };
    struct volume volume;
    struct front front;
    REQUIRE(volume_generate("gyroid", (uint32_t[]){ 12, 9, 10 }, VOLUME_UINT8, &volume, &problem));
    front_open(&front, &volume, ATLAS_STORAGE_AUTO, 1000);
    struct cast cast = view_of(&volume, 120.5, false, 40, 25);
    cast.caster = caster;
    cast.rounds = 3;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        cast.method = method;
        if (!compacts_rays(method)) {
            continue;
        }
        REQUIRE(casting_prepare(&front.casting, cast.caster, method, &problem));
        tracker = (struct tracker){ 0 };
        record_cast(&front, &cast, &tracker, UINT32_MAX);
        const uint32_t barriers = record_cast(&front, &cast, &tracker, UINT32_MAX);
        if (tracker.hazards) {
            fail_msg("%s: %s", method->name, tracker.first);
        }
        assert_true(barriers > 8);
        for (uint32_t drop = 0; drop < barriers; drop++) {
            tracker = (struct tracker){ 0 };
            record_cast(&front, &cast, &tracker, UINT32_MAX);
            record_cast(&front, &cast, &tracker, drop);
            if (tracker.hazards == 0) {
                fail_msg("%s: nobody missed barrier %u of %u", method->name, drop, barriers);
            }
        }
    }
    front_close(&front);
    volume_destroy(&volume);
}

// What a method needs is counted, and what cannot compact rays is refused by name.
static void test_memory_and_refusals(void **state)
{
    (void)state;
    const uint32_t dim[3] = { 12, 9, 10 }, pixels = 50000;
    struct problem problem = { 0 };
    struct volume volume;
    struct atlas atlas;
    struct cubes cubes;
    REQUIRE(volume_generate("gyroid", dim, VOLUME_UINT8, &volume, &problem));
    REQUIRE(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
    REQUIRE(volume_cubes(&volume, NULL, &cubes, &problem));
    const uint64_t before = gpu.budget.allocated;
    struct casting casting;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (compacts_rays(method) && (is_set("CUBIST_WHOLE") || method_row(method) % 12 == 1)) {
            REQUIRE(casting_create(&gpu, &atlas, &cubes, caster, pixels, 1, &casting, &problem));
            REQUIRE(casting_prepare(&casting, caster, method, &problem));
            const uint64_t bytes = casting_bytes(&gpu, dim, NULL, caster, method, pixels, 1);
            assert_int_equal(bytes, gpu.budget.allocated - before);
            REQUIRE(casting_prepare_layers(&casting, method, &problem));
            assert_int_equal(
                bytes + casting_layers_bytes(&gpu, method, pixels, 1),
                gpu.budget.allocated - before);
            casting_destroy(&casting);
            assert_int_equal(gpu.budget.allocated, before);
        }
    }
    REQUIRE(casting_create(&gpu, &atlas, &cubes, caster, pixels, 4, &casting, &problem));
    const uint64_t plain = gpu.budget.allocated;
    REQUIRE(casting_prepare_layers(&casting, NULL, &problem));
    assert_int_equal(casting_layers_bytes(&gpu, NULL, pixels, 4), gpu.budget.allocated - plain);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!compacts_rays(method)) {
            assert_false(casting_prepare(&casting, caster, method, &problem));
            assert_int_equal(problem.kind, PROBLEM_UNSUPPORTED);
            assert_non_null(strstr(problem.text, method->name));
        }
    }
    casting_destroy(&casting);
    // A limit of the device is one of the pixels at a time, and says so.
    const uint64_t limit = gpu.limits.allocation;
    gpu.limits.allocation = 4ull * pixels - 4;
    assert_true(casting_bytes(&gpu, dim, NULL, caster, NULL, pixels, 1) >= GPU_TOO_MUCH);
    assert_false(casting_create(&gpu, &atlas, &cubes, caster, pixels, 1, &casting, &problem));
    assert_true(problem.kind == PROBLEM_LIMIT && strstr(problem.text, "would take"));
    gpu.limits.allocation = limit;
    assert_int_equal(gpu.budget.allocated, before);
    cubes_destroy(&cubes);
    atlas_destroy(&gpu, &atlas);
    volume_destroy(&volume);
}

// A copy of a caster, in which every method compacts in kernels of its own: the same hits and
// lists.
static void test_separate(void **state)
{
    (void)state;
    enum { WIDTH = 40, HEIGHT = 25 };
    const struct caster *row = caster;
    struct caster own = *row;
    struct problem problem = { 0 };
    struct volume volume;
    struct front front;
    struct cast_rounds rounds, together;
    own.separate = true;
    REQUIRE(volume_generate("gyroid", (uint32_t[]){ 12, 9, 10 }, VOLUME_UINT8, &volume, &problem));
    front_open(&front, &volume, ATLAS_STORAGE_AUTO, WIDTH * HEIGHT);
    struct cast cast = view_of(&volume, 120.5, false, WIDTH, HEIGHT);
    cast.method = method_find("ink-collate");
    assert_true(cast.method->once);
    const uint32_t hits = front_expect(&front, &cast);
    front_check(&front, &cast, hits, &together);
    assert_null(casting_find(&front.casting, row)->wavefront.kernels[WAVEFRONT_PIXELS].pipeline);
    caster = cast.caster = &own;
    const uint64_t before = gpu.budget.allocated;
    REQUIRE(casting_prepare(&front.casting, &own, cast.method, &problem));
    assert_int_equal(
        gpu.budget.allocated - before,
        casting_bytes(&gpu, volume.dim, NULL, &own, cast.method, WIDTH * HEIGHT, 1) -
            casting_bytes(&gpu, volume.dim, NULL, caster_find("dda"), NULL, WIDTH * HEIGHT, 1));
    front_check(&front, &cast, hits, &rounds);
    assert_memory_equal(&rounds, &together, sizeof rounds);
    assert_non_null(
        casting_find(&front.casting, &own)->wavefront.kernels[WAVEFRONT_PIXELS].pipeline);
    caster = row;
    front_close(&front);
    volume_destroy(&volume);
}

// A method that is `once` has kernels for all streams, others for those without work.
static void test_rows(void **state)
{
    (void)state;
    int once = 0;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        once += method->once && method->form == FORM_PLAIN;
        for (int pass = 0; pass < METHOD_PASSES && method->passes[pass].name; pass++) {
            for (int stream = STREAM_PIXELS; stream < STREAMS; stream++) {
                assert_true(method->once == (method->passes[pass].shaders[stream] != NULL));
            }
        }
    }
    assert_int_equal(once, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),  cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_nothing),  cmocka_unit_test(test_long_rays),
        cmocka_unit_test(test_barriers), cmocka_unit_test(test_memory_and_refusals),
        cmocka_unit_test(test_separate),
    };
    const struct CMUnitTest rows[] = { cmocka_unit_test(test_rows) };
    int failures = cmocka_run_group_tests(rows, NULL, NULL);
    while ((caster = caster_next(caster))) {
        if (caster->wavefront) {
            printf("%s\n", caster->name);
            failures += cmocka_run_group_tests(tests, open_gpu, close_gpu);
        }
    }
    return failures;
}
