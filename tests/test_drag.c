// ctest: device heavy
// Brick lists made from the last step's: the sorted orders, random steps held against the ranges of
// the bricks and the reference's mesh, and when a list is made anew all the same.
#include "drags.h"

#include "shaders/shared/compaction.h"
#include "shaders/shared/redzone.h"

static const struct atlas_params any_atlas = { 0 };

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Every brick that can be active stands once in each order, the keys ascend, and what the searches
// say is what counting says.
static void check_orders(struct drag_test *test)
{
    struct problem problem = { 0 };
    const struct drag *drag = &test->bench.extraction->drag;
    uint32_t can = 0;
    for (uint32_t brick = 0; brick < test->bricks; brick++) {
        can += test->ranges[brick][0] < test->ranges[brick][1];
    }
    assert_int_equal(drag->count, can);
    for (int end = 0; end < RANGE_ENDS; end++) {
        uint32_t *order = malloc(test->bricks * 4);
        assert_non_null(order);
        REQUIRE(buffer_download(&gpu, &drag->order[end], 0, order, test->bricks * 4, &problem));
        for (uint32_t i = 0; i < can; i++) {
            assert_true(order[i] < test->bricks);
            assert_true(test->ranges[order[i]][0] < test->ranges[order[i]][1]);
            assert_int_equal(drag->keys[end][i], test->ranges[order[i]][end]);
            assert_true(i == 0 || drag->keys[end][i - 1] <= drag->keys[end][i]);
        }
        qsort(order, can, sizeof *order, by_value);
        for (uint32_t i = 1; i < can; i++) {
            assert_true(order[i - 1] < order[i]);
        }
        free(order);
    }
    // At, before and behind each end of some bricks.
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t *range = test->ranges[drag_random(test) % test->bricks];
        const uint32_t key = range[i % 2] + i % 3 - 1;
        uint32_t active = 0;
        for (uint32_t brick = 0; brick < test->bricks; brick++) {
            active += test->ranges[brick][0] < key && key <= test->ranges[brick][1];
        }
        assert_int_equal(drag_active(drag, key), active);
    }
    assert_int_equal(drag_active(drag, 0), 0);
}

static void test_the_orders(void **state)
{
    (void)state;
    static const uint32_t dim[3] = { 70, 50, 47 };
    static const enum volume_type types[] = { VOLUME_UINT8,  VOLUME_INT16, VOLUME_UINT16,
                                              VOLUME_UINT32, VOLUME_INT32, VOLUME_FLOAT32 };
    struct drag_test test;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        drag_open(&test, drag_volume("default", dim, types[i]), &any_atlas, 5);
        check_orders(&test);
        drag_close(&test);
    }
    drag_open(&test, drag_gaps(dim, 3), &any_atlas, 5);
    check_orders(&test);
    drag_close(&test);
    // All samples equal: no brick is ever active.
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create(dim, VOLUME_UINT8, &volume, &problem));
    memset(volume.samples, 9, volume_count(&volume));
    drag_open(&test, volume, &any_atlas, 5);
    check_orders(&test);
    drag_randomly(&test, 10, -5, 260, 3);
    drag_close(&test);
}

static void test_random_steps(void **state)
{
    (void)state;
    drag_of_each_kind(300, 60);
}

// Many bricks that come and go at once: several turns of each loop of the one workgroup, and lists
// that outgrow their room.
static void test_large_changes(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create((uint32_t[]){ 9, 261, 260 }, VOLUME_UINT8, &volume, &problem));
    uint32_t state_of = 9;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        // Each brick between two values of its own.
        const uint64_t y = i / 9 % 261 / 4, z = i / 9 / 261 / 4;
        const uint32_t least = (uint32_t)((y * 37 + z * 101) % 251);
        state_of = state_of * 1664525u + 1013904223u;
        const uint32_t value = least + (state_of >> 8) % (1 + (y + z) % 90);
        ((uint8_t *)volume.samples)[i] = (uint8_t)(value < 255 ? value : 255);
    }
    struct drag_test test;
    drag_open(&test, volume, &any_atlas, 1);
    struct extraction_result result;
    uint32_t most = 0;
    for (int i = 0; i < 60; i++) {
        const struct extraction_step step = {
            .iso = drag_random(&test) % 256,
            .method = method_find(i < 30 ? "ink-collate" : "redzone-2"),
            .target = &test.bench.surface,
            .drag = true,
        };
        drag_try(&test, &step, &result);
        most = result.bricks_events.removed > most && result.dragged ? result.bricks_events.removed
                                                                     : most;
    }
    assert_true(test.dragged > 40);
    assert_true(most > 2 * REDZONE_TURN);
    drag_close(&test);
}

