// ctest: long
// Thousands of steps over all methods, and a volume in which nearly every cell is active.
#include "tests/device.h"

#include <unistd.h>

static uint32_t random_state = 12345;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

// Resident memory of the process.
static uint64_t resident_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*s %llu", &pages), 1);
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Number of cells and vertices at each value of a volume of bytes.
static void count_all(const struct volume *volume, uint64_t cells[256], uint64_t vertices[256])
{
    struct problem problem = { 0 };
    for (int value = 0; value < 256; value++) {
        struct cell_list list;
        struct mesh mesh;
        REQUIRE(reference_extract(volume, value, &list, &mesh, &problem));
        cells[value] = list.count;
        vertices[value] = mesh.vertex_count;
        cell_list_destroy(&list);
        mesh_destroy(&mesh);
    }
}

#define SLACK ((uint64_t)16 << 20) // tolerance for a heap without leaks

// Memory has not grown. The validation layers keep growing notes of their own.
static void assert_flat(uint64_t resident)
{
    const char *validated = getenv("CUBIST_VALIDATE");
    assert_true((validated && *validated == '1') || resident_bytes() <= resident + SLACK);
}

// 10,000 isovalues: the counts equal the reference's; device memory and resident memory are as
// after the first hundred.
static void test_ten_thousand_steps(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(
        volume_generate("default", (uint32_t[]){ 70, 50, 45 }, VOLUME_UINT8, &volume, &problem));
    uint64_t cells[256], vertices[256];
    count_all(&volume, cells, vertices);
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    uint64_t held = 0, resident = 0;
    for (int step = 0; step < 10000; step++) {
        // Between two sample values the surface has the cells of the upper value.
        const double iso = random_bits() % 2550 / 10.0;
        const int value = (int)(iso + 0.999999);
        const struct extraction_step what = {
            .iso = iso,
            .method = next_method(),
            .target = &bench.surface,
        };
        struct extraction_result result;
        REQUIRE(extraction_run(bench.extraction, &what, &result, &problem));
        assert_int_equal(result.active_cells, cells[value]);
        assert_int_equal(result.vertices, vertices[value]);
        held = step == 100 ? gpu.budget.allocated : held;
        resident = step == 1000 ? resident_bytes() : resident;
        assert_true(step <= 100 || gpu.budget.allocated <= held + held / 4);
    }
    assert_flat(resident);
    bench_close(&bench);
    volume_destroy(&volume);
}

// The same part by part; two parts stay on the device.
static void test_ten_thousand_steps_by_parts(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(
        volume_generate("default", (uint32_t[]){ 40, 30, 25 }, VOLUME_UINT8, &volume, &problem));
    uint64_t cells[256], vertices[256], held = 0, resident = 0;
    count_all(&volume, cells, vertices);
    const struct parts_params params = { .volume = &volume, .layers = 8, .residents = 2 };
    struct parts *parts;
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    for (int i = 0; i < 10000; i++) {
        const double iso = random_bits() % 2550 / 10.0;
        const int value = (int)(iso + 0.999999);
        struct joined joined = { 0 };
        struct extract_totals result;
        const struct query step = {
            .iso = iso,
            .method = i < 1000 ? next_method() : method_default(),
        };
        REQUIRE(pull(parts, &step, &joined, &result, &problem));
        assert_int_equal(result.active_cells, cells[value]);
        assert_int_equal(result.vertices, vertices[value]);
        mesh_destroy(&joined.mesh);
        held = i < 1000 && gpu.budget.allocated > held ? gpu.budget.allocated : held;
        assert_true(i < 1000 || gpu.budget.allocated <= held);
        resident = i == 1000 ? resident_bytes() : resident;
    }
    assert_flat(resident);
    parts_close(parts);
    volume_destroy(&volume);
}

// Two million cells, nearly all active: everything equal to the reference with every method.
static void test_noise(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create((uint32_t[]){ 129, 128, 127 }, VOLUME_UINT16, &volume, &problem));
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        ((uint16_t *)volume.samples)[i] = (uint16_t)random_bits();
    }
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    compare_methods(&bench, &volume, 32768.5);
    bench_close(&bench);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_thousand_steps),
        cmocka_unit_test(test_ten_thousand_steps_by_parts),
        cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
