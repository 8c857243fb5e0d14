// ctest: long
// A long drag over all methods, and a volume in which nearly every cell is active.
#include "device.h"

static uint32_t random_state = 12345;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

// 10,000 isovalues: counts as in the reference's, device memory as after the first hundred.
static void test_ten_thousand_steps(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(
        volume_generate("default", (uint32_t[]){ 70, 50, 45 }, VOLUME_UINT8, &volume, &problem));
    uint64_t cells[256], vertices[256];
    for (int value = 0; value < 256; value++) {
        struct cell_list list;
        struct mesh mesh;
        REQUIRE(reference_extract(&volume, value, &list, &mesh, &problem));
        cells[value] = list.count;
        vertices[value] = mesh.vertex_count;
        cell_list_destroy(&list);
        mesh_destroy(&mesh);
    }
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    uint64_t held = 0;
    for (int step = 0; step < 10000; step++) {
        // Between two sample values the surface has the upper one's cells.
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
        held = step == 100 ? gpu.allocated : held;
        assert_true(step <= 100 || gpu.allocated <= held + held / 4);
    }
    bench_close(&bench);
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
        cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