// What a list can not be made from.
static void test_what_makes_it_anew(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct drag_test test;
    const uint32_t dim[3] = { 40, 50, 47 };
    drag_open(&test, drag_volume("default", dim, VOLUME_UINT8), &any_atlas, 1);
    struct extraction *extraction = test.bench.extraction;
    const struct method *const collate = method_find("ink-collate");
    struct extraction_result result;
    struct extraction_step step = {
        .iso = 100,
        .method = collate,
        .target = &test.bench.surface,
        .drag = true,
    };
    assert_false(drag_try(&test, &step, &result)); // the first
    step.iso = 101;
    assert_true(drag_try(&test, &step, &result));
    assert_false(drag_try(&test, &step, &result)); // the same again is wanted anew
    step.iso = 102;
    step.target = &test.other; // whichever surface it is for
    assert_true(drag_try(&test, &step, &result));
    step.iso = 101.5; // the same cells
    step.target = &test.bench.surface;
    assert_true(drag_try(&test, &step, &result));
    assert_int_equal(result.drag_candidates, 0);
    step.iso = 101.75; // vertices alone
    assert_false(drag_try(&test, &step, &result));
    assert_true(result.moved);
    step.iso = 104; // from where they moved to
    assert_true(drag_try(&test, &step, &result));
    step.iso = 105;
    step.method = method_find("redzone-1");
    assert_false(drag_try(&test, &step, &result)); // another method
    step.iso = 106;
    assert_true(drag_try(&test, &step, &result));
    step.iso = 107;
    step.anew = true;
    assert_false(drag_try(&test, &step, &result));
    step.iso = 108;
    step.anew = false;
    assert_true(drag_try(&test, &step, &result)); // on from one made anew
    step.iso = 109;
    step.every_brick = true;
    assert_false(drag_try(&test, &step, &result));
    step.iso = 110;
    step.every_brick = false;
    assert_false(drag_try(&test, &step, &result)); // the last one's has every brick
    step.iso = 111;
    assert_true(drag_try(&test, &step, &result));
    // Whatever promises its order always, whatever the order.
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!method_unavailable(method, &gpu) && method_deterministic(method)) {
            step.method = method;
            for (int i = 0; i < 2; i++) {
                step.iso += 1;
                assert_false(drag_try(&test, &step, &result));
            }
        }
    }
    // A step that has been recorded and was never run.
    step.method = collate;
    step.iso = 90;
    drag_try(&test, &step, &result);
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    run_begin_dropping(&run, &gpu, cmd, NULL, UINT32_MAX);
    step.iso = 91;
    extraction_record(extraction, &run, &step);
    assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
    vkFreeCommandBuffers(gpu.device, gpu.pool, 1, &cmd);
    test.method = NULL;
    step.iso = 92;
    assert_false(drag_try(&test, &step, &result));
    // Other samples: not before the bricks have been sorted again.
    extraction_forget(extraction);
    test.method = NULL;
    step.iso = 93;
    assert_false(drag_try(&test, &step, &result));
    step.iso = 94;
    REQUIRE(extraction_run(extraction, &step, &result, &problem));
    assert_false(result.dragged);
    REQUIRE(extraction_sort(extraction, &problem));
    check_orders(&test);
    test.method = NULL;
    step.iso = 95;
    REQUIRE(extraction_run(extraction, &step, &result, &problem));
    assert_true(result.dragged);
    // Nothing of it is left.
    drag_close(&test);
}

// A step that has run and was never collected: nothing is known of the list, nor has Redzone's own
// account of it a say.
static void test_a_step_that_nobody_collects(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct drag_test test;
    drag_open(
        &test, drag_volume("default", (uint32_t[]){ 40, 50, 47 }, VOLUME_UINT8), &any_atlas, 1);
    struct extraction_result result;
    struct extraction_step step = {
        .iso = 90,
        .method = method_find("redzone-2"),
        .target = &test.bench.surface,
        .drag = true,
    };
    drag_try(&test, &step, &result);
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    run_begin(&run, &gpu, cmd, NULL);
    step.iso = 190;
    extraction_record(test.bench.extraction, &run, &step);
    assert_true(test.bench.extraction->dragging);
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
    test.method = NULL;
    step.iso = 110;
    assert_false(drag_try(&test, &step, &result));
    drag_check_mesh(&test, &step, &result);
    drag_close(&test);
}

static uint32_t tries(const struct extraction *extraction, enum stream stream)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < method_count(); i++) {
        for (int density = 0; density < TIMES_DENSITIES; density++) {
            sum += extraction->choosers[stream].seen[i][density].tries;
        }
    }
    return sum;
}

