// ctest: plain twin
// Every method x every generated volume x odd sizes x isovalues, compared with the reference.
#include "tests/device.h"

#include "volumes/facts.h"

#include <math.h>

static const uint32_t sizes[][3] = {
    { 2, 2, 2 }, { 3, 5, 7 }, { 33, 17, 9 }, { 65, 64, 63 }, { 32, 4, 4 }, { 34, 6, 5 },
};

// Isovalues below, inside and above the range, and on a sample.
static void try_isovalues(const struct volume *volume, const struct atlas_params *params)
{
    struct volume_facts facts;
    volume_facts(volume, &facts);
    const double span = facts.max - facts.min;
    const double on_sample =
        volume_sample(volume, volume->dim[0] / 2, volume->dim[1] / 2, volume->dim[2] / 2);
    const double isovalues[] = {
        facts.min - 1, facts.min, facts.iso,     facts.min + 0.37 * span,
        on_sample,     facts.max, facts.max + 1,
    };
    struct bench bench;
    bench_open(&bench, volume, params);
    for (size_t i = 0; i < sizeof isovalues / sizeof *isovalues; i++) {
        compare_methods(&bench, volume, isovalues[i]);
    }
    bench_close(&bench);
}

// Every n-th size of each generator, in turns, until all are done. CUBIST_EVERY_METHOD=1: all of
// them.
static void try_generators(enum volume_type type, const struct atlas_params *params, size_t every)
{
    struct problem problem = { 0 };
    every = is_set("CUBIST_EVERY_METHOD") ? 1
            : is_set("CUBIST_WHOLE")      ? every * 2 / 3
                                          : every * 5 / 3;
    for (const struct generator *generator = generators; generator->name; generator++) {
        for (size_t s = (size_t)(generator - generators) % every; s < sizeof sizes / sizeof *sizes;
             s += every) {
            struct volume volume;
            REQUIRE(volume_generate(generator->name, sizes[s], type, &volume, &problem));
            try_isovalues(&volume, params);
            volume_destroy(&volume);
        }
    }
}

static void test_generated_volumes(void **state)
{
    (void)state;
    try_generators(VOLUME_UINT8, &(struct atlas_params){ 0 }, 3);
}

static void test_generated_volumes_in_images(void **state)
{
    (void)state;
    try_generators(VOLUME_UINT8, &(struct atlas_params){ .storage = ATLAS_STORAGE_IMAGE }, 6);
}

// Each type in both storages, with a volume that uses the whole range of the type. CUBIST_SHARE=1:
// in one of them.
static void test_types(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    for (int type = 0; type < VOLUME_FLOAT64; type++) {
        for (int storage = ATLAS_STORAGE_IMAGE; storage <= ATLAS_STORAGE_BUFFER; storage++) {
            if (!is_set("CUBIST_WHOLE") && (type + storage) % 2) {
                continue;
            }
            struct volume volume;
            REQUIRE(
                volume_generate("default", (uint32_t[]){ 37, 21, 18 }, type, &volume, &problem));
            try_isovalues(&volume, &(struct atlas_params){ .storage = storage });
            volume_destroy(&volume);
        }
    }
}

// A small image limit: several columns, rows and layers of slices.
static void test_small_image_limit(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(
        volume_generate("gyroid", (uint32_t[]){ 19, 23, 41 }, VOLUME_UINT16, &volume, &problem));
    for (int storage = ATLAS_STORAGE_IMAGE; storage <= ATLAS_STORAGE_BUFFER; storage++) {
        for (uint32_t extent = 24; extent <= 96;
             extent += is_set("CUBIST_EVERY_METHOD") ? 24 : 48) {
            const struct atlas_params params = { .storage = storage, .max_extent = extent };
            struct bench bench;
            bench_open(&bench, &volume, &params);
            if (extent == 24) {
                assert_int_equal(bench.atlas.layers, 41);
            }
            assert_true(bench.atlas.layers > 1);
            bench_close(&bench);
            try_isovalues(&volume, &params);
        }
    }
    struct atlas atlas;
    assert_false(
        atlas_create(&gpu, &volume, &(struct atlas_params){ .max_extent = 16 }, &atlas, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    assert_int_equal(gpu.budget.allocated, 0);
    volume_destroy(&volume);
}

static void fill(struct volume *volume, double (*value)(uint32_t, uint32_t, uint32_t))
{
    for (uint32_t z = 0, i = 0; z < volume->dim[2]; z++) {
        for (uint32_t y = 0; y < volume->dim[1]; y++) {
            for (uint32_t x = 0; x < volume->dim[0]; x++, i++) {
                const double v = value(x, y, z);
                if (volume->type == VOLUME_FLOAT32) {
                    ((float *)volume->samples)[i] = (float)v;
                } else {
                    ((uint8_t *)volume->samples)[i] = (uint8_t)v;
                }
            }
        }
    }
}

static double checkerboard(uint32_t x, uint32_t y, uint32_t z)
{
    return (x + y + z) % 2 ? 200 : 20;
}

static double constant(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    return 7;
}

static double noise(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ z * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) & 255;
}

static void with_values(
    const uint32_t dim[3], enum volume_type type, double (*value)(uint32_t, uint32_t, uint32_t))
{
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create(dim, type, &volume, &problem));
    fill(&volume, value);
    try_isovalues(&volume, &(struct atlas_params){ 0 });
    volume_destroy(&volume);
}

