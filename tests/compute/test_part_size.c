// ctest: plain twin
// The size of a part follows from each limit of the device: the planned parts are extracted within
// the limit and make the surface of the whole volume. One part fewer would exceed the limit.
#include "tests/device.h"

#include "compute/extraction/part_size.h"

#include <math.h>

static const uint64_t mebi = 1 << 20;

// What a limit leaves of a part.
enum regime { WHOLE, LAYERS, ROWS };

static struct gpu_limits limits;
static VkPhysicalDeviceLimits device_limits;
static bool software;

static int note_limits(void **state)
{
    (void)state;
    limits = gpu.limits;
    device_limits = gpu.properties.limits;
    software = gpu.software;
    return 0;
}

static int restore_limits(void **state)
{
    (void)state;
    gpu.limits = limits;
    gpu.properties.limits = device_limits;
    gpu.software = software;
    gpu.budget.limit = 0;
    return 0;
}

static struct volume ellipsoid(const uint32_t dim[3])
{
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create(dim, VOLUME_UINT8, &volume, &problem));
    uint8_t *sample = volume.samples;
    for (uint32_t i = 0; i < volume_count(&volume); i++) {
        const uint32_t at[3] = { i % dim[0], i / dim[0] % dim[1], i / dim[0] / dim[1] };
        double square = 0; // of the distance from the centre; the faces of the volume are at 1
        for (int axis = 0; axis < 3; axis++) {
            const double half = (dim[axis] - 1) / 2.0;
            square += (at[axis] - half) * (at[axis] - half) / (half * half);
        }
        sample[i] = (uint8_t)(255 * exp(-2 * square));
    }
    return volume;
}

static struct volume ball(void)
{
    return ellipsoid((uint32_t[]){ 64, 48, 90 });
}

// A single layer of it has more bricks than the ball.
static struct volume tall(void)
{
    return ellipsoid((uint32_t[]){ 64, 1500, 5 });
}

static uint32_t parts_of(uint32_t all, uint32_t each)
{
    return (all - 1) / each + 1;
}

// The size of equal parts of `all` if there is one part fewer than with size `each`.
static uint32_t one_part_fewer(uint32_t all, uint32_t each)
{
    const uint32_t parts = parts_of(all, each) - 1;
    return parts_of(all, parts);
}

// Atlas, scratch and surface of a part in the middle of the volume.
static bool make_part(
    const struct parts_params *params, uint32_t layers, uint32_t rows, struct problem *problem)
{
    const uint32_t *dim = params->volume->dim;
    const struct atlas_part cells = {
        .first = layers<dim[2] - 1, .layers = layers, .first_row = rows> 0 && rows < dim[1] - 1,
        .rows = rows,
    };
    const struct atlas_params atlas_params = {
        .storage = params->storage,
        .max_extent = params->max_extent,
        .cells = &cells,
    };
    struct bench bench = { 0 };
    const bool made = atlas_create(&gpu, params->volume, &atlas_params, &bench.atlas, problem) &&
                      extraction_create(&gpu, &bench.atlas, &bench.extraction, problem) &&
                      extraction_prepare(bench.extraction, &bench.surface, params->method, problem);
    bench_close(&bench);
    return made;
}

static uint64_t need(const struct parts_params *params, uint32_t layers, uint32_t rows, bool full)
{
    return part_size(&gpu, params, layers, rows, full, NULL).all;
}

// Within the limits, the parts make the surface of the whole volume, bit for bit. For layers that
// are divided into rows, two layers are enough.
static void compare_surface(const struct parts_params *params, const struct parts_plan *plan)
{
    struct problem problem = { 0 };
    struct volume volume = *params->volume;
    struct parts_params own = *params;
    if (plan->rows > 0) {
        volume.samples =
            (uint8_t *)volume.samples + (size_t)volume.dim[2] / 2 * volume.dim[0] * volume.dim[1];
        volume.dim[2] = 3;
        own.rows = plan->rows;
    }
    own.volume = &volume;
    struct mesh expected;
    struct parts *parts;
    struct joined joined = { 0 };
    struct extract_totals totals;
    const struct query query = { .iso = 90, .method = method_default() };
    REQUIRE(reference_extract(&volume, query.iso, NULL, &expected, &problem));
    assert_true(expected.triangle_count > 500);
    REQUIRE(parts_open(&gpu, &own, &parts, &problem));
    assert_int_equal(parts_planned(parts)->rows, plan->rows);
    REQUIRE(pull(parts, &query, &joined, &totals, &problem));
    parts_close(parts);
    struct mesh_difference difference;
    if (!mesh_compare(&expected, &joined.mesh, NULL, &difference)) {
        fail_msg("%s", difference.text);
    }
    mesh_destroy(&joined.mesh);
    mesh_destroy(&expected);
}

