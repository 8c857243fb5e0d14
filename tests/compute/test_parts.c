// ctest: plain twin
// Part by part: the mesh equals that of the whole volume bit for bit, memory stays within the
// budget, and no slice is read without need.
#include "tests/device.h"

#include "compute/extraction/part_size.h"

#include <math.h>

static double noise(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ z * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) & 255;
}

static double checkerboard(uint32_t x, uint32_t y, uint32_t z)
{
    return (x + y + z) % 2 ? 200 : 20;
}

static double height(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y;
    return 10 * z;
}

// Smooth and rough, 0 to 255.
static double mixed(uint32_t x, uint32_t y, uint32_t z)
{
    return 100 + 60 * sin(x * 0.4) * cos(y * 0.5) + 50 * sin(z * 0.6) + 45 * noise(x, y, z) / 255;
}

static double with_gaps(uint32_t x, uint32_t y, uint32_t z)
{
    if (noise(x, y, z) < 6) {
        return NAN;
    }
    if (noise(y, z, x) < 4) {
        return noise(z, x, y) < 128 ? INFINITY : -INFINITY;
    }
    return mixed(x, y, z);
}

// Samples that are not finite in the upper half only: parts below have none.
static double with_late_gaps(uint32_t x, uint32_t y, uint32_t z)
{
    return z < 7 ? mixed(x, y, z) : with_gaps(x, y, z);
}

// The same with extreme values, and then with both.
static double with_late_extremes(uint32_t x, uint32_t y, uint32_t z)
{
    const double value = z < 11 ? mixed(x, y, z) : with_gaps(x, y, z);
    const double chance = noise(z, y, x);
    return z < 7 || chance > 9 ? value : chance < 5 ? value * 1e30 : value * 1e-38;
}

static struct volume
make(const uint32_t dim[3], enum volume_type type, double (*value)(uint32_t, uint32_t, uint32_t))
{
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_create(dim, type, &volume, &problem));
    for (uint32_t z = 0, i = 0; z < dim[2]; z++) {
        for (uint32_t y = 0; y < dim[1]; y++) {
            for (uint32_t x = 0; x < dim[0]; x++, i++) {
                const double v = value(x, y, z);
                if (type == VOLUME_FLOAT32) {
                    ((float *)volume.samples)[i] = (float)v;
                } else if (type == VOLUME_UINT16) {
                    ((uint16_t *)volume.samples)[i] = (uint16_t)(v * 250);
                } else {
                    ((uint8_t *)volume.samples)[i] = (uint8_t)v;
                }
            }
        }
    }
    return volume;
}

// A file in memory: it gives slices, counts them, and can fail or be interrupted.
struct file {
    const struct volume *volume;
    uint64_t slices;
    uint32_t fails_at;      // slice; 0: never
    uint32_t interrupts_at; // slice; 0: never
};

static bool
read_file(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    struct file *file = user;
    const struct volume *volume = file->volume;
    const uint64_t size =
        (uint64_t)volume->dim[0] * volume->dim[1] * volume_type_size(volume->type);
    assert_true(count > 0 && z + count <= volume->dim[2]);
    if (file->fails_at && z <= file->fails_at && file->fails_at < z + count) {
        return problem_set(problem, PROBLEM_INPUT, "the file ends in slice %u", file->fails_at);
    }
    if (file->interrupts_at && z <= file->interrupts_at && file->interrupts_at < z + count) {
        interrupted = 1;
    }
    memcpy(samples, (const char *)volume->samples + z * size, count * size);
    file->slices += count;
    return true;
}

// The mesh of the whole volume at once, compared with the reference.
static struct mesh in_memory(const struct volume *volume, double iso, enum atlas_storage storage)
{
    struct problem problem = { 0 };
    struct bench bench;
    struct mesh mesh, expected;
    struct extraction_result result;
    bench_open(&bench, volume, &(struct atlas_params){ .storage = storage });
    const struct extraction_step step = { .iso = iso,
                                          .method = method_default(),
                                          .target = &bench.surface };
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    REQUIRE(extraction_download(bench.extraction, &bench.surface, &result, &mesh, &problem));
    bench_close(&bench);
    REQUIRE(reference_extract(volume, iso, NULL, &expected, &problem));
    struct mesh_difference difference;
    if (!mesh_compare(&expected, &mesh, NULL, &difference)) {
        fail_msg("in memory: %s", difference.text);
    }
    mesh_destroy(&expected);
    return mesh;
}