static void with_isovalue(
    const uint32_t dim[3], enum volume_type type, double (*value)(uint32_t, uint32_t, uint32_t),
    double iso)
{
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create(dim, type, &volume, &problem));
    fill(&volume, value);
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    compare_methods(&bench, &volume, iso);
    bench_close(&bench);
    volume_destroy(&volume);
}

// If all cells are active, they exceed every first guess: the overflow and its repair are tested
// here.
static void test_all_and_none_active(void **state)
{
    (void)state;
    with_values((uint32_t[]){ 70, 33, 30 }, VOLUME_UINT8, checkerboard);
    with_values((uint32_t[]){ 70, 33, 30 }, VOLUME_UINT8, noise);
    with_values((uint32_t[]){ 40, 9, 10 }, VOLUME_UINT8, constant);
    with_values((uint32_t[]){ 40, 9, 10 }, VOLUME_FLOAT32, constant);
}

static double with_gaps(uint32_t x, uint32_t y, uint32_t z)
{
    const double r = hypot(hypot(x - 30.0, y - 12.0), z - 9.0);
    if (noise(x, y, z) < 4) {
        return NAN;
    }
    if (noise(y, z, x) < 3) {
        return noise(z, x, y) < 128 ? INFINITY : -INFINITY;
    }
    return 20 - r + 0.3 * noise(x, z, y) / 255;
}

static double all_gaps(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    return NAN;
}

static void test_not_finite(void **state)
{
    (void)state;
    with_values((uint32_t[]){ 67, 29, 22 }, VOLUME_FLOAT32, with_gaps);
    with_values((uint32_t[]){ 9, 9, 9 }, VOLUME_FLOAT32, all_gaps);
}

// All bricks span the isovalue, but only the first and the last one have active cells.
static const uint32_t apart[] = { 2, 1024, 2200 };

static double far_apart(uint32_t x, uint32_t y, uint32_t z)
{
    (void)y;
    return z < 2 || z >= apart[2] - 2 || z % 2 == 0 ? x : NAN;
}

// Between the two active cells there are more empty bricks than llvmpipe's limit for loops.
static void test_far_apart(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create(apart, VOLUME_FLOAT32, &volume, &problem));
    fill(&volume, far_apart);
    struct cell_list cells;
    struct mesh mesh;
    REQUIRE(reference_extract(&volume, 0.5, &cells, &mesh, &problem));
    assert_int_equal(cells.count, 3 * (apart[1] - 1)); // of slices 0, 1, 2, and the last two
    // Each method has lists of its own: what it omits must not remain there from another method.
    static const char *const names[] = { "histopyramid", "histopyramid-vec4", "ink-collate" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct bench bench;
        bench_open(&bench, &volume, &(struct atlas_params){ 0 });
        compare_step(&bench, &volume, 0.5, method_find(names[i]), &cells, &mesh);
        bench_close(&bench);
    }
    cell_list_destroy(&cells);
    mesh_destroy(&mesh);
    volume_destroy(&volume);
}

static double huge(uint32_t x, uint32_t y, uint32_t z)
{
    return (noise(x, y, z) - 127.5) * 2.6e36;
}

static double tiny(uint32_t x, uint32_t y, uint32_t z)
{
    return (noise(x, y, z) - 127.5) * 1e-36;
}

// An outlier far above the rest, like a fill value.
static double with_outlier(uint32_t x, uint32_t y, uint32_t z)
{
    return x == 7 && y == 4 && z == 3 ? 1e10 : noise(x, y, z) * 4e-32;
}

static double with_fill(uint32_t x, uint32_t y, uint32_t z)
{
    return noise(y, x, z) < 3 ? 9.97e36 : noise(x, y, z) / 255;
}

static double denormal(uint32_t x, uint32_t y, uint32_t z)
{
    return noise(x, y, z) * 3e-43;
}

static double far_off(uint32_t x, uint32_t y, uint32_t z)
{
    return 1e6 + noise(x, y, z) / 64;
}