// Plans, and compares with the expectation. One part fewer would be too much. If the volume has
// samples: extracts it, or makes a part of it, and checks that the larger part cannot be made.
static struct parts_plan check(const struct parts_params *params, enum regime regime)
{
    struct problem problem = { 0 };
    struct parts_plan plan;
    const uint32_t all = params->volume->dim[2] - 1, all_rows = params->volume->dim[1] - 1;
    REQUIRE(parts_plan(&gpu, params, &plan, &problem));
    assert_true(plan.bytes <= gpu.budget.limit && plan.least <= plan.bytes);
    assert_true(plan.resident < plan.bytes);
    assert_true(need(params, plan.layers, plan.rows, false) <= plan.bytes);
    assert_true(need(params, 1, 1, true) == plan.least);
    uint32_t layers = plan.layers, rows = plan.rows;
    switch (regime) {
    case WHOLE:
        assert_int_equal(plan.layers, all);
        assert_int_equal(plan.rows, 0);
        assert_int_equal(plan.count, 1);
        return plan;
    case LAYERS:
        assert_true(plan.layers < all && plan.rows == 0);
        assert_int_equal(plan.count, parts_of(all, plan.layers));
        layers = one_part_fewer(all, layers);
        break;
    case ROWS:
        assert_int_equal(plan.layers, 1);
        assert_true(plan.rows > 0 && plan.rows < all_rows);
        assert_int_equal(plan.count, (uint64_t)all * parts_of(all_rows, plan.rows));
        rows = one_part_fewer(all_rows, rows);
        break;
    }
    const uint64_t more = need(params, layers, rows, false);
    assert_true(more > gpu.budget.limit);
    if (params->volume->samples) {
        // Half of the plans of each kind. CUBIST_EVERY_PART=1: all. Of the others a part is made.
        static uint32_t plans;
        const uint32_t turn = plans++;
        if ((turn ^ turn / 2) % 2 == 0 || every_part()) {
            compare_surface(params, &plan);
        } else {
            REQUIRE(make_part(params, plan.layers, plan.rows, &problem));
        }
        if (more >= GPU_TOO_MUCH) {
            assert_false(make_part(params, layers, rows, &problem));
            assert_int_equal(problem.kind, PROBLEM_LIMIT);
        }
    }
    return plan;
}

// Parts are not resident: none is made thinner so that others can stay.
static struct parts_params params_for(const struct volume *volume)
{
    gpu.budget.limit = 1000 * mebi;
    return (struct parts_params){ .volume = volume, .method = method_default(), .residents = 1 };
}

static void assert_refused(const struct parts_params *params, enum problem_kind kind)
{
    struct problem problem = { 0 };
    struct parts_plan plan;
    assert_false(parts_plan(&gpu, params, &plan, &problem));
    assert_int_equal(problem.kind, kind);
}

static void test_no_limit(void **state)
{
    (void)state;
    struct volume volume = ball();
    struct parts_params params = params_for(&volume);
    check(&params, WHOLE);
    params.several = true;
    struct problem problem = { 0 };
    struct parts_plan plan;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.layers, 45);
    assert_int_equal(plan.count, 2);
    params.layers = 7;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.layers, 7);
    assert_int_equal(plan.count, 13);
    volume_destroy(&volume);
}

