// Subgroup sizes: those that the device offers work with every method; all others are refused with
// a reason.
#include "tests/device.h"

#include "compute/compaction/words.h"
#include "compute/gpu/pipelines.h"
#include "shaders.h"

#define COUNT 10007

static uint32_t words_in[COUNT], found[COUNT];

// Tries to prepare for a subgroup size. Returns the reason if it fails, NULL if it works.
static const char *refused(uint32_t size)
{
    static struct problem problem;
    struct words words;
    problem = (struct problem){ 0 };
    const struct words_params params = { .count = 100, .subgroup_size = size };
    if (words_create(&gpu, &params, &words, &problem)) {
        words_destroy(&words);
        return NULL;
    }
    assert_int_equal(problem.kind, PROBLEM_UNSUPPORTED);
    assert_null(words.gpu);
    return problem.text;
}

static void refuses(uint32_t size, const char *line)
{
    const char *why = refused(size);
    if (!why || strcmp(why, line) != 0) {
        fail_msg("size %u: \"%s\", expected \"%s\"", size, why ? why : "taken", line);
    }
}

// The real device: every offered size gives right results with every method.
static void test_offered_sizes_work(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    for (uint32_t i = 0; i < COUNT; i++) {
        words_in[i] = i | (i * 2654435761u % 5 == 0 ? 0 : WORD_INVALID);
    }
    for (uint32_t size = 1; size <= 256; size++) {
        const bool offered = gpu.subgroup_least && (size & (size - 1)) == 0 &&
                             size >= gpu.subgroup_least && size <= gpu.subgroup_most &&
                             GROUP / size <= gpu.subgroups_most;
        if (!offered) {
            assert_non_null(refused(size));
            continue;
        }
        int tried = 0;
        struct words words;
        const struct words_params params = { .count = COUNT, .subgroup_size = size };
        REQUIRE(words_create(&gpu, &params, &words, &problem));
        REQUIRE(transfer_upload(&gpu, &words.source, 0, words_in, sizeof words_in, &problem));
        for (const struct method *method = method_next(NULL); method;
             method = method_next(method)) {
            if (method_refuses(method, &gpu, COUNT)) {
                continue;
            }
            const struct words_step step = { .method = method };
            struct words_result result;
            REQUIRE(words_run(&words, &step, &result, &problem));
            REQUIRE(transfer_download(&gpu, &words.list, 0, found, sizeof found, &problem));
            uint64_t kept = 0, sum = 0;
            for (uint32_t i = 0; i < COUNT; i++) {
                const bool keep = (words_in[i] & WORD_INVALID) == 0;
                kept += keep;
                sum += keep ? i : 0;
            }
            assert_int_equal(result.kept, kept);
            for (uint32_t i = 0; i < kept; i++) {
                sum -= found[i];
            }
            assert_int_equal(sum, 0);
            tried++;
        }
        words_destroy(&words);
        assert_true(tried > 0);
    }
}

// Other devices, simulated on this one.
static void test_the_reasons(void **state)
{
    (void)state;
    const struct gpu real = gpu;
    gpu.subgroup_least = gpu.subgroup_most = 8;
    gpu.subgroups_most = 32;
    assert_null(refused(0));
    assert_null(refused(8));
    refuses(16, "subgroup size 16: this device offers 8 only");
    refuses(4, "subgroup size 4: this device offers 8 only");
    gpu.subgroup_most = 32;
    assert_null(refused(16));
    assert_null(refused(32));
    refuses(12, "subgroup size 12: this device offers the powers of two from 8 to 32");
    refuses(64, "subgroup size 64: this device offers the powers of two from 8 to 32");
    gpu.subgroups_most = 16;
    assert_null(refused(16));
    refuses(
        8, "subgroup size 8: a workgroup of 256 lanes would have 32 subgroups, this device allows "
           "16; take a size of 16 or more");
    gpu.subgroup_least = gpu.subgroup_most = 0;
    assert_null(refused(0));
    refuses(8, "subgroup size 8: this device does not let kernels request a size; leave it out");
    gpu.subgroup_least = real.subgroup_least;
    gpu.subgroup_most = real.subgroup_most;
    gpu.subgroups_most = real.subgroups_most;
}

static uint32_t requested;

