// Every recorded barrier is needed: if it is left out, the tracker reports a hazard.
// ctest: twin
#include "tests/device.h"

#include "compute/casting/internal.h"

#include <math.h>

// Records one step without barrier `drop`, and never submits it. Returns the number of barriers.
static uint32_t record_step(
    struct bench *bench, const struct method *method, struct surface *previous,
    struct tracker *tracker, uint32_t drop)
{
    struct problem problem = { 0 };
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    const uint32_t messages = gpu.messages;
    run_begin_dropping(&run, &gpu, cmd, tracker, drop);
    extraction_record(
        bench->extraction, &run,
        &(struct extraction_step){
            .iso = 100,
            .method = method,
            .target = &bench->surface,
            .previous = previous,
            .draws = true,
        });
    assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
    gpu_drop(&gpu, cmd);
    // The validation layers rightly complain about the missing barrier.
    gpu.messages = drop == UINT32_MAX ? gpu.messages : messages;
    return run.barriers;
}

static void try_method(struct bench *bench, const struct method *method, struct surface *previous)
{
    static struct tracker tracker;
    // Two steps in a row, so that the opening barrier of the second one is needed.
    tracker = (struct tracker){ 0 };
    record_step(bench, method, previous, &tracker, UINT32_MAX);
    const uint32_t barriers = record_step(bench, method, previous, &tracker, UINT32_MAX);
    if (tracker.hazards) {
        fail_msg("%s: %s", method->name, tracker.first);
    }
    assert_true(barriers > 6);
    for (uint32_t drop = 0; drop < barriers; drop++) {
        tracker = (struct tracker){ 0 };
        record_step(bench, method, previous, &tracker, UINT32_MAX);
        record_step(bench, method, previous, &tracker, drop);
        if (tracker.hazards == 0) {
            fail_msg("%s: nobody missed barrier %u of %u", method->name, drop, barriers);
        }
    }
    printf("%s: %u barriers, each one missed when dropped\n", method->name, barriers);
}

static void try_volume(const struct volume *volume, enum atlas_storage storage)
{
    struct problem problem = { 0 };
    struct bench bench;
    bench_open(&bench, volume, &(struct atlas_params){ .storage = storage });
    struct surface previous = { 0 };
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!method_unavailable(method, &gpu)) {
            REQUIRE(extraction_prepare(bench.extraction, &previous, method, &problem));
            REQUIRE(extraction_prepare(bench.extraction, &bench.surface, method, &problem));
            try_method(&bench, method, NULL);
            try_method(&bench, method, &previous);
        }
    }
    surface_destroy(&gpu, &previous);
    bench_close(&bench);
}

// The same for a cast.
typedef void cast_recorder(struct casting *casting, struct run *run, const struct cast *cast);

static struct cast cast_by(const struct caster *caster)
{
    return (struct cast){
        .caster = caster,
        .isos = { 100 },
        .rays = { .eye = { 1, 1, 1 } },
        .width = 16,
        .height = 16,
        .edges = true,
        .shadow = true,
    };
}

static uint32_t record_cast(
    struct casting *casting, cast_recorder *record, const struct cast *cast,
    struct tracker *tracker, uint32_t drop)
{
    struct problem problem = { 0 };
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    const uint32_t messages = gpu.messages;
    run_begin_dropping(&run, &gpu, cmd, tracker, drop);
    record(casting, &run, cast);
    assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
    gpu_drop(&gpu, cmd);
    gpu.messages = drop == UINT32_MAX ? gpu.messages : messages;
    return run.barriers;
}

static void
try_cast(struct casting *casting, cast_recorder *record, const struct cast *cast, const char *name)
{
    static struct tracker tracker;
    tracker = (struct tracker){ 0 };
    record_cast(casting, record, cast, &tracker, UINT32_MAX);
    const uint32_t barriers = record_cast(casting, record, cast, &tracker, UINT32_MAX);
    assert_int_equal(tracker.hazards, 0);
    assert_true(barriers > 0);
    for (uint32_t drop = 0; drop < barriers; drop++) {
        tracker = (struct tracker){ 0 };
        record_cast(casting, record, cast, &tracker, UINT32_MAX);
        record_cast(casting, record, cast, &tracker, drop);
        if (tracker.hazards == 0) {
            fail_msg("%s: nobody missed barrier %u of %u", name, drop, barriers);
        }
    }
    printf("%s: %u barriers, each one missed when dropped\n", name, barriers);
}