static void test_extreme_floats(void **state)
{
    (void)state;
    with_values((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, huge);
    with_values((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, tiny);
    with_values((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, far_off);
    with_values((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, denormal);
    with_isovalue((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, with_outlier, 5e-30);
    with_isovalue((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, with_outlier, 1e5);
    with_isovalue((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, with_fill, 0.5);
    with_isovalue((uint32_t[]){ 20, 9, 8 }, VOLUME_FLOAT32, with_fill, 1e30);
}

// Values from the smallest to the largest magnitude that is not scaled, of both signs, and 0.
static double of_every_magnitude(uint32_t x, uint32_t y, uint32_t z)
{
    const double bits = noise(x, y, z);
    return bits < 8 ? 0 : ldexp(noise(z, x, y) < 128 ? -1 : 1, (int)bits % 57 - 28);
}

// The smallest difference, between the smallest values that are not scaled: it gives the smallest
// squares.
static double of_least_steps(uint32_t x, uint32_t y, uint32_t z)
{
    return noise(x, y, z) < 128 ? 0x1p-28 : 0x1.000002p-28;
}

static void test_magnitudes_without_scaling(void **state)
{
    (void)state;
    with_values((uint32_t[]){ 35, 9, 8 }, VOLUME_FLOAT32, of_every_magnitude);
    with_isovalue((uint32_t[]){ 35, 9, 8 }, VOLUME_FLOAT32, of_least_steps, 0x1.0000014p-28);
}

// A device that does not load keys from texel buffers keeps volumes as images.
static void test_without_texel_loads(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create((uint32_t[]){ 9, 8, 7 }, VOLUME_UINT8, &volume, &problem));
    fill(&volume, noise);
    assert_true(gpu.texel_loads);
    gpu.texel_loads = false;
    struct bench bench;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    assert_int_equal(bench.atlas.storage, ATLAS_STORAGE_IMAGE);
    compare_methods(&bench, &volume, 128);
    bench_close(&bench);
    struct atlas atlas;
    const struct atlas_params params = { .storage = ATLAS_STORAGE_BUFFER };
    assert_false(atlas_create(&gpu, &volume, &params, &atlas, &problem));
    assert_int_equal(problem.kind, PROBLEM_UNSUPPORTED);
    assert_non_null(strstr(problem.text, "as an image"));
    gpu.texel_loads = true;
    volume_destroy(&volume);
}

// A single sample decides.
static void test_meets_extremes(void **state)
{
    (void)state;
    static const struct {
        float value;
        bool extreme;
    } rows[] = {
        { 0, false },
        { -0.0f, false },
        { 0x1p28f, false },
        { -0x1p28f, false },
        { 0x1p-28f, false },
        { -0x1p-28f, false },
        { INFINITY, false },
        { NAN, false },
        { 0x1.000002p28f, true },
        { -0x1.000002p28f, true },
        { 0x1.fffffep-29f, true },
        { -0x1.fffffep-29f, true },
        { 1e-42f, true },
        { 3e38f, true },
    };
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create((uint32_t[]){ 5, 4, 3 }, VOLUME_FLOAT32, &volume, &problem));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fill(&volume, constant);
        ((float *)volume.samples)[(i * 7) % 60] = rows[i].value;
        struct atlas atlas;
        REQUIRE(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
        assert_int_equal(atlas.has_extremes, rows[i].extreme);
        assert_int_equal(atlas.has_gaps, !isfinite(rows[i].value));
        atlas_destroy(&gpu, &atlas);
    }
    volume_destroy(&volume);
}

static struct mesh
surface_of(const struct volume *volume, const struct atlas_params *params, double iso)
{
    struct problem problem = { 0 };
    struct bench bench;
    struct extraction_result result;
    struct mesh mesh;
    bench_open(&bench, volume, params);
    assert_int_equal(bench.atlas.has_extremes, params->extremes);
    const struct extraction_step step = {
        .iso = iso,
        .method = next_method(),
        .target = &bench.surface,
    };
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    REQUIRE(extraction_download(bench.extraction, &bench.surface, &result, &mesh, &problem));
    bench_close(&bench);
    return mesh;
}

// Equal to the last bit: parts are extracted without scaling until one of them has extreme values.
static void test_scaling_changes_nothing(void **state)
{
    (void)state;
    double (*const values[])(uint32_t, uint32_t, uint32_t) = { far_off, of_every_magnitude,
                                                               of_least_steps };
    const double isovalues[] = { 1e6 + 2.1, 0.01, 0x1.0000014p-28 };
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create((uint32_t[]){ 35, 9, 8 }, VOLUME_FLOAT32, &volume, &problem));
    for (int i = 0; i < 3; i++) {
        fill(&volume, values[i]);
        struct mesh plain = surface_of(&volume, &(struct atlas_params){ 0 }, isovalues[i]);
        struct mesh scaled =
            surface_of(&volume, &(struct atlas_params){ .extremes = true }, isovalues[i]);
        const uint64_t count = plain.vertex_count;
        assert_true(count > 1000);
        assert_int_equal(count, scaled.vertex_count);
        assert_memory_equal(plain.positions, scaled.positions, count * sizeof *plain.positions);
        assert_memory_equal(plain.normals, scaled.normals, count * sizeof *plain.normals);
        mesh_destroy(&plain);
        mesh_destroy(&scaled);
    }
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated_volumes),
        cmocka_unit_test(test_generated_volumes_in_images),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_small_image_limit),
        cmocka_unit_test(test_all_and_none_active),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_far_apart),
        cmocka_unit_test(test_extreme_floats),
        cmocka_unit_test(test_magnitudes_without_scaling),
        cmocka_unit_test(test_without_texel_loads),
        cmocka_unit_test(test_meets_extremes),
        cmocka_unit_test(test_scaling_changes_nothing),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