// Not only the same surface, but the same arrays.
static void assert_same(const struct mesh *expected, const struct mesh *found)
{
    const uint64_t vertices = expected->vertex_count, triangles = expected->triangle_count;
    assert_int_equal(found->vertex_count, vertices);
    assert_int_equal(found->triangle_count, triangles);
    if (triangles) {
        assert_memory_equal(found->edges, expected->edges, vertices * 8);
        assert_memory_equal(found->positions, expected->positions, vertices * 12);
        assert_memory_equal(found->normals, expected->normals, vertices * 12);
        assert_memory_equal(found->triangles, expected->triangles, triangles * 12);
    }
}

static struct extract_totals run_and_compare(
    struct parts *parts, const struct method *method, double iso, const struct mesh *expected)
{
    struct problem problem = { 0 };
    struct extract_totals result = { 0 };
    struct joined joined = { 0 };
    const struct query query = { .iso = iso, .method = method };
    REQUIRE(pull(parts, &query, &joined, &result, &problem));
    assert_same(expected, &joined.mesh);
    assert_int_equal(result.vertices, expected->vertex_count);
    assert_int_equal(result.triangles, expected->triangle_count);
    assert_true(joined.parts <= result.loaded + result.resident);
    mesh_destroy(&joined.mesh);
    return result;
}

// Without meshes the vertices that parts share are counted once, too.
static void count_and_compare(struct parts *parts, double iso, const struct mesh *expected)
{
    struct problem problem = { 0 };
    struct extract_totals totals;
    const struct query query = { .iso = iso, .method = method_default(), .counts = true };
    REQUIRE(pull(parts, &query, NULL, &totals, &problem));
    assert_int_equal(totals.vertices, expected->vertex_count);
    assert_int_equal(totals.triangles, expected->triangle_count);
}

static void
cut_and_compare(const struct parts_params *params, double iso, const struct mesh *expected)
{
    struct problem problem = { 0 };
    struct parts *parts;
    REQUIRE(parts_open(&gpu, params, &parts, &problem));
    const struct parts_plan *plan = parts_planned(parts);
    const uint32_t layers = params->volume->dim[2] - 1;
    assert_int_equal(plan->layers, params->layers < layers ? params->layers : layers);
    const struct extract_totals result = run_and_compare(parts, method_default(), iso, expected);
    assert_int_equal(result.parts, (layers + plan->layers - 1) / plan->layers);
    assert_int_equal(result.loaded, result.parts);
    if (params->layers == 4) {
        count_and_compare(parts, iso, expected);
    }
    parts_close(parts);
}

// A border between parts at every offset, with and without samples that are not finite next to it.
static void test_every_thickness(void **state)
{
    (void)state;
    struct volume volume = make((uint32_t[]){ 35, 9, 12 }, VOLUME_FLOAT32, with_gaps);
    struct mesh expected = in_memory(&volume, 120, ATLAS_STORAGE_AUTO);
    struct file file = { .volume = &volume };
    const struct atlas_source source = { read_file, &file };
    // Parts of one layer have a border at every offset already. CUBIST_EVERY_PART=1: all sizes.
    const uint32_t every = every_part() ? 1 : 8;
    for (uint32_t layers = 1; layers < volume.dim[2]; layers += every) {
        file.slices = 0;
        const struct parts_params params = { .volume = &volume,
                                             .source = &source,
                                             .layers = layers };
        cut_and_compare(&params, 120, &expected);
        assert_int_equal(file.slices, volume.dim[2]); // each once
    }
    mesh_destroy(&expected);
    volume_destroy(&volume);
}