static void test_memory(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = ball();
    struct parts_params params = params_for(&volume);
    gpu.budget.limit = need(&params, 89, 0, false);
    check(&params, WHOLE);
    gpu.budget.limit--;
    check(&params, LAYERS);
    gpu.budget.limit = need(&params, 1, 0, false);
    struct parts_plan plan = check(&params, LAYERS);
    assert_int_equal(plan.layers, 1);
    gpu.budget.limit--;
    check(&params, ROWS);
    // One row fits with any surface; with less memory nothing is tried.
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    gpu.budget.limit = plan.least;
    check(&params, ROWS);
    gpu.budget.limit--;
    assert_refused(&params, PROBLEM_DEVICE_MEMORY);
    volume_destroy(&volume);
}

// A plan leaves the reserve that it is given, whichever one is in force.
static void test_reserve(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = ball();
    struct parts_params params = params_for(&volume);
    struct parts_plan plan;
    params.reserve = 5 * mebi;
    gpu.budget.limit = need(&params, 89, 0, false) + params.reserve;
    gpu.budget.reserve[PURPOSE_PICTURE] = gpu.budget.limit;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.count, 1);
    gpu.budget.reserve[PURPOSE_PICTURE] = 0;
    gpu.budget.limit--;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.count, 2);
    params.reserve = gpu.budget.limit;
    assert_refused(&params, PROBLEM_DEVICE_MEMORY);
    volume_destroy(&volume);
}

