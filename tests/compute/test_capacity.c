// ctest: heavy twin
// Lists and memory that are too small, and promises of methods over many runs.
#include "tests/device.h"

#include "compute/extraction/internal.h"
#include "compute/gpu/transfer.h"
#include "volumes/facts.h"

static double noise(uint32_t i)
{
    uint32_t h = i * 0x9e3779b1u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) & 255;
}

static struct volume noisy_volume(const uint32_t dim[3])
{
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create(dim, VOLUME_UINT8, &volume, &problem));
    for (uint32_t i = 0; i < volume_count(&volume); i++) {
        ((uint8_t *)volume.samples)[i] = (uint8_t)noise(i);
    }
    return volume;
}

// CUBIST_EVERY_METHOD=1: the larger one.
static struct volume noisy_volume_of(const uint32_t small[3], const uint32_t large[3])
{
    return noisy_volume(is_set("CUBIST_EVERY_METHOD") ? large : small);
}

static void read_draws(const struct surface *surface, VkDrawIndexedIndirectCommand draws[2])
{
    struct problem problem = { 0 };
    REQUIRE(transfer_download(&gpu, &surface->draw, 0, draws, 2 * sizeof *draws, &problem));
}

static struct extraction_result step_once(
    struct bench *bench, const struct method *method, double iso, struct surface *target,
    struct surface *previous)
{
    struct problem problem = { 0 };
    struct extraction_result result;
    const struct extraction_step step = {
        .iso = iso,
        .method = method,
        .target = target,
        .previous = previous,
        .draws = true,
    };
    REQUIRE(extraction_attempt(bench->extraction, &step, &result, &problem));
    return result;
}

// A surface that exceeds its buffers is not drawn; the previous one is drawn. After the buffers
// have grown it is complete.
static void test_overflow_shows_the_previous_surface(void **state)
{
    (void)state;
    const struct volume volume =
        noisy_volume_of((uint32_t[]){ 70, 26, 27 }, (uint32_t[]){ 70, 40, 41 });
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (method_passed_over(method)) {
            continue;
        }
        struct bench bench;
        bench_open(&bench, &volume, &(struct atlas_params){ 0 });
        struct surface next = { 0 };
        VkDrawIndexedIndirectCommand draws[2];

        // No sample is above 255: an empty surface is complete.
        struct extraction_result result = step_once(&bench, method, 300, &bench.surface, NULL);
        assert_true(result.whole);
        assert_int_equal(result.triangles, 0);
        read_draws(&bench.surface, draws);
        assert_int_equal(draws[0].indexCount, 0);

        // A few cells only.
        result = step_once(&bench, method, 255, &bench.surface, NULL);
        while (!result.whole) {
            result = step_once(&bench, method, 255, &bench.surface, NULL);
        }
        const uint64_t triangles = result.triangles;
        assert_true(triangles > 0);

        // Almost every cell.
        result = step_once(&bench, method, 128, &next, &bench.surface);
        assert_false(result.whole);
        read_draws(&next, draws);
        assert_int_equal(draws[0].indexCount, 0);
        read_draws(&bench.surface, draws);
        assert_int_equal(draws[0].indexCount, 3 * triangles);
        assert_int_equal(draws[1].indexCount, 3 * triangles);
        assert_int_equal(draws[1].instanceCount, 1);

        for (int i = 0; i < 4 && !result.whole; i++) {
            result = step_once(&bench, method, 128, &next, &bench.surface);
        }
        assert_true(result.whole);
        read_draws(&next, draws);
        assert_int_equal(draws[0].indexCount, 3 * result.triangles);
        read_draws(&bench.surface, draws);
        assert_int_equal(draws[1].indexCount, 0);
        surface_destroy(&gpu, &next);
        bench_close(&bench);
    }
    struct volume gone = volume;
    volume_destroy(&gone);
}