static void test_types_and_storages(void **state)
{
    (void)state;
    static const struct {
        enum volume_type type;
        double (*value)(uint32_t, uint32_t, uint32_t);
        double iso;
    } rows[] = {
        { VOLUME_UINT8, mixed, 119.5 },
        { VOLUME_UINT16, noise, 30000 },
        { VOLUME_FLOAT32, with_late_gaps, 120 },
        { VOLUME_FLOAT32, with_late_extremes, 120 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct volume volume = make((uint32_t[]){ 33, 10, 15 }, rows[i].type, rows[i].value);
        for (int storage = ATLAS_STORAGE_IMAGE; storage <= ATLAS_STORAGE_BUFFER; storage++) {
            if ((i + storage) % 2 && !every_part()) {
                continue;
            }
            struct mesh expected = in_memory(&volume, rows[i].iso, storage);
            struct file file = { .volume = &volume };
            const struct atlas_source source = { read_file, &file };
            const bool every = every_part();
            const uint32_t first = every || i / 2 ? 1 : 4, most = every ? 7 : first;
            for (uint32_t layers = first; layers <= most; layers += 3) {
                const struct parts_params params = {
                    .volume = &volume,
                    .source = layers > 1 ? &source : NULL,
                    .layers = layers,
                    .storage = storage,
                    .max_extent = layers == 4 ? 70 : 0, // several columns, rows and layers
                };
                cut_and_compare(&params, rows[i].iso, &expected);
            }
            mesh_destroy(&expected);
        }
        volume_destroy(&volume);
    }
}

// Every layer divided along y, at some rows or at every one, with and without samples that are not
// finite: the same arrays.
static void test_rows_of_layers(void **state)
{
    (void)state;
    static const struct {
        enum volume_type type;
        double (*value)(uint32_t, uint32_t, uint32_t);
        double iso;
    } kinds[] = {
        { VOLUME_UINT8, noise, 128 },
        { VOLUME_UINT8, checkerboard, 100 },
        { VOLUME_FLOAT32, with_gaps, 120 },
    };
    struct problem problem = { 0 };
    // Rows of each size with one kind of volume. CUBIST_EVERY_PART=1: with all of them, and more
    // layers.
    static const uint32_t sizes[] = { 8, 1, 3 };
    const uint32_t layers = every_part() ? 5 : 3;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct volume volume =
            make((uint32_t[]){ 35, 12, layers + 1 }, kinds[i].type, kinds[i].value);
        struct mesh expected = in_memory(&volume, kinds[i].iso, ATLAS_STORAGE_AUTO);
        struct file file = { .volume = &volume };
        const struct atlas_source source = { read_file, &file };
        const bool every = every_part();
        const uint32_t most = every ? volume.dim[1] - 2 : sizes[i];
        for (uint32_t rows = every ? 1 : sizes[i]; rows <= most; rows++) {
            const struct parts_params params = {
                .volume = &volume,
                .source = rows % 2 ? &source : NULL,
                .rows = rows,
                .storage = rows % 3 ? ATLAS_STORAGE_AUTO : ATLAS_STORAGE_IMAGE,
            };
            struct parts *parts;
            file.slices = 0;
            REQUIRE(parts_open(&gpu, &params, &parts, &problem));
            assert_int_equal(parts_planned(parts)->rows, rows);
            const struct extract_totals totals =
                run_and_compare(parts, method_default(), kinds[i].iso, &expected);
            assert_int_equal(totals.parts, layers * ((11 + rows - 1) / rows));
            assert_true(rows % 2 == 0 || file.slices == volume.dim[2]); // each once
            if (rows == 3) {
                count_and_compare(parts, kinds[i].iso, &expected);
            }
            parts_close(parts);
        }
        mesh_destroy(&expected);
        volume_destroy(&volume);
    }
}