static void test_every_barrier_of_a_cast(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
    REQUIRE(volume_generate("sphere", (uint32_t[]){ 40, 20, 20 }, VOLUME_UINT8, &volume, &problem));
    REQUIRE(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
    REQUIRE(volume_cubes(&volume, NULL, &cubes, &problem));
    REQUIRE(casting_create(&gpu, &atlas, &cubes, caster_default(), 256, 4, &casting, &problem));
    REQUIRE(casting_prepare_shadow(&casting, &problem));
    for (const struct caster *row = caster_next(NULL); row; row = caster_next(row)) {
        const struct cast cast = cast_by(row);
        REQUIRE(casting_prepare(&casting, row, NULL, &problem));
        try_cast(&casting, casting_record, &cast, row->name);
    }
    casting_destroy(&casting);
    cubes_destroy(&cubes);
    atlas_destroy(&gpu, &atlas);
    volume_destroy(&volume);
}

// The same for a cast over parts, in each of its steps.
static void test_every_barrier_of_a_cast_over_parts(void **state)
{
    (void)state;
    static const struct {
        cast_recorder *record;
        const char *name;
    } steps[] = {
        { cast_pass_record_begin, "begin" },
        { casting_record, "a part" },
        { cast_pass_record_nearest, "nearest hits" },
        { cast_pass_record_more, "more rays" },
        { cast_pass_record_end, "end" },
    };
    struct problem problem = { 0 };
    struct volume volume;
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
    REQUIRE(volume_generate("sphere", (uint32_t[]){ 40, 20, 20 }, VOLUME_UINT8, &volume, &problem));
    const struct atlas_params params = { .cells = &(struct atlas_part){ .first = 4, .layers = 8 } };
    REQUIRE(atlas_create(&gpu, &volume, &params, &atlas, &problem));
    REQUIRE(volume_cubes(&volume, NULL, &cubes, &problem));
    REQUIRE(
        casting_create_parts(&gpu, &atlas, &cubes, caster_default(), 256, 4, &casting, &problem));
    REQUIRE(casting_prepare_shadow(&casting, &problem));
    REQUIRE(casting_turn(&casting, &atlas, &problem));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct cast cast = cast_by(caster_default());
        cast.border = 1;
        cast.edges = cast.shadow = steps[i].record != casting_record;
        try_cast(&casting, steps[i].record, &cast, steps[i].name);
    }
    casting_destroy(&casting);
    cubes_destroy(&cubes);
    atlas_destroy(&gpu, &atlas);
    volume_destroy(&volume);
}

// A small volume; one large enough for every pass of the pyramid; one with samples that are not
// finite, in an image.
static void test_every_barrier_is_missed(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_generate("sphere", (uint32_t[]){ 40, 20, 20 }, VOLUME_UINT8, &volume, &problem));
    try_volume(&volume, ATLAS_STORAGE_BUFFER);
    volume_destroy(&volume);

    REQUIRE(
        volume_generate("sphere", (uint32_t[]){ 64, 130, 130 }, VOLUME_FLOAT32, &volume, &problem));
    ((float *)volume.samples)[volume_count(&volume) / 2] = NAN;
    try_volume(&volume, ATLAS_STORAGE_BUFFER);
    try_volume(&volume, ATLAS_STORAGE_IMAGE);
    volume_destroy(&volume);
}

static VkMemoryBarrier2 compute_to(VkPipelineStageFlags2 stage, VkAccessFlags2 access)
{
    return (VkMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        .srcAccessMask = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        .dstStageMask = stage,
        .dstAccessMask = access,
    };
}

// The tracker alone: a write is visible only to what a barrier names.
static void test_the_tracker_itself(void **state)
{
    (void)state;
    const VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags2 indirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
    const VkAccessFlags2 write = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    const VkAccessFlags2 read = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
    const VkAccessFlags2 arguments = VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;

    struct tracker tracker = { 0 };
    tracker_access(&tracker, 16, "a", "one", compute, write, true);
    tracker_access(&tracker, 32, "b", "two", compute, read, false);
    assert_int_equal(tracker.hazards, 0);
    tracker_access(&tracker, 16, "a", "two", compute, read, false);
    assert_int_equal(tracker.hazards, 1);

    // A write that is visible to compute is not visible to the indirect stage.
    tracker = (struct tracker){ 0 };
    tracker_access(&tracker, 16, "a", "one", compute, write, true);
    VkMemoryBarrier2 barrier = compute_to(compute, read);
    tracker_barrier(&tracker, &barrier);
    tracker_access(&tracker, 16, "a", "two", compute, read, false);
    assert_int_equal(tracker.hazards, 0);
    tracker_access(&tracker, 16, "a", "three", indirect, arguments, false);
    assert_int_equal(tracker.hazards, 1);

    // A write after a read needs a barrier that waits for the reader's stage.
    tracker = (struct tracker){ 0 };
    tracker_access(&tracker, 16, "a", "one", indirect, arguments, false);
    barrier = compute_to(compute, write);
    tracker_barrier(&tracker, &barrier);
    tracker_access(&tracker, 16, "a", "two", compute, write, true);
    assert_int_equal(tracker.hazards, 1);

    // A barrier with the wrong accesses.
    tracker = (struct tracker){ 0 };
    tracker_access(&tracker, 16, "a", "one", compute, write, true);
    barrier = compute_to(compute, read);
    barrier.srcAccessMask = 0;
    tracker_barrier(&tracker, &barrier);
    tracker_access(&tracker, 16, "a", "two", compute, read, false);
    assert_int_equal(tracker.hazards, 1);

    tracker_forget(&tracker, 0, 64);
    assert_int_equal(tracker.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_barrier_is_missed),
        cmocka_unit_test(test_every_barrier_of_a_cast),
        cmocka_unit_test(test_every_barrier_of_a_cast_over_parts),
        cmocka_unit_test(test_the_tracker_itself),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