static VKAPI_ATTR VkResult VKAPI_CALL note_request(
    VkDevice device, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo *info,
    const VkAllocationCallbacks *host, VkPipeline *out)
{
    (void)device, (void)cache, (void)count, (void)host;
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = info->stage.pNext;
    requested = size ? size->requiredSubgroupSize : 0;
    *out = VK_NULL_HANDLE;
    return VK_SUCCESS;
}

// The size that a kernel requests by itself on a device with such limits.
static uint32_t request(uint32_t least, uint32_t most, uint32_t subgroups)
{
    struct problem problem = { 0 };
    struct kernel kernel;
    gpu.subgroup_least = least;
    gpu.subgroup_most = most;
    gpu.subgroups_most = subgroups;
    const struct kernel_params params = { .name = "arrange", .shader = &shader_arrange };
    REQUIRE(kernel_create(&gpu, &params, &kernel, &problem));
    kernel_destroy(&gpu, &kernel);
    pipelines_forget(&gpu.made, gpu.device, 0); // the next kernel asks, too
    return requested;
}

// Four groups of rows, a brick's, for each subgroup. NVIDIA's and AMD's have 32 lanes or more;
// Intel's report 32 and have 16. A driver of a CPU gets the CPU's row, whatever its lanes.
static void test_the_row_of_a_device(void **state)
{
    (void)state;
    assert_ptr_equal(traits_of(false, VK_DRIVER_ID_NVIDIA_PROPRIETARY, 32), &traits_gpu);
    assert_ptr_equal(traits_of(false, VK_DRIVER_ID_MESA_RADV, 64), &traits_gpu);
    assert_int_equal(
        traits_of(false, VK_DRIVER_ID_ARM_PROPRIETARY, 16)->shared_fours * 16, 4 * GROUP);
    assert_int_equal(
        traits_of(false, VK_DRIVER_ID_ARM_PROPRIETARY, 8)->shared_fours * 8, 4 * GROUP);
    const struct traits *intel = traits_of(false, VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, 32);
    assert_int_equal(intel->shared_fours * 16, 4 * GROUP);
    assert_ptr_equal(traits_of(false, VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS, 32), intel);
    assert_ptr_equal(traits_of(true, VK_DRIVER_ID_MESA_LLVMPIPE, 8), &traits_cpu);
    const char *pose = getenv("CUBIST_POSE");
    if (pose && strstr(pose, "driverID=")) {
        assert_ptr_equal(gpu.traits, intel);
        assert_true(gpu.lanes_apart);
    }
}

static void test_the_size_of_the_traits(void **state)
{
    (void)state;
    pipelines_forget(&gpu.made, gpu.device, 0);
    const struct gpu real = gpu;
    const PFN_vkCreateComputePipelines create = vkCreateComputePipelines;
    vkCreateComputePipelines = note_request;
    gpu.traits = &traits_gpu;
    assert_int_equal(request(32, 64, 8), 32);
    assert_int_equal(request(32, 64, 7), 0); // a workgroup would have 8 subgroups
    assert_int_equal(request(32, 32, 32), 0);
    assert_int_equal(request(64, 64, 32), 0);
    assert_int_equal(request(0, 0, 32), 0);
    gpu.traits = &traits_cpu;
    assert_int_equal(request(4, 64, 32), 0);
    vkCreateComputePipelines = create;
    gpu.traits = real.traits;
    gpu.subgroup_least = real.subgroup_least;
    gpu.subgroup_most = real.subgroup_most;
    gpu.subgroups_most = real.subgroups_most;
}

// A workgroup with fewer lanes than GROUP still has whole subgroups.
static void test_small_workgroups(void **state)
{
    (void)state;
    const struct method *method = method_find("histopyramid");
    const uint32_t lanes[][2] = { { 8, 32 }, { 32, 32 }, { 64, 64 }, { 128, 128 } };
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        const struct gpu other = { .traits = &traits_cpu, .subgroup_lanes = lanes[i][0] };
        const struct compaction compaction = { .gpu = (struct gpu *)&other };
        uint32_t constants[CONSTANTS] = { 0 };
        method->constants(&compaction, STREAM_WORDS, constants);
        assert_int_equal(constants[CONSTANT_METHOD], lanes[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offered_sizes_work),  cmocka_unit_test(test_the_reasons),
        cmocka_unit_test(test_the_row_of_a_device), cmocka_unit_test(test_the_size_of_the_traits),
        cmocka_unit_test(test_small_workgroups),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