// Adds the mesh of a share, whose triangles name its vertices from 0 on.
static void add_share(struct mesh *whole, const struct mesh *mesh)
{
    const uint64_t base = whole->vertex_count, faces = whole->triangle_count;
    whole->vertex_count += mesh->vertex_count;
    whole->triangle_count += mesh->triangle_count;
    whole->positions = grown(whole->positions, whole->vertex_count, 12);
    whole->normals = grown(whole->normals, whole->vertex_count, 12);
    whole->edges = grown(whole->edges, whole->vertex_count, 8);
    whole->triangles = grown(whole->triangles, whole->triangle_count, 12);
    memcpy(whole->positions + base, mesh->positions, mesh->vertex_count * 12);
    memcpy(whole->normals + base, mesh->normals, mesh->vertex_count * 12);
    memcpy(whole->edges + base, mesh->edges, mesh->vertex_count * 8);
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        for (int c = 0; c < 3; c++) {
            whole->triangles[faces + i][c] = (uint32_t)base + mesh->triangles[i][c];
        }
    }
}

// Shares of the volume, each extracted by itself: empty, one layer, in parts of two layers, in
// rows. Joined, they are the same arrays.
static void test_shares_of_layers(void **state)
{
    (void)state;
    static const uint32_t cuts[] = { 0, 0, 1, 7, 7, 11 };
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 35, 9, 12 }, VOLUME_FLOAT32, with_late_extremes);
    struct mesh expected = in_memory(&volume, 120, ATLAS_STORAGE_AUTO), whole = { 0 };
    struct file file = { .volume = &volume };
    const struct atlas_source source = { read_file, &file };
    const struct query query = { .iso = 120, .method = method_default() };
    for (size_t k = 0; k + 1 < sizeof cuts / sizeof *cuts; k++) {
        const struct parts_params params = {
            .volume = &volume,
            .source = &source,
            .some = true,
            .from = cuts[k],
            .to = cuts[k + 1],
            .layers = k == 2 ? 2 : 0,
            .rows = k == 4 ? 5 : 0,
        };
        struct joined joined = { .next = params.from };
        struct extract_totals totals = { 0 };
        struct parts *parts;
        file.slices = 0;
        REQUIRE(parts_open(&gpu, &params, &parts, &problem));
        REQUIRE(pull(parts, &query, &joined, &totals, &problem));
        assert_null(parts_whole(parts));
        const uint32_t planned = parts_planned(parts)->count + parts_planned(parts)->layers;
        parts_close(parts);
        assert_true(joined.next <= params.to);
        const bool empty = params.from == params.to;
        assert_true(
            empty == (planned == 0) && empty == (totals.parts == 0) &&
            empty == (joined.parts == 0));
        // Each slice once, and one on either side.
        const uint64_t slices =
            params.to - params.from + 1 + (params.from > 0) + (params.to < volume.dim[2] - 1);
        assert_int_equal(file.slices, empty ? 0 : slices);
        add_share(&whole, &joined.mesh);
        mesh_destroy(&joined.mesh);
    }
    assert_same(&expected, &whole);
    mesh_destroy(&whole);
    mesh_destroy(&expected);
    volume_destroy(&volume);
}

// What one layer takes with all of its cells active.
static uint64_t dense_layer(const struct parts_params *params)
{
    return part_size(&gpu, params, 1, 0, true, NULL).all;
}

// One row of cells that are all active takes no more memory than stated; a smaller budget is
// refused.
static void test_smallest_budget(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 40, 16, 5 }, VOLUME_UINT8, checkerboard);
    struct mesh expected = in_memory(&volume, 100, ATLAS_STORAGE_AUTO);
    const char *names[] = { "ink-collate", "histopyramid", "redzone-2", "auto" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct method *method = method_find(names[i]);
        assert_non_null(method);
        struct parts_params params = { .volume = &volume, .method = method };
        struct parts_plan plan;
        gpu.budget.limit = 0;
        REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
        assert_int_equal(plan.count, 1);
        gpu.budget.limit = plan.least - 1;
        assert_false(parts_plan(&gpu, &params, &plan, &problem));
        assert_int_equal(problem.kind, PROBLEM_DEVICE_MEMORY);
        assert_non_null(strstr(problem.text, "needs"));
        assert_non_null(strstr(problem.text, "the budget is"));

        gpu.budget.limit++;
        struct parts *parts;
        REQUIRE(parts_open(&gpu, &params, &parts, &problem));
        assert_int_equal(parts_planned(parts)->least, gpu.budget.limit);
        gpu.budget.peak = gpu.budget.allocated;
        run_and_compare(parts, method, 100, &expected);
        assert_true(gpu.budget.peak <= gpu.budget.limit);
        assert_true(gpu.budget.peak > gpu.budget.limit / 10 * 9 || method->selects);
        parts_close(parts);
        assert_int_equal(gpu.budget.allocated, 0);
    }
    mesh_destroy(&expected);
    volume_destroy(&volume);
    gpu.budget.limit = 0;
}