static void test_buffer(void **state)
{
    (void)state;
    struct volume volume = ball();
    struct parts_params params = params_for(&volume);
    gpu.limits.buffer = 100000;
    check(&params, LAYERS);
    // Samples that are too long for a buffer are kept as an image.
    struct atlas atlas;
    struct problem problem = { 0 };
    gpu.software = true;
    REQUIRE(atlas_describe(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
    assert_int_equal(atlas.storage, ATLAS_STORAGE_IMAGE);
    gpu.software = software;
    volume_destroy(&volume);
    volume = tall();
    check(&params, ROWS);
    gpu.limits.buffer = 12000;
    assert_refused(&params, PROBLEM_LIMIT);
    volume_destroy(&volume);
}

static void test_allocation(void **state)
{
    (void)state;
    struct volume volume = ball(), high = tall();
    struct parts_params params = params_for(&volume);
    gpu.limits.allocation = 100000;
    for (int storage = ATLAS_STORAGE_AUTO; storage <= ATLAS_STORAGE_BUFFER; storage++) {
        params.storage = storage;
        params.volume = &volume;
        check(&params, LAYERS);
        params.volume = &high;
        check(&params, ROWS);
    }
    const struct image_params image = { .name = "samples",
                                        .format = VK_FORMAT_R8_UINT,
                                        .width = 256,
                                        .height = 512,
                                        .layers = 1,
                                        .usage = VK_IMAGE_USAGE_SAMPLED_BIT };
    assert_int_equal(image_bytes(&gpu, &image), GPU_TOO_MUCH);
    gpu.limits.allocation = 12000;
    assert_refused(&params, PROBLEM_LIMIT);
    volume_destroy(&high);
    volume_destroy(&volume);
}

// The limit of every buffer that kernels write.
static void test_storage_buffer_range(void **state)
{
    (void)state;
    struct volume volume = ball();
    struct parts_params params = params_for(&volume);
    gpu.properties.limits.maxStorageBufferRange = 100000;
    check(&params, LAYERS);
    volume_destroy(&volume);
    volume = tall();
    check(&params, ROWS);
    gpu.properties.limits.maxStorageBufferRange = 12000;
    assert_refused(&params, PROBLEM_LIMIT);
    volume_destroy(&volume);
}

// The limit for lists that kernels read, and for samples in a buffer.
static void test_texel_buffer(void **state)
{
    (void)state;
    struct volume volume = ball();
    struct parts_params params = params_for(&volume);
    params.storage = ATLAS_STORAGE_IMAGE;
    gpu.properties.limits.maxTexelBufferElements = 8000;
    check(&params, LAYERS);
    struct volume high = tall();
    params.volume = &high;
    check(&params, ROWS);
    params.storage = ATLAS_STORAGE_BUFFER;
    check(&params, ROWS);
    volume_destroy(&high);
    params.volume = &volume;
    // Blocks of 16 bytes. The keys of the ball are read from them one by one, too.
    gpu.properties.limits.maxTexelBufferElements = (64 * 48 * 20 + ATLAS_PADDING) / 16;
    assert_int_equal(check(&params, LAYERS).layers, 15); // 18 slices; 17 layers, made even
    gpu.properties.limits.maxTexelBufferElements = 300;
    assert_refused(&params, PROBLEM_LIMIT);
    volume_destroy(&volume);
}

static void test_image(void **state)
{
    (void)state;
    struct volume volume = ball();
    struct parts_params params = params_for(&volume);
    params.storage = ATLAS_STORAGE_IMAGE;
    gpu.limits.image = 40000;
    check(&params, LAYERS);
    gpu.limits.image = 10000;
    check(&params, ROWS);
    gpu.limits.image = 500;
    assert_refused(&params, PROBLEM_LIMIT);

    gpu.limits = limits;
    gpu.properties.limits.maxImageDimension2D = 128;
    gpu.properties.limits.maxImageArrayLayers = 3;
    // Twelve slices, three of which belong to the neighbours.
    assert_int_equal(check(&params, LAYERS).layers, 9);
    gpu.properties.limits.maxImageDimension2D = 64;
    gpu.properties.limits.maxImageArrayLayers = 2;
    // Two slices of 32 rows, of which three are of the neighbours, in each of two layers.
    assert_int_equal(check(&params, ROWS).rows, 24);
    gpu.properties.limits.maxImageDimension2D = 63;
    assert_refused(&params, PROBLEM_LIMIT);
    volume_destroy(&volume);
}

// Volumes of which there is but the size; parts as thick as the limits allow.
static struct parts_params params_of_large(const struct volume *volume)
{
    struct parts_params params = params_for(volume);
    gpu.budget.limit = (uint64_t)1 << 50;
    gpu.properties.limits.maxStorageBufferRange = UINT32_MAX;
    params.layers = UINT32_MAX;
    return params;
}

static void test_loops(void **state)
{
    (void)state;
    static const char *const names[] = { "redzone-1", "single-pass" };
    const struct traits *const of_device = gpu.traits;
    gpu.traits = &traits_cpu; // which end loops
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct method *method = method_find(names[i]);
        const uint64_t longest = method_longest(method, &traits_cpu);
        const uint64_t cells = method->removes ? longest : longest * BRICK_X;
        const uint32_t side = (uint32_t)sqrt((double)cells / 20);
        const struct volume deep = { .dim = { side, side, 1000 }, .type = VOLUME_UINT8 };
        const struct volume wide = { .dim = { 16000, 20000, 3 }, .type = VOLUME_UINT8 };
        struct parts_params params = params_of_large(&deep);
        params.method = method;
        const struct parts_plan layers = check(&params, LAYERS);
        assert_in_range(layers.layers, 12, 21);
        params.volume = &wide;
        const struct parts_plan rows = check(&params, ROWS);
        assert_true(15999ull * rows.rows <= cells);
        // Nobody else is held to this method's limit.
        struct problem problem = { 0 };
        struct parts_plan plan;
        params.volume = &deep;
        params.method = NULL;
        REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
        assert_true(plan.layers > layers.layers);
        // It is refused where the parts are too large for it.
        for (int k = 0; k < 2; k++) {
            params.method = k ? method : NULL;
            struct parts *parts;
            REQUIRE(parts_open(&gpu, &params, &parts, &problem));
            assert_int_equal(parts_refuse(parts, method) == NULL, k);
            parts_close(parts);
        }
    }
    gpu.traits = of_device;
}

static void test_bricks(void **state)
{
    (void)state;
    const struct volume volume = { .dim = { 2048, 2048, 4096 }, .type = VOLUME_UINT8 };
    const struct parts_params params = params_of_large(&volume);
    const struct parts_plan plan = check(&params, LAYERS);
    const uint64_t bricks = 2048 / BRICK_X * (2048 / BRICK_Y);
    assert_true((plan.layers + 3 + BRICK_Z - 1) / BRICK_Z * bricks <= MAX_BRICKS);
}

// A device that is a CPU works on one of several parts for well under a second. A whole volume that
// fits is not cut for that, nor is a thickness that was asked for.
static void test_patience(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    const struct volume volume = { .dim = { 2048, 2048, 65 }, .type = VOLUME_UINT8 };
    struct parts_params params = params_for(&volume);
    struct parts_plan plan;
    gpu.software = true;
    gpu.properties.limits.maxStorageBufferRange = UINT32_MAX;
    gpu.budget.limit = need(&params, 64, 0, false);
    check(&params, WHOLE);
    gpu.budget.limit--;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.layers, 4);
    params.layers = 40;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.layers, 40);
    params.layers = 0;
    gpu.software = false;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.layers, 32);
}

