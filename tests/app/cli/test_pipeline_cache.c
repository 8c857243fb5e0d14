// What the driver has compiled is kept between runs, and a file that may be wrong is not used. The
// driver's part is played here: llvmpipe keeps nothing.
#include "app/base/cache.h"
#include "app/base/user_folder.h"
#include "app/picture/pipeline.h"
#include "tests/device.h"

#include "shaders.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/cubist-test-XXXXXX";

// ---- the driver ----

enum { BYTES = 1000 };
static uint8_t kept[2 * BYTES]; // what the driver keeps
static size_t kept_size;
static size_t begun; // bytes that it was given
static bool refuses; // to begin with bytes
static VkPipelineCache used;

static PFN_vkCreatePipelineCache create_cache;
static PFN_vkCreateComputePipelines create_compute;

static VKAPI_ATTR VkResult VKAPI_CALL take_cache(
    VkDevice device, const VkPipelineCacheCreateInfo *info, const VkAllocationCallbacks *host,
    VkPipelineCache *out)
{
    begun = info->initialDataSize;
    if (begun && refuses) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (begun) {
        assert_true(begun <= sizeof kept);
        memcpy(kept, info->pInitialData, begun);
        kept_size = begun;
    }
    const VkPipelineCacheCreateInfo empty = { .sType = info->sType };
    return create_cache(device, &empty, host, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
give_data(VkDevice device, VkPipelineCache cache, size_t *size, void *data)
{
    (void)device;
    (void)cache;
    if (data) {
        assert_int_equal(*size, kept_size);
        memcpy(data, kept, kept_size);
    }
    *size = kept_size;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL note_compute(
    VkDevice device, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo *info,
    const VkAllocationCallbacks *host, VkPipeline *out)
{
    used = cache;
    return create_compute(device, cache, count, info, host, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL refuse_graphics(
    VkDevice device, VkPipelineCache cache, uint32_t count,
    const VkGraphicsPipelineCreateInfo *info, const VkAllocationCallbacks *host, VkPipeline *out)
{
    (void)device, (void)count, (void)info, (void)host;
    used = cache;
    *out = VK_NULL_HANDLE;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

// Now the driver keeps `size` bytes, filled with `with` after its head.
static void keep(size_t size, uint8_t with)
{
    VkPipelineCacheHeaderVersionOne head = {
        .headerSize = sizeof head,
        .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
        .vendorID = gpu.properties.vendorID,
        .deviceID = gpu.properties.deviceID,
    };
    memcpy(head.pipelineCacheUUID, gpu.properties.pipelineCacheUUID, VK_UUID_SIZE);
    memset(kept, with, sizeof kept);
    memcpy(kept, &head, sizeof head);
    kept_size = size;
}

// ---- the file ----

static int open_all(void **state)
{
    if (!mkdtemp(folder) || open_gpu(state) != 0) {
        return -1;
    }
    setenv("XDG_CACHE_HOME", folder, 1);
    create_cache = vkCreatePipelineCache;
    create_compute = vkCreateComputePipelines;
    vkCreatePipelineCache = take_cache;
    vkGetPipelineCacheData = give_data;
    vkCreateComputePipelines = note_compute;
    vkCreateGraphicsPipelines = refuse_graphics;
    return 0;
}

static int close_all(void **state)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? close_gpu(state) : -1;
}

static void forget(void)
{
    vkDestroyPipelineCache(gpu.device, gpu.pipelines, NULL);
    gpu.pipelines = VK_NULL_HANDLE;
}

// Bytes that the next run begins with.
static size_t load(void)
{
    forget();
    kept_size = 0;
    pipeline_cache_load(&gpu);
    return begun;
}

static char *path_of_file(void)
{
    static char path[200];
    char *found = pipeline_cache_path(&gpu);
    assert_non_null(found);
    snprintf(path, sizeof path, "%s", found);
    free(found);
    return path;
}

static size_t read_file(uint8_t out[4 * BYTES])
{
    FILE *file = fopen(path_of_file(), "rb");
    const size_t size = file ? fread(out, 1, 4 * BYTES, file) : 0;
    if (file) {
        fclose(file);
    }
    return size;
}

static void write_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path_of_file(), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_written_and_read_again(void **state)
{
    (void)state;
    uint8_t file[4 * BYTES];
    assert_int_equal(load(), 0);
    keep(BYTES, 'a');
    pipeline_cache_save(&gpu);
    assert_int_equal(read_file(file), sizeof(struct pipeline_cache_head) + BYTES);
    assert_int_equal(load(), BYTES);
    assert_int_equal(kept[BYTES - 1], 'a');

    keep(BYTES, 'b'); // nothing was added
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), BYTES);
    assert_int_equal(kept[BYTES - 1], 'a');

    keep(BYTES + 7, 'c');
    gpu.lost = true;
    pipeline_cache_save(&gpu);
    gpu.lost = false;
    interrupted = 1;
    pipeline_cache_save(&gpu);
    interrupted = 0;
    assert_int_equal(load(), BYTES);

    keep(BYTES + 7, 'c');
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), BYTES + 7);
    assert_int_equal(kept[BYTES - 1], 'c');

    // After too much, the next run begins with nothing, and the one after it with what that kept.
    kept_size = PIPELINE_CACHE_LARGEST + 1;
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), 0);
    keep(BYTES, 'd');
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), BYTES);
}