// A surface denser than the plan expected: parts are divided until they fit.
static void test_dense_parts_are_cut(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    const uint32_t layers = every_part() ? 23 : 11;
    struct volume volume = make((uint32_t[]){ 64, 64, layers + 1 }, VOLUME_UINT8, noise);
    struct mesh expected = in_memory(&volume, 128, ATLAS_STORAGE_AUTO);
    struct parts_params params = { .volume = &volume, .method = method_default() };
    const uint64_t layer = dense_layer(&params), budgets[] = { layer * 5 / 2, layer * 2 / 3 };
    params.residents = 1;
    // Into rows. CUBIST_EVERY_PART=1: into fewer layers, too.
    for (int i = every_part() ? 0 : 1; i < 2; i++) {
        struct parts *parts;
        gpu.budget.limit = budgets[i];
        REQUIRE(parts_open(&gpu, &params, &parts, &problem));
        assert_int_equal(parts_planned(parts)->rows, 0);
        gpu.budget.peak = gpu.budget.allocated;
        struct extract_totals result = run_and_compare(parts, params.method, 128, &expected);
        assert_true(result.cut > 0);
        assert_true(result.parts > layers || i == 0);
        assert_true(gpu.budget.peak <= gpu.budget.limit);
        const uint32_t parts_now = result.parts;
        result = run_and_compare(parts, params.method, 128, &expected);
        assert_int_equal(result.cut, 0);
        assert_int_equal(result.parts, parts_now);
        parts_close(parts);
    }
    mesh_destroy(&expected);
    volume_destroy(&volume);
    gpu.budget.limit = 0;
}

// A rope along z.
static double rope(uint32_t x, uint32_t y, uint32_t z)
{
    return 9 * hypot(x - 16 - sin(z * 0.1), y - 15.0);
}

// Extractions from the bottom to the top, with enough memory for k of n parts: resident parts are
// not read again. As much is reused as possible: n - 1 extractions reuse n (k - 1) parts.
static void sweep(
    const struct parts_params *params, struct file *file, uint32_t k, const struct mesh expected[2])
{
    struct problem problem = { 0 };
    struct parts *parts;
    REQUIRE(parts_open(&gpu, params, &parts, &problem));
    const uint32_t n = parts_planned(parts)->count;
    gpu.budget.peak = file->slices = 0;
    struct extract_totals result = run_and_compare(parts, method_default(), 60, &expected[0]);
    assert_int_equal(result.loaded, n);
    assert_int_equal(result.held, k);
    assert_int_equal(file->slices, params->volume->dim[2]);
    uint32_t found = 0;
    for (uint32_t i = 1; i < n; i++) {
        result = run_and_compare(parts, method_default(), 60 + 10 * (i % 2), &expected[i % 2]);
        assert_int_equal(result.resident + result.loaded, n);
        assert_int_equal(result.cut, 0);
        assert_true((result.bytes_read == 0) == (k == n));
        found += result.resident;
    }
    assert_int_equal(found, n * (k - 1));
    assert_true(gpu.budget.peak <= gpu.budget.limit);
    parts_close(parts);
    assert_int_equal(gpu.budget.allocated, 0);
}