// Needs of what is larger than any buffer are not what a driver answers, which may wrap.
static void test_needs_do_not_wrap(void **state)
{
    (void)state;
    const uint64_t sizes[] = { gpu.limits.buffer + 1, (uint64_t)1 << 32, ((uint64_t)1 << 32) + 64,
                               (uint64_t)1 << 40, (uint64_t)1 << 60 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct buffer_params params = { .size = sizes[i], .memory = BUFFER_UPLOAD };
        assert_int_equal(buffer_bytes(&gpu, &params), GPU_TOO_MUCH);
    }
    // Sizes are rounded up to 16 bytes.
    const uint64_t limit = gpu.limits.buffer;
    gpu.limits.buffer = 1000;
    const struct buffer_params odd = { .name = "odd", .size = 1000 };
    struct buffer buffer;
    struct problem problem = { 0 };
    assert_int_equal(buffer_bytes(&gpu, &odd), GPU_TOO_MUCH);
    assert_false(buffer_create(&gpu, &odd, &buffer, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    gpu.limits.buffer = limit;
    const uint32_t side = gpu.properties.limits.maxImageDimension2D;
    const struct image_params image = {
        .format = VK_FORMAT_R32_UINT,
        .width = side,
        .height = side,
        .layers = 2048,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    assert_true(image_bytes(&gpu, &image) >= (uint64_t)side * side * 4 * 2048);
    uint64_t before = 0;
    static const uint32_t sides[] = { 100, 1000, 4096, 6200, 10000, 16000, 30000 };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct volume volume = { .dim = { sides[i], sides[i], 2 }, .type = VOLUME_UINT8 };
        const struct parts_params params = params_of_large(&volume);
        const uint64_t bytes = need(&params, 1, 0, true);
        assert_true(bytes > before || bytes == GPU_TOO_MUCH);
        assert_true(bytes > (uint64_t)sides[i] * sides[i] * 24);
        before = bytes;
    }
}

// A layer that would be too much with every cell active is taken as surfaces often are: it is not
// refused, and not cut before it has to be.
static void test_wide_layers(void **state)
{
    (void)state;
    const struct volume wide = { .dim = { 6200, 6200, 2 }, .type = VOLUME_UINT8 };
    struct parts_params params = params_for(&wide);
    gpu.budget.limit = 9000 * mebi;
    check(&params, WHOLE);
    assert_int_equal(need(&params, 1, 0, true), GPU_TOO_MUCH);
    const struct volume noise = { .dim = { 900, 900, 4 }, .type = VOLUME_UINT8 };
    params.volume = &noise;
    gpu.budget.limit = 70 * mebi;
    check(&params, WHOLE);
    assert_true(need(&params, 1, 0, true) > 100 * mebi);
    assert_true(need(&params, 1, 1, true) < 4 * mebi);
}

// A part of a ball; noise above.
static struct volume ball_and_noise(void)
{
    struct volume volume = ball();
    volume.dim[2] = 17;
    uint8_t *sample = volume.samples;
    uint32_t random = 1;
    for (uint32_t i = 64 * 48 * 13; i < volume_count(&volume); i++) {
        random = random * 1664525u + 1013904223u;
        sample[i] = (uint8_t)(random >> 24);
    }
    return volume;
}

static bool count_and_refuse(void *asked)
{
    ++*(uint32_t *)asked;
    return false;
}

// A surface that is too large for a buffer: its part is divided. Nothing is given up for it, as
// that would not help. The other parts stay on the device.
static void test_limits_give_nothing_up(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = ball_and_noise();
    struct mesh expected;
    REQUIRE(reference_extract(&volume, 90, NULL, &expected, &problem));
    static const struct {
        uint32_t layers;
        uint64_t buffer; // bytes of one
        uint32_t texels; // of one texel buffer
        bool keeps;
    } rows[] = {
        { 8, 150000, 1 << 27, false },
        { 8, 1 << 27, 10000, false },
        { 1, 60000, 1 << 27, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parts_params params = params_for(&volume);
        params.layers = rows[i].layers;
        params.residents = 0;
        params.storage = ATLAS_STORAGE_IMAGE;
        gpu.limits.buffer = rows[i].buffer;
        gpu.properties.limits.maxTexelBufferElements = rows[i].texels;
        struct parts *parts;
        REQUIRE(parts_open(&gpu, &params, &parts, &problem));
        assert_int_equal(parts_planned(parts)->layers, rows[i].layers);
        assert_int_equal(parts_planned(parts)->rows, 0);
        uint32_t asked = 0;
        budget_offer(&gpu.budget, GIVE_UP_CALIBRATION, count_and_refuse, &asked);
        const struct query query = { .iso = 90,
                                     .method = method_default(),
                                     .keeps = rows[i].keeps };
        struct extract_totals totals = { 0 };
        REQUIRE(pull(parts, &query, NULL, &totals, &problem));
        assert_true(totals.cut > 0);
        assert_int_equal(totals.triangles, expected.triangle_count);
        REQUIRE(pull(parts, &query, NULL, &totals, &problem));
        assert_int_equal(totals.cut, 0);
        assert_int_equal(totals.triangles, expected.triangle_count);
        assert_int_equal(totals.loaded, 0);
        assert_int_equal(totals.resident + totals.missed, totals.parts);
        assert_int_equal(asked, 0);
        budget_withdraw(&gpu.budget, &asked);
        parts_close(parts);
    }
    mesh_destroy(&expected);
    volume_destroy(&volume);
}

// Memory is short for a surface that is over a limit as well: nothing is given up.
static void test_limits_before_memory(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = ball_and_noise();
    struct bench bench;
    struct extraction_result result;
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    const struct extraction_step step = { .iso = 90,
                                          .method = method_default(),
                                          .target = &bench.surface };
    REQUIRE(extraction_attempt(bench.extraction, &step, &result, &problem));
    assert_false(result.whole);
    uint32_t asked = 0;
    budget_offer(&gpu.budget, GIVE_UP_CALIBRATION, count_and_refuse, &asked);
    gpu.limits.buffer = 500000;
    gpu.budget.limit = gpu.budget.allocated + 1000;
    const struct surface before = bench.surface;
    assert_false(extraction_run(bench.extraction, &step, &result, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    assert_int_equal(asked, 0);
    assert_memory_equal(&before, &bench.surface, sizeof before);
    // Only memory is short.
    gpu.limits = limits;
    REQUIRE(extraction_attempt(bench.extraction, &step, &result, &problem));
    assert_false(extraction_run(bench.extraction, &step, &result, &problem));
    assert_int_equal(problem.kind, PROBLEM_DEVICE_MEMORY);
    assert_int_equal(asked, 1);
    budget_withdraw(&gpu.budget, &asked);
    bench_close(&bench);
    volume_destroy(&volume);
}

// No memory for buffers at all: smaller ones would not help.
static void test_no_memory_type(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct buffer buffer;
    const uint32_t types = gpu.memory.memoryTypeCount;
    gpu.memory.memoryTypeCount = 0;
    assert_false(buffer_create(
        &gpu, &(struct buffer_params){ .name = "odd", .size = 1000 }, &buffer, &problem));
    gpu.memory.memoryTypeCount = types;
    assert_int_equal(problem.kind, PROBLEM_UNSUPPORTED);
}

#define LIMITED(test) cmocka_unit_test_setup_teardown(test, note_limits, restore_limits)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIMITED(test_no_limit),
        LIMITED(test_memory),
        LIMITED(test_reserve),
        LIMITED(test_buffer),
        LIMITED(test_allocation),
        LIMITED(test_storage_buffer_range),
        LIMITED(test_texel_buffer),
        LIMITED(test_image),
        LIMITED(test_loops),
        LIMITED(test_bricks),
        LIMITED(test_patience),
        LIMITED(test_needs_do_not_wrap),
        LIMITED(test_wide_layers),
        LIMITED(test_limits_give_nothing_up),
        LIMITED(test_limits_before_memory),
        LIMITED(test_no_memory_type),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