// Out of device memory: the message names the needed and the free bytes. A failed attempt leaves
// the target unchanged: it can still be drawn.
static void test_out_of_memory_keeps_the_surface(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noisy_volume((uint32_t[]){ 96, 64, 64 });
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    struct extraction_result result;
    const struct extraction_step small = { .iso = 254.5,
                                           .method = method_default(),
                                           .target = &bench.surface };
    REQUIRE(extraction_run(bench.extraction, &small, &result, &problem));
    const struct surface before = bench.surface;
    gpu.budget.limit = gpu.budget.allocated + 65536;
    const struct extraction_step large = { .iso = 128,
                                           .method = method_default(),
                                           .target = &bench.surface };
    while (extraction_attempt(bench.extraction, &large, &result, &problem)) {
        assert_false(result.whole);
    }
    assert_int_equal(problem.kind, PROBLEM_DEVICE_MEMORY);
    assert_non_null(strstr(problem.text, "needed"));
    assert_non_null(strstr(problem.text, "free"));
    assert_memory_equal(&before, &bench.surface, sizeof before);
    // Then a surface that fits, under the same limit; also after everything was freed in vain.
    for (int i = 0; i < 2; i++) {
        REQUIRE(extraction_run(bench.extraction, &small, &result, &problem));
        assert_true(result.whole);
        assert_false(extraction_run(bench.extraction, &large, &result, &problem));
        assert_int_equal(problem.kind, PROBLEM_DEVICE_MEMORY);
    }
    gpu.budget.limit = 0;
    REQUIRE(extraction_run(bench.extraction, &large, &result, &problem));
    assert_true(result.whole);
    bench_close(&bench);
    volume_destroy(&volume);
}