// Budgets for three parts on the device, and for all five. CUBIST_EVERY_PART=1: also for one, two
// and four.
static void test_parts_stay(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 40, 30, 321 }, VOLUME_UINT8, rope);
    struct mesh expected[] = { in_memory(&volume, 60, ATLAS_STORAGE_AUTO),
                               in_memory(&volume, 70, ATLAS_STORAGE_AUTO) };
    struct file file = { .volume = &volume };
    const struct atlas_source source = { read_file, &file };
    struct parts_params params = {
        .volume = &volume, .source = &source, .layers = 64, .method = method_default()
    };
    struct parts_plan plan;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    assert_int_equal(plan.count, 5);
    uint32_t seen = 0;
    gpu.budget.limit = plan.bytes;
    while (seen < plan.count) {
        struct parts *parts;
        struct extract_totals result = { 0 };
        const struct query step = { .iso = 60, .method = method_default() };
        REQUIRE(parts_open(&gpu, &params, &parts, &problem));
        REQUIRE(pull(parts, &step, NULL, &result, &problem));
        parts_close(parts);
        assert_true(result.held == seen || result.held == seen + 1);
        if (result.held > seen) {
            seen = result.held;
            gpu.budget.limit += plan.resident / 8; // some KiB to spare, for kernels of each shape
            if (seen == 3 || seen == plan.count || every_part()) {
                sweep(&params, &file, seen, expected);
            }
            gpu.budget.limit -= plan.resident / 8;
        }
        gpu.budget.limit += plan.resident / 4;
    }
    mesh_destroy(&expected[0]);
    mesh_destroy(&expected[1]);
    volume_destroy(&volume);
    gpu.budget.limit = 0;
}

// A surface that grows takes the memory of resident parts; later they are read again. Uses about
// the smallest budget for which no part has to be divided.
static void test_surfaces_before_parts(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume =
        make((uint32_t[]){ 64, 64, every_part() ? 33 : 17 }, VOLUME_FLOAT32, noise);
    struct mesh dense = in_memory(&volume, 128, ATLAS_STORAGE_AUTO);
    struct mesh sparse = in_memory(&volume, 255, ATLAS_STORAGE_AUTO);
    struct parts_params params = { .volume = &volume, .layers = 2, .method = method_default() };
    struct parts_plan plan;
    REQUIRE(parts_plan(&gpu, &params, &plan, &problem));
    struct extract_totals result = { 0 };
    gpu.budget.limit = dense_layer(&params);
    do {
        struct parts *parts;
        gpu.budget.limit += 3 * plan.resident;
        REQUIRE(parts_open(&gpu, &params, &parts, &problem));
        result = run_and_compare(parts, method_default(), 128, &dense);
        parts_close(parts);
    } while (result.cut > 0);
    struct parts *parts;
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    gpu.budget.peak = 0;
    result = run_and_compare(parts, method_default(), 255, &sparse);
    const uint32_t held = result.held;
    result = run_and_compare(parts, method_default(), 128, &dense);
    assert_true(result.held < held);
    assert_int_equal(result.cut, 0);
    run_and_compare(parts, method_default(), 255, &sparse);
    assert_true(gpu.budget.peak <= gpu.budget.limit);
    parts_close(parts);
    mesh_destroy(&dense);
    mesh_destroy(&sparse);
    volume_destroy(&volume);
    gpu.budget.limit = 0;
}

// Parts that the isovalue misses are given up first, in whatever order parts are extracted.
static void test_missed_parts_make_room(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 20, 9, 25 }, VOLUME_UINT8, height);
    struct parts_params params = { .volume = &volume, .layers = 4, .residents = 3 };
    struct parts *parts;
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    struct query step = { .iso = 55, .method = method_default(), .every_brick = true };
    struct extract_totals result = { 0 };
    REQUIRE(pull(parts, &step, NULL, &result, &problem));
    assert_int_equal(result.loaded, 6);
    assert_int_equal(result.missed, 0);
    assert_int_equal(result.held, 3);
    step.every_brick = false;
    const double isos[] = { 55, 95, 135, 55, 95, 135 }; // the second part, the third, the fourth
    for (int i = 0; i < 6; i++) {
        step.iso = isos[i];
        REQUIRE(pull(parts, &step, NULL, &result, &problem));
        assert_int_equal(result.missed, 5);
        assert_true(i < 3 || result.resident == 1);
    }
    parts_close(parts);
    volume_destroy(&volume);
}

