// Runs with more resources than a run follows: no memory is overwritten in any build, every hazard
// is still covered, and the results are right.
#include "tests/device.h"

#include "compute/gpu/pipelines.h"
#include "compute/gpu/run.h"
#include "shaders.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOTS 300         // resources of one recording, in one buffer
#define APART BUFFER_SLOT // bytes from one to the next

_Static_assert(SLOTS > 2 * RUN_RESOURCES + 1, "more than are followed, and again");

#define CANARY 0xa5

// Memory behind the run shows whether it was overwritten.
static struct {
    struct run run;
    uint8_t behind[8192];
} guarded;

static struct {
    struct stopwatch timer;
    uint8_t behind[1024];
} timed;

static bool untouched(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != CANARY) {
            return false;
        }
    }
    return true;
}

// Fills each slot, and then each slot again with its number: a hazard for each. Then copies them to
// the host's buffer, slot by slot: two resources per pass.
static void record(struct run *run, const struct buffer *from, const struct buffer *to)
{
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < SLOTS; i++) {
            run_fill(run, from, i * APART, APART, turn * (i + 1));
        }
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        run_copy(run, from, i * APART, to, i * APART, APART);
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        run_use_part(run, to, i * APART, ACCESS_HOST);
    }
}

static void make_buffers(struct buffer *from, struct buffer *to)
{
    struct problem problem = { 0 };
    const struct buffer_params slots = { .name = "slots", .size = SLOTS * APART, .slots = true };
    const struct buffer_params host = {
        .name = "copies",
        .size = SLOTS * APART,
        .memory = BUFFER_READBACK,
        .slots = true,
    };
    REQUIRE(buffer_create(&gpu, &slots, from, &problem));
    REQUIRE(buffer_create(&gpu, &host, to, &problem));
}

static void test_more_resources_than_are_followed(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct buffer from, to;
    static struct tracker tracker;
    make_buffers(&from, &to);
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    memset(guarded.behind, CANARY, sizeof guarded.behind);
    run_begin_dropping(&guarded.run, &gpu, cmd, &tracker, UINT32_MAX);
    record(&guarded.run, &from, &to);
    assert_true(guarded.run.resource_count <= RUN_RESOURCES);
    assert_true(untouched(guarded.behind, sizeof guarded.behind));
    if (tracker.hazards) {
        fail_msg("%s", tracker.first);
    }
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
    for (uint32_t i = 0; i < SLOTS; i++) {
        for (uint32_t k = 0; k < APART / 4; k++) {
            assert_int_equal(((const uint32_t *)to.mapped)[i * APART / 4 + k], i + 1);
        }
    }
    buffer_destroy(&gpu, &from);
    buffer_destroy(&gpu, &to);
}

// The barrier that makes room is one that the passes need.
static void test_the_barrier_that_makes_room_is_missed(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct buffer from, to;
    static struct tracker tracker;
    make_buffers(&from, &to);
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    const uint32_t messages = gpu.messages;
    run_begin_dropping(&guarded.run, &gpu, cmd, &tracker, 1); // the first after the opening one
    for (uint32_t i = 0; i <= RUN_RESOURCES; i++) {
        run_fill(&guarded.run, &from, i * APART, APART, 0);
    }
    assert_int_equal(guarded.run.barriers, 2);
    assert_int_equal(tracker.hazards, 0);
    run_fill(&guarded.run, &from, 0, APART, 1);
    assert_int_equal(tracker.hazards, 1);
    assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
    gpu_drop(&gpu, cmd);
    gpu.messages = messages; // what the layers say of a barrier that is left out is as it should be
    buffer_destroy(&gpu, &from);
    buffer_destroy(&gpu, &to);
}

static PFN_vkCmdPipelineBarrier2 record_barrier;
static VkMemoryBarrier2 last_barrier;

static VKAPI_ATTR void VKAPI_CALL note_barrier(VkCommandBuffer cmd, const VkDependencyInfo *info)
{
    last_barrier = *info->pMemoryBarriers;
    record_barrier(cmd, info);
}