// What dragging takes is nothing that auto learns of a method from.
static void test_auto_learns_from_whole_lists(void **state)
{
    (void)state;
    struct drag_test test;
    drag_open(
        &test, drag_volume("default", (uint32_t[]){ 40, 50, 47 }, VOLUME_UINT8), &any_atlas, 1);
    const struct extraction *extraction = test.bench.extraction;
    struct extraction_result result;
    struct extraction_step step = {
        .iso = 100,
        .method = method_find("auto"),
        .target = &test.bench.surface,
    };
    for (int i = 0; i < 20; i++) {
        step.iso += 1;
        step.drag = i >= 10;
        step.anew = i < 10;
        const uint32_t bricks = tries(extraction, STREAM_BRICKS);
        assert_int_equal(drag_try(&test, &step, &result), step.drag);
        if (step.drag) {
            assert_int_equal(tries(extraction, STREAM_BRICKS), bricks);
        }
    }
    assert_true(tries(extraction, STREAM_BRICKS) > 0);
    assert_true(tries(extraction, STREAM_CELLS) > tries(extraction, STREAM_BRICKS));
    drag_close(&test);
}

// By the rule alone: a small step goes on from the last list, a large one does not.
static void test_the_rule(void **state)
{
    (void)state;
    struct drag_test test;
    const uint32_t dim[3] = { 97, 97, 97 };
    drag_open(&test, drag_volume("sphere", dim, VOLUME_UINT16), &any_atlas, 1);
    struct extraction_result result;
    struct extraction_step step = {
        .iso = 30000,
        .method = method_default(),
        .target = &test.bench.surface,
    };
    drag_try(&test, &step, &result);
    step.iso = 30001;
    const bool small = drag_try(&test, &step, &result);
    assert_true(small || !gpu.software);
    step.iso = 40000;
    assert_false(drag_try(&test, &step, &result));
    step.iso = 38000;
    step.drag = true;
    assert_true(drag_try(&test, &step, &result));
    // More candidates never pay where fewer do not.
    bool paid = true;
    for (uint32_t candidates = 0; candidates < 5000; candidates++) {
        const struct drag_step pieces = { .leaving_count = candidates / 3,
                                          .entering_count = candidates - candidates / 3 };
        const bool pays = drag_pays(&test.bench.extraction->drag, &pieces);
        assert_true(paid || !pays);
        paid = pays;
    }
    assert_false(paid);
    drag_close(&test);
}

// As in test_barriers.c, for a step that goes on from the last list.
static uint32_t record_only(
    struct drag_test *test, const struct method *method, struct tracker *tracker, uint32_t drop)
{
    struct problem problem = { 0 };
    struct extraction_result result;
    const struct extraction_step first = {
        .iso = 90,
        .method = method,
        .target = &test->bench.surface,
        .anew = true,
    };
    drag_run(test, &first, &result);
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    *tracker = (struct tracker){ 0 };
    const uint32_t messages = gpu.messages;
    run_begin_dropping(&run, &gpu, cmd, tracker, drop);
    const struct extraction_step then = {
        .iso = 100,
        .method = method,
        .target = &test->bench.surface,
        .drag = true,
    };
    extraction_record(test->bench.extraction, &run, &then);
    assert_true(test->bench.extraction->dragging);
    assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
    vkFreeCommandBuffers(gpu.device, gpu.pool, 1, &cmd);
    // What the layers say of a barrier that is left out is as it should be.
    gpu.messages = drop == UINT32_MAX ? gpu.messages : messages;
    return run.barriers;
}

static void test_barriers(void **state)
{
    (void)state;
    static struct tracker tracker;
    struct drag_test test;
    const uint32_t dim[3] = { 40, 21, 20 };
    drag_open(&test, drag_volume("default", dim, VOLUME_UINT8), &any_atlas, 1);
    // Not auto, which learns from step to step.
    static const char *const names[] = { "ink-collate", "redzone-1", "redzone-2" };
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        const struct method *method = method_find(names[m]);
        const uint32_t barriers = record_only(&test, method, &tracker, UINT32_MAX);
        if (tracker.hazards) {
            fail_msg("%s: %s", method->name, tracker.first);
        }
        for (uint32_t drop = 1; drop < barriers; drop++) {
            assert_int_equal(record_only(&test, method, &tracker, drop), barriers);
            if (tracker.hazards == 0) {
                fail_msg("%s: nobody missed barrier %u of %u", method->name, drop, barriers);
            }
        }
    }
    drag_close(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_orders),
        cmocka_unit_test(test_random_steps),
        cmocka_unit_test(test_large_changes),
        cmocka_unit_test(test_the_rule),
        cmocka_unit_test(test_a_step_that_nobody_collects),
        cmocka_unit_test(test_auto_learns_from_whole_lists),
        cmocka_unit_test(test_what_makes_it_anew),
        cmocka_unit_test(test_barriers),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