// Parts that the isovalue misses are not read again, nor are those that are resident.
static void test_missed_parts_are_not_read(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 20, 9, 21 }, VOLUME_UINT8, height);
    struct file file = { .volume = &volume };
    const struct atlas_source source = { read_file, &file };
    const struct parts_params params = {
        .volume = &volume, .source = &source, .layers = 5, .residents = 1
    };
    struct parts *parts;
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    struct mesh low = in_memory(&volume, 25, ATLAS_STORAGE_AUTO);
    struct mesh high = in_memory(&volume, 175, ATLAS_STORAGE_AUTO);
    struct mesh none = { 0 };

    struct extract_totals result = run_and_compare(parts, method_default(), 175, &high);
    assert_int_equal(file.slices, 21);
    assert_int_equal(result.bytes_read, 21 * 20 * 9);
    assert_int_equal(result.loaded, 4);
    result = run_and_compare(parts, method_default(), 175, &high);
    assert_int_equal(file.slices, 21);
    assert_int_equal(result.resident, 1);
    assert_int_equal(result.missed, 3);
    result = run_and_compare(parts, method_default(), 25, &low);
    assert_int_equal(file.slices, 21 + 7); // its own six, and one for the gradients
    assert_int_equal(result.missed, 3);
    result = run_and_compare(parts, method_default(), 500, &none);
    assert_int_equal(result.missed, 4);
    assert_int_equal(file.slices, 21 + 7);
    mesh_destroy(&low);
    mesh_destroy(&high);
    parts_close(parts);
    volume_destroy(&volume);
}