static void test_a_driver_that_refuses_bytes(void **state)
{
    (void)state;
    unlink(path_of_file());
    load();
    keep(BYTES, 'a');
    pipeline_cache_save(&gpu);
    refuses = true;
    assert_int_equal(load(), 0);
    refuses = false;
    assert_non_null(gpu.pipelines);
    keep(BYTES, 'b'); // replaces what was refused
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), BYTES);
    assert_int_equal(kept[BYTES - 1], 'b');
}

static void test_a_head_alone_is_not_written(void **state)
{
    (void)state;
    uint8_t file[4 * BYTES];
    unlink(path_of_file());
    load();
    keep(sizeof(VkPipelineCacheHeaderVersionOne), 0);
    pipeline_cache_save(&gpu);
    kept_size = 0;
    pipeline_cache_save(&gpu);
    assert_int_equal(read_file(file), 0);
}

static void test_broken_files_are_not_used(void **state)
{
    (void)state;
    uint8_t file[4 * BYTES];
    load();
    keep(BYTES, 'a');
    pipeline_cache_save(&gpu);
    const size_t size = read_file(file);
    assert_int_equal(load(), BYTES);
    for (size_t i = 0; i < size; i++) {
        file[i] ^= 1;
        write_file(file, size);
        assert_int_equal(load(), 0);
        file[i] ^= 1;
    }
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 97) {
        write_file(file, cut);
        assert_int_equal(load(), 0);
    }
    write_file(file, size + 1);
    assert_int_equal(load(), 0);
    // The checksum is right, but the driver's head is another one's.
    const size_t own = sizeof(struct pipeline_cache_head);
    for (size_t i = 0; i < sizeof(VkPipelineCacheHeaderVersionOne); i++) {
        file[own + i] ^= 1;
        const struct pipeline_cache_head head = pipeline_cache_head_of(&gpu, file + own, BYTES);
        memcpy(file, &head, own);
        write_file(file, size);
        assert_int_equal(load(), 0);
        file[own + i] ^= 1;
    }
    // It is replaced by a sound one.
    keep(BYTES, 'a');
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), BYTES);
    // Something else in its place.
    unlink(path_of_file());
    assert_int_equal(mkfifo(path_of_file(), 0600), 0);
    assert_int_equal(load(), 0);
    unlink(path_of_file());
}