// A count that passed 2^32: first every list gets its largest capacity. If the count passes 2^32
// even then, larger buffers would not help.
static void test_too_many_elements(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noisy_volume((uint32_t[]){ 40, 20, 20 });
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    struct extraction_result result =
        step_once(&bench, method_default(), 254.5, &bench.surface, NULL);
    assert_true(result.whole);
    struct list_counter *counter = bench.extraction->fixed[FIXED_COUNTS].mapped;
    counter->wrapped = 1;
    uint64_t most[LISTS], wanted[LISTS];
    extraction_most(&bench.atlas, most);
    REQUIRE(extraction_collect(bench.extraction, &result, &problem));
    assert_false(result.whole);
    memcpy(wanted, bench.extraction->wanted, sizeof wanted);
    assert_memory_equal(wanted, most, sizeof most);
    assert_false(extraction_collect(bench.extraction, &result, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    bench_close(&bench);
    volume_destroy(&volume);
}

// The limits of the device bound what lists get beyond their need: the guess at first, and the
// spare later. So a surface is made that fits them just about.
static void test_limits_of_lists(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noisy_volume((uint32_t[]){ 64, 64, 64 });
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    struct extraction_step step = { .iso = 254.5, .method = method_default() };
    struct extraction_result result;
    step.target = &bench.surface;
    step.draws = true;
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    const uint32_t few = result.vertices;
    step.iso = 240.5;
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    const uint32_t many = result.vertices;
    bench_close(&bench);
    assert_true(many > few * 2);

    const uint32_t real = gpu.properties.limits.maxStorageBufferRange;
    for (int i = 0; i < 2; i++) {
        // A little more than the vertices take, so there is no room for anything spare; or less
        // than the first guess.
        gpu.properties.limits.maxStorageBufferRange = (i == 0 ? many : few * 2) * 24 + 64;
        bench_open(&bench, &volume, &(struct atlas_params){ 0 });
        step.target = &bench.surface;
        step.iso = i == 0 ? 240.5 : 254.5;
        REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
        assert_int_equal(result.vertices, i == 0 ? many : few);
        step.iso = 200.5; // larger than the limit allows
        assert_false(extraction_run(bench.extraction, &step, &result, &problem));
        assert_int_equal(problem.kind, PROBLEM_LIMIT);
        assert_non_null(strstr(problem.text, "(maxStorageBufferRange)"));
        bench_close(&bench);
    }
    gpu.properties.limits.maxStorageBufferRange = real;
    volume_destroy(&volume);
}

// An atlas that does not fit is refused before anything is uploaded.
static void test_volume_too_large(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noisy_volume((uint32_t[]){ 64, 64, 64 });
    struct atlas atlas;
    gpu.budget.limit = 100000;
    assert_false(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
    gpu.budget.limit = 0;
    assert_int_equal(problem.kind, PROBLEM_DEVICE_MEMORY);
    assert_non_null(strstr(problem.text, "MiB needed"));
    assert_int_equal(gpu.budget.allocated, 0);
    volume_destroy(&volume);
}

// Memory that is reserved for pictures is not used for anything else, even before the picture
// allocates it.
static void test_reserve(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct buffer small, large;
    const uint64_t mebi = 1 << 20;
    const struct buffer_params picture = { .size = 3 * mebi, .purpose = PURPOSE_PICTURE };
    const struct buffer_params surface = { .size = mebi, .purpose = PURPOSE_SURFACE };
    gpu.budget.limit = 4 * mebi;
    gpu.budget.reserve[PURPOSE_PICTURE] = 7 * mebi / 2;
    assert_int_equal(
        budget_taken(&gpu.budget, PURPOSE_SURFACE), gpu.budget.reserve[PURPOSE_PICTURE]);
    assert_int_equal(gpu_memory_free(&gpu), mebi / 2);
    assert_false(buffer_create(&gpu, &surface, &small, &problem));
    assert_int_equal(problem.kind, PROBLEM_DEVICE_MEMORY);
    gpu.budget.reserve[PURPOSE_PICTURE] = 3 * mebi;
    assert_true(buffer_create(&gpu, &surface, &small, &problem));
    assert_int_equal(gpu_memory_free(&gpu), 0);
    assert_true(buffer_create(&gpu, &picture, &large, &problem));
    assert_int_equal(budget_taken(&gpu.budget, PURPOSE_SURFACE), gpu.budget.allocated);
    assert_int_equal(gpu.budget.allocated, 4 * mebi);
    gpu.budget.limit = gpu.budget.reserve[PURPOSE_PICTURE] = 0;
    buffer_destroy(&gpu, &small);
    buffer_destroy(&gpu, &large);
}

// The same cells in the same order, many times, if the method promises that.
static void test_deterministic_methods_repeat(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume =
        noisy_volume_of((uint32_t[]){ 100, 61, 20 }, (uint32_t[]){ 100, 61, 50 });
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!method_deterministic(method) || method_passed_over(method)) {
            continue;
        }
        struct cell_list first = { 0 };
        for (int run = 0; run < (is_set("CUBIST_WHOLE") ? 20 : 8); run++) {
            struct extraction_result result;
            const struct extraction_step step = { .iso = 200.5,
                                                  .method = method,
                                                  .target = &bench.surface };
            REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
            struct cell_list cells;
            REQUIRE(extraction_cells(bench.extraction, &result, &cells, &problem));
            if (run == 0) {
                first = cells;
                assert_true(first.count > 30000);
                continue;
            }
            assert_int_equal(cells.count, first.count);
            assert_memory_equal(cells.cells, first.cells, cells.count * sizeof *cells.cells);
            cell_list_destroy(&cells);
        }
        cell_list_destroy(&first);
    }
    bench_close(&bench);
    volume_destroy(&volume);
}

// Many steps back and forth: no step may affect the next one.
static void test_many_steps(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(
        volume_generate("default", (uint32_t[]){ 70, 50, 45 }, VOLUME_UINT8, &volume, &problem));
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    uint32_t random = 1;
    for (int step = 0; step < (is_set("CUBIST_EVERY_METHOD") ? 60 : 40); step++) {
        random = random * 1664525u + 1013904223u;
        const double iso = (random >> 16) % 2560 / 10.0;
        struct cell_list cells;
        struct mesh mesh;
        REQUIRE(reference_extract(&volume, iso, &cells, &mesh, &problem));
        compare_step(&bench, &volume, iso, next_method(), &cells, &mesh);
        cell_list_destroy(&cells);
        mesh_destroy(&mesh);
    }
    bench_close(&bench);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overflow_shows_the_previous_surface),
        cmocka_unit_test(test_out_of_memory_keeps_the_surface),
        cmocka_unit_test(test_too_many_elements),
        cmocka_unit_test(test_limits_of_lists),
        cmocka_unit_test(test_volume_too_large),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_deterministic_methods_repeat),
        cmocka_unit_test(test_many_steps),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