// A run that ends early gives the reason, and the next run is complete.
static void test_interrupted(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 20, 9, 17 }, VOLUME_UINT8, mixed);
    struct file file = { .volume = &volume, .interrupts_at = 9 };
    const struct atlas_source source = { read_file, &file };
    const struct parts_params params = { .volume = &volume, .source = &source, .layers = 4 };
    struct mesh expected = in_memory(&volume, 120, ATLAS_STORAGE_AUTO);
    struct parts *parts;
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    const struct query step = { .iso = 120, .method = method_default() };
    struct extract_totals result = { 0 };
    assert_false(pull(parts, &step, NULL, &result, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    assert_int_equal(file.slices, 10);
    interrupted = 0;
    file.interrupts_at = 0;

    file.fails_at = 13;
    assert_false(pull(parts, &step, NULL, &result, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_string_equal(problem.text, "the file ends in slice 13");
    assert_int_equal(gpu.budget.allocated, 0); // after a failure nothing stays
    file.fails_at = 0;

    // Ended in the middle: while a part is being loaded, and after one was handed out.
    struct extract *extract = extract_begin(parts, &step, &problem);
    struct part part;
    assert_non_null(extract);
    assert_int_equal(extract_next(extract, 1e-9, &part, &problem), NEXT_NOT_YET);
    extract_end(extract);
    extract = extract_begin(parts, &step, &problem);
    assert_int_equal(extract_next(extract, 0, &part, &problem), NEXT_PART);
    assert_int_equal(extract_totals(extract)->triangles, 0); // not yet counted
    extract_end(extract);

    // In the smallest steps.
    struct joined joined = { 0 };
    REQUIRE(pull_slowly(parts, &step, 1e-9, &joined, &result, &problem));
    assert_same(&expected, &joined.mesh);
    mesh_destroy(&joined.mesh);
    run_and_compare(parts, method_default(), 120, &expected);
    parts_close(parts);
    mesh_destroy(&expected);
    volume_destroy(&volume);
}

// Every method in turn and many isovalues: device memory does not grow.
static void test_memory_stays_flat(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 33, 9, 11 }, VOLUME_UINT8, mixed);
    struct parts_params params = { .volume = &volume, .layers = 5 };
    struct parts *parts;
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    struct extract_totals result = { 0 };
    uint64_t most = 0;
    const uint32_t half = every_part() ? 30 : 12;
    for (uint32_t i = 0; i < 2 * half; i++) {
        const struct method *method = i < half && i % 3 == 0 ? next_method() : method_default();
        const double iso = noise(i % half, 1, 2);
        struct mesh mesh;
        REQUIRE(reference_extract(&volume, iso, NULL, &mesh, &problem));
        const struct query step = { .iso = iso, .method = method };
        REQUIRE(pull(parts, &step, NULL, &result, &problem));
        assert_int_equal(result.triangles, mesh.triangle_count);
        mesh_destroy(&mesh);
        most = i < half && gpu.budget.allocated > most ? gpu.budget.allocated : most;
        assert_true(gpu.budget.allocated <= most);
    }
    // A surface that the caller takes belongs to the caller.
    struct surface taken = { 0 };
    const struct query query = { .iso = 120, .method = method_default() };
    struct extract *extract = extract_begin(parts, &query, &problem);
    struct part part;
    assert_non_null(extract);
    while (extract_next(extract, 0, &part, &problem) == NEXT_PART) {
        assert_true(part.result->whole && part.bricks > 0);
        surface_destroy(&gpu, &taken);
        taken = *part.surface;
        *part.surface = (struct surface){ 0 };
    }
    extract_end(extract);
    parts_close(parts);
    assert_true(taken.vertices.size > 0);
    assert_true(gpu.budget.allocated > 0);
    surface_destroy(&gpu, &taken);
    assert_int_equal(gpu.budget.allocated, 0);
    volume_destroy(&volume);
}

// Sizes and edges that need more than 32 bits: planned sizes, and counted edges.
static void test_plans_of_large_volumes(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    const uint64_t mib = 1 << 20;
    const struct volume large = { .dim = { 4000, 3000, 60000 }, .type = VOLUME_UINT16 };
    struct parts_plan plan;
    gpu.budget.limit = 4096 * mib;
    REQUIRE(parts_plan(&gpu, &(struct parts_params){ .volume = &large }, &plan, &problem));
    assert_true((uint64_t)plan.layers * plan.count >= 59999);
    assert_true(plan.bytes <= 4096 * mib && plan.least <= plan.bytes);
    gpu.budget.limit = 64 * mib;
    REQUIRE(parts_plan(&gpu, &(struct parts_params){ .volume = &large }, &plan, &problem));
    assert_true(plan.rows > 0 && plan.layers == 1 && plan.bytes <= 64 * mib);
    assert_true((uint64_t)plan.rows * plan.count >= 59999ull * 2999);
    gpu.budget.limit = mib;
    assert_false(parts_plan(&gpu, &(struct parts_params){ .volume = &large }, &plan, &problem));

    gpu.budget.limit = 512 * mib;
    const struct volume cube = { .dim = { 1024, 1024, 1024 }, .type = VOLUME_UINT8 };
    REQUIRE(parts_plan(
        &gpu, &(struct parts_params){ .volume = &cube, .residents = 1, .layers = 1023 }, &plan,
        &problem));
    assert_true(plan.layers >= 50);
    assert_true(plan.bytes <= 512 * mib);
    // If parts shall stay resident, they are thinner: most of the budget is for them.
    REQUIRE(parts_plan(&gpu, &(struct parts_params){ .volume = &cube }, &plan, &problem));
    assert_true(plan.layers >= 10);
    assert_true(plan.bytes <= 512 * mib && plan.resident < 32 * mib);
    gpu.budget.limit = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_thickness),
        cmocka_unit_test(test_types_and_storages),
        cmocka_unit_test(test_rows_of_layers),
        cmocka_unit_test(test_shares_of_layers),
        cmocka_unit_test(test_smallest_budget),
        cmocka_unit_test(test_dense_parts_are_cut),
        cmocka_unit_test(test_parts_stay),
        cmocka_unit_test(test_surfaces_before_parts),
        cmocka_unit_test(test_missed_parts_make_room),
        cmocka_unit_test(test_missed_parts_are_not_read),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_memory_stays_flat),
        cmocka_unit_test(test_plans_of_large_volumes),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
