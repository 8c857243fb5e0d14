// ctest: heavy
// Isovalues between the same two sample values: only the vertices are made again, and the result
// equals a full extraction.
#include "tests/device.h"

#include <math.h>

static uint32_t random_state = 7;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

// One step, compared with the reference. Returns whether it only moved the vertices.
static bool
step_to(struct bench *bench, const struct volume *volume, const struct extraction_step *step)
{
    struct problem problem = { 0 };
    struct cell_list cells, found_cells;
    struct mesh mesh, found;
    struct extraction_result result;
    const bool moves = extraction_moves(bench->extraction, step);
    REQUIRE(reference_extract(volume, step->iso, &cells, &mesh, &problem));
    REQUIRE(extraction_run(bench->extraction, step, &result, &problem));
    assert_true(result.whole);
    assert_int_equal(result.moved, moves);
    assert_int_equal(result.active_cells, cells.count);
    REQUIRE(extraction_cells(bench->extraction, &result, &found_cells, &problem));
    compare_cells(volume, step->method, &cells, &found_cells);
    REQUIRE(extraction_download(bench->extraction, step->target, &result, &found, &problem));
    struct mesh_difference difference;
    if (!mesh_compare(&mesh, &found, NULL, &difference)) {
        fail_msg("%s at %g: %s", step->method->name, step->iso, difference.text);
    }
    cell_list_destroy(&cells);
    cell_list_destroy(&found_cells);
    mesh_destroy(&mesh);
    mesh_destroy(&found);
    return moves;
}

// Small and large steps, over all methods: about every other one stays between two values.
static void test_many_steps(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(
        volume_generate("default", (uint32_t[]){ 41, 26, 23 }, VOLUME_UINT8, &volume, &problem));
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    int moved = 0;
    double iso = 100.5;
    const struct method *method = method_default();
    for (int step = 0; step < 300; step++) {
        method = step % 8 == 0 ? next_method() : method;
        iso = random_bits() % 3 == 0 ? random_bits() % 2560 / 10.0
                                     : floor(iso) + (1 + random_bits() % 999) / 1000.0;
        moved += step_to(
            &bench, &volume,
            &(struct extraction_step){ .iso = iso, .method = method, .target = &bench.surface });
    }
    assert_in_range(moved, 75, 225);
    bench_close(&bench);
    volume_destroy(&volume);
}

// Cases in which more than the vertices has to be made again.
static void test_what_does_not_move(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(
        volume_generate("default", (uint32_t[]){ 41, 26, 23 }, VOLUME_UINT16, &volume, &problem));
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    struct surface other = { 0 };
    const struct method *const method = method_find("ofk-compact");
    struct extraction_step step = { .iso = 20000.25, .method = method, .target = &bench.surface };
    assert_false(step_to(&bench, &volume, &step));
    assert_false(step_to(&bench, &volume, &step)); // the same again is wanted anew
    step.iso = 20000.75;
    assert_true(step_to(&bench, &volume, &step));
    step.iso = 20001; // a sample of 20001 is inside here, and was before
    assert_true(step_to(&bench, &volume, &step));
    step.iso = 20001.25; // and outside here
    assert_false(step_to(&bench, &volume, &step));
    step.iso = 20001.5;
    step.anew = true;
    assert_false(step_to(&bench, &volume, &step));
    step.anew = false;
    step.iso = 20001.75;
    step.method = method_find("redzone-2");
    assert_false(step_to(&bench, &volume, &step));
    step.iso = 20001.25;
    assert_true(step_to(&bench, &volume, &step));
    step.iso = 20005; // what Redzone keeps has survived the move
    assert_false(step_to(&bench, &volume, &step));
    step.iso = 20004.5;
    step.target = &other; // made last was the first one
    assert_false(step_to(&bench, &volume, &step));
    step.target = &bench.surface;
    step.iso = 20004.25;
    assert_false(step_to(&bench, &volume, &step));
    surface_destroy(&gpu, &bench.surface); // made anew, its buffers are others
    step.iso = 20004.75;
    assert_false(step_to(&bench, &volume, &step));
    surface_destroy(&gpu, &other);
    bench_close(&bench);
    volume_destroy(&volume);
}

// Beyond the range of the samples the surface is empty, and moving it works as well.
static void test_empty_surfaces(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_generate("sphere", (uint32_t[]){ 9, 8, 7 }, VOLUME_UINT8, &volume, &problem));
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    struct extraction_step step = { .iso = 300,
                                    .method = method_default(),
                                    .target = &bench.surface };
    assert_false(step_to(&bench, &volume, &step));
    step.iso = 400;
    assert_true(step_to(&bench, &volume, &step));
    step.iso = -7;
    assert_true(step_to(&bench, &volume, &step));
    step.iso = 128;
    assert_false(step_to(&bench, &volume, &step));
    bench_close(&bench);
    volume_destroy(&volume);
}

// The last vertex is the first one of a workgroup: 170 isolated samples inside, with six edges
// each, and one on a face, with five.
static void test_a_group_for_one_vertex(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create((uint32_t[]){ 23, 23, 9 }, VOLUME_UINT8, &volume, &problem));
    uint8_t *samples = volume.samples;
    uint32_t inner = 0;
    for (uint32_t z = 1; z < 8; z += 2) {
        for (uint32_t y = 1; y < 22; y += 2) {
            for (uint32_t x = 1; x < 22 && inner < 170; x += 2, inner++) {
                samples[(z * 23 + y) * 23 + x] = 200;
            }
        }
    }
    samples[11 * 23 + 11 - 1] = 200;
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    struct extraction_step step = { .iso = 100.25,
                                    .method = method_default(),
                                    .target = &bench.surface };
    assert_false(step_to(&bench, &volume, &step));
    step.iso = 100.75;
    assert_true(step_to(&bench, &volume, &step));
    struct extraction_result result;
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    assert_int_equal(result.vertices % (GROUP * gpu.traits->vertices_each), 1);
    bench_close(&bench);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_steps),
        cmocka_unit_test(test_what_does_not_move),
        cmocka_unit_test(test_empty_surfaces),
        cmocka_unit_test(test_a_group_for_one_vertex),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