static void test_other_drivers(void **state)
{
    (void)state;
    load();
    keep(BYTES, 'a');
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), BYTES);
    gpu.properties.driverVersion++;
    assert_int_equal(load(), 0);
    gpu.properties.driverVersion--;
    gpu.properties.pipelineCacheUUID[3] ^= 1;
    assert_int_equal(load(), 0);
    gpu.properties.pipelineCacheUUID[3] ^= 1;
    // A driver with another UUID has its own file, and does not use this one.
    uint8_t file[4 * BYTES];
    const size_t size = read_file(file);
    gpu.driver_uuid[5] ^= 1;
    assert_int_equal(load(), 0);
    write_file(file, size);
    assert_int_equal(load(), 0);
    keep(BYTES + 7, 'b');
    pipeline_cache_save(&gpu);
    assert_int_equal(load(), BYTES + 7);
    gpu.driver_uuid[5] ^= 1;
    assert_int_equal(load(), BYTES);
}

static void test_no_folder(void **state)
{
    (void)state;
    char below[300];
    keep(BYTES, 'a');
    pipeline_cache_save(&gpu);
    snprintf(below, sizeof below, "%s/below", path_of_file());
    const char *const folders[] = { below, "/proc/none", "relative", "" };
    setenv("HOME", "", 1);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        setenv("XDG_CACHE_HOME", folders[i], 1);
        assert_int_equal(load(), 0);
        keep(BYTES, 'a');
        pipeline_cache_save(&gpu);
    }
    setenv("XDG_CACHE_HOME", folder, 1);
    assert_int_equal(chmod(folder, 0500), 0);
    load();
    keep(2 * BYTES, 'b');
    pipeline_cache_save(&gpu); // fails, unless the user may write everywhere
    assert_int_equal(chmod(folder, 0700), 0);
    assert_true(load() >= BYTES);
}

// One writes while the other reads: it finds the whole file of one or of the other time.
static void test_several_processes(void **state)
{
    (void)state;
    unlink(path_of_file());
    load();
    keep(BYTES, 'a');
    pipeline_cache_save(&gpu);
    for (int w = 0; w < 2; w++) {
        const pid_t writer = fork();
        if (writer == 0) {
            for (int i = 0; i < 50; i++) {
                keep((size_t)(BYTES + 1 + i + 300 * w), (uint8_t)('b' + w));
                gpu.pipelines_loaded = 0;
                pipeline_cache_save(&gpu);
            }
            _exit(0);
        }
        assert_true(writer > 0);
    }
    int done = 0;
    while (done < 2) {
        const size_t size = load();
        assert_true(size >= BYTES && size <= BYTES + 350);
        for (size_t i = sizeof(VkPipelineCacheHeaderVersionOne); i < size; i++) {
            assert_int_equal(kept[i], kept[size - 1]);
        }
        int status = 0;
        done += waitpid(-1, &status, WNOHANG) > 0;
        assert_int_equal(status, 0);
    }
}

static void test_pipelines_are_made_with_it(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct kernel kernel;
    uint32_t constants[CONSTANTS] = { 0 };
    load();
    assert_non_null(gpu.pipelines);
    const struct kernel_params params = {
        .name = "ranges",
        .shader = &shader_ranges_buffer,
        .constants = constants,
    };
    used = VK_NULL_HANDLE;
    REQUIRE(kernel_create(&gpu, &params, &kernel, &problem));
    kernel_destroy(&gpu, &kernel);
    assert_true(used == gpu.pipelines);
    used = VK_NULL_HANDLE;
    struct pipeline pipeline;
    const struct pipeline_params drawn = {
        .vertex = &shader_ranges_buffer,
        .fragment = &shader_ranges_buffer,
    };
    assert_false(pipeline_create(&gpu, &drawn, &pipeline, &problem));
    assert_true(used == gpu.pipelines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_and_read_again),
        cmocka_unit_test(test_a_driver_that_refuses_bytes),
        cmocka_unit_test(test_a_head_alone_is_not_written),
        cmocka_unit_test(test_broken_files_are_not_used),
        cmocka_unit_test(test_other_drivers),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_several_processes),
        cmocka_unit_test(test_pipelines_are_made_with_it),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