// Three copies in one buffer without slots, the second one from one end of it to the other: each
// waits for the one before, and as a copy.
static void test_a_buffer_without_slots_is_one_resource(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct buffer buffer;
    static struct tracker tracker;
    struct run run;
    const struct buffer_params params = {
        .name = "one resource",
        .size = 4 * APART,
        .memory = BUFFER_READBACK,
    };
    const VkAccessFlags2 copies = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
    REQUIRE(buffer_create(&gpu, &params, &buffer, &problem));
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    record_barrier = vkCmdPipelineBarrier2;
    vkCmdPipelineBarrier2 = note_barrier;
    run_begin_dropping(&run, &gpu, cmd, &tracker, UINT32_MAX);
    for (uint32_t turn = 0; turn < 3; turn++) {
        if (turn == 1) {
            run_copy(&run, &buffer, APART, &buffer, 3 * APART, APART);
        } else {
            run_fill(&run, &buffer, turn * APART, 2 * APART, turn + 1);
        }
        assert_int_equal(run.barriers, 1 + turn);
        if (turn > 0) {
            assert_int_equal(last_barrier.srcStageMask, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
            assert_int_equal(last_barrier.dstStageMask, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
            assert_int_equal(last_barrier.srcAccessMask, VK_ACCESS_2_TRANSFER_WRITE_BIT);
            assert_int_equal(last_barrier.dstAccessMask & ~copies, 0);
        }
    }
    run_use(&run, &buffer, ACCESS_HOST);
    vkCmdPipelineBarrier2 = record_barrier;
    assert_int_equal(tracker.hazards, 0);
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
    for (uint32_t i = 0; i < 4; i++) {
        static const uint32_t expected[] = { 1, 1, 3, 3 };
        assert_int_equal(((const uint32_t *)buffer.mapped)[i * APART / 4], expected[i]);
    }
    buffer_destroy(&gpu, &buffer);
}

// A driver gives a new image the handles of one that was destroyed.
static void test_a_new_image_is_bound_anew(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct kernel kernel;
    struct buffer ranges;
    struct image image;
    const uint32_t constants[CONSTANTS] = { 0 };
    const struct kernel_params kernel_params = {
        .name = "ranges",
        .shader = &shader_ranges_image,
        .constants = constants,
    };
    const struct image_params image_params = {
        .name = "samples",
        .format = VK_FORMAT_R8_UINT,
        .width = 8,
        .height = 8,
        .layers = 1,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    const struct buffer_params buffer_params = { .name = "ranges", .size = 256 };
    REQUIRE(kernel_create(&gpu, &kernel_params, &kernel, &problem));
    REQUIRE(buffer_create(&gpu, &buffer_params, &ranges, &problem));
    const struct binding table[BINDINGS] = {
        [BINDING_RANGES] = { &ranges },
        [BINDING_SAMPLES] = { .image = &image },
    };
    VkImageView last = VK_NULL_HANDLE;
    bool came_back = false;
    for (int i = 0; i < 100 && !came_back; i++) {
        REQUIRE(image_create(&gpu, &image_params, &image, &problem));
        came_back = image.view == last;
        last = image.view;
        assert_false(descriptors_hold(&kernel.bound[0].descriptors, table));
        assert_non_null(kernel_bind(&gpu, &kernel, table, (uint64_t)i + 1));
        assert_true(descriptors_hold(&kernel.bound[0].descriptors, table));
        image_destroy(&gpu, &image);
    }
    kernel_destroy(&gpu, &kernel);
    buffer_destroy(&gpu, &ranges);
    if (!came_back) {
        print_message("no handle came back\n");
    }
}

#define TABLES (KERNEL_BOUND + 1)

// A run may dispatch a kernel with one table; one that alternates with KERNEL_BOUND.
static void test_tables_of_a_run(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct buffer counter[TABLES];
    struct buffer arguments;
    for (int i = 0; i < TABLES; i++) {
        REQUIRE(buffer_create(
            &gpu, &(struct buffer_params){ .name = "counter", .size = 16 }, &counter[i], &problem));
    }
    REQUIRE(buffer_create(
        &gpu, &(struct buffer_params){ .name = "arguments", .size = 16 }, &arguments, &problem));
    for (int alternates = 0; alternates < 2; alternates++) {
        struct kernel kernel;
        const struct kernel_params params = {
            .name = "arrange",
            .shader = &shader_arrange,
            .alternates = alternates,
        };
        REQUIRE(kernel_create(&gpu, &params, &kernel, &problem));
        struct kernel_bound *bound[TABLES];
        for (uint64_t run = 1; run < 4; run++) {
            for (int turn = 0; turn < 2 * TABLES; turn++) {
                const int i = turn % TABLES;
                const struct binding table[BINDINGS] = {
                    [BINDING_COUNTER] = { &counter[i] },
                    [BINDING_ARGUMENTS] = { &arguments },
                };
                struct kernel_bound *now = kernel_bind(&gpu, &kernel, table, run);
                bound[i] = turn < TABLES ? now : bound[i];
                assert_ptr_equal(now, bound[i]);
            }
            for (int i = 0; i < TABLES; i++) {
                assert_true((i < (alternates ? KERNEL_BOUND : 1)) == (bound[i] != NULL));
                assert_true(i == 0 || !bound[i] || bound[i] != bound[i - 1]);
            }
        }
        kernel_destroy(&gpu, &kernel);
    }
    for (int i = 0; i < TABLES; i++) {
        buffer_destroy(&gpu, &counter[i]);
    }
    buffer_destroy(&gpu, &arguments);
}

static void test_more_stages_than_are_timed(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    double ms[STOPWATCH_STAGES];
    REQUIRE(stopwatch_create(&gpu, &timed.timer, &problem));
    for (uint32_t stages = STOPWATCH_STAGES; stages <= STOPWATCH_STAGES + 40; stages += 40) {
        VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
        assert_non_null(cmd);
        memset(timed.behind, CANARY, sizeof timed.behind);
        stopwatch_begin(&timed.timer, cmd);
        for (uint32_t i = 0; i < stages; i++) {
            stopwatch_stamp(&timed.timer, cmd, stage_of(STAGE_BRICKS));
        }
        assert_true(untouched(timed.behind, sizeof timed.behind));
        assert_int_equal(timed.timer.count, STOPWATCH_STAGES);
        REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
        const bool told = stopwatch_read(&gpu, &timed.timer, ms);
        assert_int_equal(told, gpu.timestamps && stages == STOPWATCH_STAGES);
    }
    stopwatch_destroy(&gpu, &timed.timer);
}

static void test_more_push_constants_than_a_kernel_has(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct kernel kernel;
    const struct shader shader = { .push_size = 132 };
    const struct kernel_params params = { .name = "none", .shader = &shader };
    assert_false(kernel_create(&gpu, &params, &kernel, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERNAL);
    assert_null(kernel.pipeline);
}

static PFN_vkCreateComputePipelines create_pipelines;
static uint32_t pipelines_made;

static VkResult count_pipelines(
    VkDevice device, VkPipelineCache cache, uint32_t count,
    const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
    VkPipeline *out)
{
    pipelines_made += count;
    return create_pipelines(device, cache, count, infos, allocator, out);
}

// How many pipelines the device makes for a kernel with this first constant.
static uint32_t made_for(uint32_t constant, bool constants, struct kernel *kernel)
{
    struct problem problem = { 0 };
    uint32_t values[CONSTANTS] = { constant };
    const struct kernel_params params = {
        .name = "arrange",
        .shader = &shader_arrange,
        .constants = constants ? values : NULL,
    };
    pipelines_made = 0;
    REQUIRE(kernel_create(&gpu, &params, kernel, &problem));
    return pipelines_made;
}

// Kernels that are alike share a pipeline, which stays until others have taken its place.
static void test_kernels_share_pipelines(void **state)
{
    (void)state;
    struct kernel kernels[5];
    create_pipelines = vkCreateComputePipelines;
    vkCreateComputePipelines = count_pipelines;
    pipelines_forget(&gpu.made, gpu.device, 0);
    assert_int_equal(made_for(1, true, &kernels[0]), 1);
    assert_int_equal(made_for(1, true, &kernels[1]), 0);
    assert_ptr_equal(kernels[0].pipeline, kernels[1].pipeline);
    assert_int_equal(made_for(2, true, &kernels[2]), 1);
    assert_int_equal(made_for(0, true, &kernels[3]), 1);
    assert_int_equal(made_for(0, false, &kernels[4]), 1); // the shader's own constants
    kernel_destroy(&gpu, &kernels[0]);
    pipelines_forget(&gpu.made, gpu.device, 0);
    assert_int_equal(made_for(1, true, &kernels[0]), 0); // another kernel has it
    for (int i = 0; i < 5; i++) {
        kernel_destroy(&gpu, &kernels[i]);
    }
    pipelines_forget(
        &gpu.made, gpu.device,
        2); // that of 1, used last when it was found, and that without constants
    assert_int_equal(made_for(1, true, &kernels[0]), 0);
    assert_int_equal(made_for(0, false, &kernels[1]), 0);
    assert_int_equal(made_for(2, true, &kernels[2]), 1);
    for (int i = 0; i < 3; i++) {
        kernel_destroy(&gpu, &kernels[i]);
    }
    vkCreateComputePipelines = create_pipelines;
}

// How a child process ends that does this.
static int status_of(void (*work)(void))
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); // not cmocka's
        alarm(60);
        work();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void give_back_twice(void)
{
    VkCommandBuffer cmd = gpu_begin(&gpu, NULL);
    gpu_drop(&gpu, cmd);
    gpu_drop(&gpu, cmd);
}

static void test_a_command_buffer_is_given_back_once(void **state)
{
    (void)state;
    const int status = status_of(give_back_twice);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static VKAPI_ATTR VkResult VKAPI_CALL
begin_nothing(VkCommandBuffer cmd, const VkCommandBufferBeginInfo *info)
{
    (void)cmd, (void)info;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void destroy_without_wait(void)
{
    vkBeginCommandBuffer = begin_nothing;
    gpu_destroy(&gpu);
    _exit(gpu.lost && gpu.device && gpu_abandoned ? 0 : 1);
}

// Nothing says that the device is done, so it is not destroyed.
static void test_a_device_that_cannot_be_awaited(void **state)
{
    (void)state;
    assert_int_equal(status_of(destroy_without_wait), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_resources_than_are_followed),
        cmocka_unit_test(test_the_barrier_that_makes_room_is_missed),
        cmocka_unit_test(test_a_buffer_without_slots_is_one_resource),
        cmocka_unit_test(test_a_new_image_is_bound_anew),
        cmocka_unit_test(test_tables_of_a_run),
        cmocka_unit_test(test_more_stages_than_are_timed),
        cmocka_unit_test(test_more_push_constants_than_a_kernel_has),
        cmocka_unit_test(test_kernels_share_pipelines),
        cmocka_unit_test(test_a_command_buffer_is_given_back_once),
        cmocka_unit_test(test_a_device_that_cannot_be_awaited),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
