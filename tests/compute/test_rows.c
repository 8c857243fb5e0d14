// ctest: plain twin
// A part that is divided along y: the vertices and triangles of its pieces join to the part's mesh,
// bit for bit.
#include "tests/device.h"

#include <math.h>

static double noise(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ z * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) & 255;
}

static double mixed(uint32_t x, uint32_t y, uint32_t z)
{
    return 100 + 60 * sin(x * 0.4) * cos(y * 0.5) + 50 * sin(z * 0.6) + 45 * noise(x, y, z) / 255;
}

// Samples that are not finite in the upper rows only; then extreme values, too. Pieces below have
// none.
static double with_late_gaps(uint32_t x, uint32_t y, uint32_t z)
{
    const double chance = noise(y, z, x);
    if (y < 5 || chance > 14) {
        return mixed(x, y, z);
    }
    if (y > 9 && chance > 8) {
        return mixed(x, y, z) * (chance > 11 ? 1e30 : 1e-38);
    }
    return chance < 5 ? NAN : chance < 7 ? INFINITY : -INFINITY;
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
                } else if (type == VOLUME_INT16) {
                    ((int16_t *)volume.samples)[i] = (int16_t)(v * 120 - 15000);
                } else {
                    ((uint8_t *)volume.samples)[i] = (uint8_t)v;
                }
            }
        }
    }
    return volume;
}

// The source gives whole slices in any case.
static bool
read_slices(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    (void)problem;
    const struct volume *volume = user;
    const uint64_t size =
        (uint64_t)volume->dim[0] * volume->dim[1] * volume_type_size(volume->type);
    assert_true(z + count <= volume->dim[2]);
    memcpy(samples, (const char *)volume->samples + z * size, count * size);
    return true;
}

// An atlas and an extraction that are reused from part to part.
struct works {
    const struct volume *volume;
    struct atlas_params params;
    struct atlas atlas;
    struct extraction *extraction;
    struct surface surface;
    uint32_t reloads; // parts that another one's atlas has held
};

static void works_close(struct works *works)
{
    surface_destroy(&gpu, &works->surface);
    extraction_destroy(works->extraction);
    atlas_destroy(&gpu, &works->atlas);
    works->extraction = NULL;
}

static void load(struct works *works, const struct atlas_part *cells)
{
    struct problem problem = { 0 };
    works->params.cells = cells;
    if (works->extraction && atlas_holds(&works->atlas, works->volume, cells)) {
        REQUIRE(atlas_load(&gpu, works->volume, &works->params, &works->atlas, &problem));
        works->reloads++;
    } else {
        works_close(works);
        REQUIRE(atlas_create(&gpu, works->volume, &works->params, &works->atlas, &problem));
    }
    if (works->extraction && !extraction_fits(works->extraction, &works->atlas)) {
        extraction_destroy(works->extraction); // the first sample that is not finite
        works->extraction = NULL;
    }
    if (works->extraction) {
        extraction_turn(works->extraction, &works->atlas);
    } else {
        REQUIRE(extraction_create(&gpu, &works->atlas, &works->extraction, &problem));
    }
}

static void extract(struct works *works, double iso, struct mesh *mesh, struct cell_list *cells)
{
    struct problem problem = { 0 };
    struct extraction_result result;
    const struct extraction_step step = { .iso = iso,
                                          .method = method_default(),
                                          .target = &works->surface };
    REQUIRE(extraction_run(works->extraction, &step, &result, &problem));
    REQUIRE(extraction_cells(works->extraction, &result, cells, &problem));
    REQUIRE(extraction_download(works->extraction, &works->surface, &result, mesh, &problem));
    uint64_t most[LISTS];
    extraction_most(&works->atlas, most);
    assert_true(result.vertices <= most[LIST_VERTICES]);
    assert_true(result.active_cells <= most[LIST_CELLS]);
    assert_true(result.triangles <= most[LIST_TRIANGLES]);
}

// The row that an edge starts in.
static uint32_t row_of(const struct volume *volume, uint64_t edge)
{
    return (uint32_t)(edge / 3 / volume->dim[0] % volume->dim[1]);
}

// What the pieces own, joined.
struct sum {
    struct mesh mesh;
    struct cell_list cells;
    uint64_t *shared; // edges of the last piece that start in its last row
    uint64_t shared_count;
};

static void add_cells(struct sum *sum, const struct cell_list *cells)
{
    for (uint64_t i = 0; i < cells->count; i++) {
        sum->cells.cells[sum->cells.count++] = cells->cells[i];
    }
}

// The vertices of the piece's own rows; if the piece is the last one, all its vertices. Vertices in
// the row that it shares with the previous piece were numbered there.
static void add_mesh(
    struct sum *sum, const struct volume *volume, const struct mesh *mesh,
    const struct atlas_part *cells)
{
    const uint32_t end = cells->first_row + cells->rows;
    const bool last = end == volume->dim[1] - 1;
    uint64_t met = 0, left = 0;
    for (uint64_t i = 0; i < mesh->vertex_count; i++) {
        const uint64_t edge = mesh->edges[i];
        const uint32_t row = row_of(volume, edge);
        assert_true(row >= cells->first_row && row <= end);
        if (cells->first_row > 0 && row == cells->first_row) {
            assert_true(met < sum->shared_count && sum->shared[met] == edge);
            met++;
        }
    }
    assert_int_equal(met, sum->shared_count);
    for (uint64_t i = 0; i < mesh->vertex_count; i++) {
        const uint64_t edge = mesh->edges[i];
        if (row_of(volume, edge) == end) {
            sum->shared[left++] = edge;
            if (!last) {
                continue;
            }
        }
        const uint64_t to = sum->mesh.vertex_count++;
        sum->mesh.edges[to] = edge;
        memcpy(sum->mesh.positions[to], mesh->positions[i], sizeof *mesh->positions);
        memcpy(sum->mesh.normals[to], mesh->normals[i], sizeof *mesh->normals);
    }
    sum->shared_count = left;
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint64_t to = sum->mesh.triangle_count++;
        for (int k = 0; k < 3; k++) {
            sum->mesh.triangles[to][k] = (uint32_t)mesh->edges[mesh->triangles[i][k]];
        }
    }
}

// Replaces corners that are grid edges by vertex numbers.
static void number_corners(struct sum *sum, const struct volume *volume)
{
    uint32_t *numbers = malloc(volume_count(volume) * 3 * sizeof *numbers);
    assert_non_null(numbers);
    memset(numbers, 0xff, volume_count(volume) * 3 * sizeof *numbers);
    for (uint64_t i = 0; i < sum->mesh.vertex_count; i++) {
        assert_int_equal(numbers[sum->mesh.edges[i]], UINT32_MAX); // nobody else's
        numbers[sum->mesh.edges[i]] = (uint32_t)i;
    }
    for (uint64_t i = 0; i < sum->mesh.triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            sum->mesh.triangles[i][k] = numbers[sum->mesh.triangles[i][k]];
        }
    }
    free(numbers);
}

static void compare(const struct mesh *expected, const struct mesh *found)
{
    const uint64_t vertices = expected->vertex_count, triangles = expected->triangle_count;
    assert_int_equal(found->vertex_count, vertices);
    assert_int_equal(found->triangle_count, triangles);
    assert_memory_equal(found->edges, expected->edges, vertices * 8);
    assert_memory_equal(found->positions, expected->positions, vertices * 12);
    assert_memory_equal(found->normals, expected->normals, vertices * 12);
    assert_memory_equal(found->triangles, expected->triangles, triangles * 12);
}

// The same part in pieces of so many rows, compared with the undivided part. Counts how many times
// the atlas of a piece was reused for the next one.
static uint32_t cut_and_compare(
    const struct works *like, const struct atlas_part *whole, uint32_t rows, double iso,
    const struct mesh *mesh, const struct cell_list *cells)
{
    struct problem problem = { 0 };
    const struct volume *volume = like->volume;
    struct works works = { .volume = volume, .params = like->params };
    struct sum sum = { .shared = malloc(volume_count(volume) * 3 * sizeof *sum.shared),
                       .cells = { .cells = malloc((cells->count + 1) * sizeof *cells->cells) } };
    assert_true(sum.shared && sum.cells.cells);
    // Both sums may outgrow the whole's where something is made twice.
    REQUIRE(mesh_create(2 * mesh->vertex_count, mesh->triangle_count, &sum.mesh, &problem));
    sum.mesh.vertex_count = sum.mesh.triangle_count = 0;
    for (uint32_t row = 0; row < volume->dim[1] - 1; row += rows) {
        const uint32_t left = volume->dim[1] - 1 - row;
        const struct atlas_part piece = {
            whole->first,
            whole->layers,
            row,
            left < rows ? left : rows,
        };
        struct mesh part;
        struct cell_list part_cells;
        load(&works, &piece);
        extract(&works, iso, &part, &part_cells);
        assert_true(sum.mesh.triangle_count + part.triangle_count <= mesh->triangle_count);
        assert_true(sum.cells.count + part_cells.count <= cells->count);
        add_mesh(&sum, volume, &part, &piece);
        add_cells(&sum, &part_cells);
        mesh_destroy(&part);
        cell_list_destroy(&part_cells);
    }
    number_corners(&sum, volume);
    REQUIRE(mesh_canonicalize(&sum.mesh, &problem));
    compare(mesh, &sum.mesh);
    assert_int_equal(sum.cells.count, cells->count);
    qsort(sum.cells.cells, sum.cells.count, sizeof *sum.cells.cells, by_number);
    assert_memory_equal(sum.cells.cells, cells->cells, cells->count * sizeof *cells->cells);
    mesh_destroy(&sum.mesh);
    cell_list_destroy(&sum.cells);
    free(sum.shared);
    works_close(&works);
    return works.reloads;
}

static void part_in_rows(
    const struct volume *volume, const struct atlas_params *params, const struct atlas_part *whole,
    const uint32_t rows[2], double iso)
{
    struct works works = { .volume = volume, .params = *params };
    struct mesh mesh;
    struct cell_list cells;
    load(&works, whole);
    extract(&works, iso, &mesh, &cells);
    qsort(cells.cells, cells.count, sizeof *cells.cells, by_number);
    works_close(&works);
    assert_true(mesh.triangle_count > 100);
    for (int i = 0; i < 2; i++) {
        const uint32_t reloads = cut_and_compare(&works, whole, rows[i], iso, &mesh, &cells);
        assert_true(reloads > 0 || 4 * rows[i] > volume->dim[1]);
    }
    mesh_destroy(&mesh);
    cell_list_destroy(&cells);
}

static const struct {
    enum volume_type type;
    double (*value)(uint32_t, uint32_t, uint32_t);
    double iso;
} fields[] = {
    { VOLUME_UINT8, mixed, 119.5 },
    { VOLUME_INT16, noise, 0 },
    { VOLUME_FLOAT32, with_late_gaps, 120 },
};

// Borders at every offset within a brick, with and without samples that are not finite next to
// them; a part of one layer, at the bottom, in the middle and on top, and a part of several layers.
static void test_rows(void **state)
{
    (void)state;
    static const struct atlas_part wholes[] = { { 0, 1 }, { 3, 1 }, { 7, 1 }, { 2, 4 } };
    static const uint32_t rows[][2] = { { 1, 6 }, { 1, 5 }, { 2, 9 }, { 3, 4 } };
    // The storage of each field and part that is tried. CUBIST_EVERY_PART=1: both of all of them.
    static const int tried[][4] = { { ATLAS_STORAGE_IMAGE, 0, 0, ATLAS_STORAGE_BUFFER },
                                    { 0, ATLAS_STORAGE_BUFFER, ATLAS_STORAGE_IMAGE, 0 },
                                    { 0, 0, ATLAS_STORAGE_BUFFER, ATLAS_STORAGE_IMAGE } };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct volume volume = make((uint32_t[]){ 35, 19, 9 }, fields[i].type, fields[i].value);
        const struct atlas_source source = { read_slices, &volume };
        for (int storage = ATLAS_STORAGE_IMAGE; storage <= ATLAS_STORAGE_BUFFER; storage++) {
            for (size_t k = 0; k < sizeof wholes / sizeof *wholes; k++) {
                if (tried[i][k] != storage && !every_part()) {
                    continue;
                }
                const struct atlas_params params = {
                    .storage = storage,
                    .source = k % 2 ? &source : NULL,
                    .max_extent = k == 3 ? 90 : 0, // several columns and layers
                };
                part_in_rows(&volume, &params, &wholes[k], rows[k], fields[i].iso);
            }
        }
        volume_destroy(&volume);
    }
}

// All layers, but not all rows: together the mesh of the whole volume, as in the reference.
static void test_rows_of_all_layers(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 34, 14, 7 }, VOLUME_FLOAT32, with_late_gaps);
    struct works works = { .volume = &volume };
    struct mesh mesh, expected;
    struct cell_list cells;
    const struct atlas_part all = { 0, 6 };
    load(&works, &all);
    extract(&works, 120, &mesh, &cells);
    qsort(cells.cells, cells.count, sizeof *cells.cells, by_number);
    works_close(&works);
    REQUIRE(reference_extract(&volume, 120, NULL, &expected, &problem));
    struct mesh_difference difference;
    if (!mesh_compare(&expected, &mesh, NULL, &difference)) {
        fail_msg("whole: %s", difference.text);
    }
    cut_and_compare(&works, &all, 5, 120, &mesh, &cells);
    mesh_destroy(&mesh);
    mesh_destroy(&expected);
    cell_list_destroy(&cells);
    volume_destroy(&volume);
}

static double along_y(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return 10 * y;
}

// The range of a piece covers what its own rows use, without the row below that it also holds.
static void test_ranges_of_rows(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 9, 21, 6 }, VOLUME_UINT8, along_y);
    for (uint32_t row = 0; row < 20; row += 3) {
        const uint32_t rows = row < 18 ? 3 : 2;
        const struct atlas_part piece = { 2, 2, row, rows };
        struct atlas atlas;
        uint32_t range[2];
        REQUIRE(atlas_create(
            &gpu, &volume, &(struct atlas_params){ .cells = &piece }, &atlas, &problem));
        REQUIRE(atlas_range(&gpu, &atlas, range, &problem));
        assert_int_equal(range[0], 10 * row);
        assert_int_equal(range[1], row < 18 ? 10 * (row + rows + 1) : 200);
        atlas_destroy(&gpu, &atlas);
    }
    volume_destroy(&volume);
}

static double checkerboard(uint32_t x, uint32_t y, uint32_t z)
{
    return (x + y + z) % 2 ? 200 : 20;
}

// Where every edge crosses, a piece has as much as extraction_most says: what runs out of its last
// row, too.
static void test_most_of_rows(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = make((uint32_t[]){ 34, 12, 6 }, VOLUME_UINT8, checkerboard);
    static const struct atlas_part pieces[] = { { 0, 1, 0, 3 }, { 2, 1, 4, 1 }, { 4, 1, 7, 4 } };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct bench bench;
        struct extraction_result result;
        uint64_t most[LISTS];
        bench_open(&bench, &volume, &(struct atlas_params){ .cells = &pieces[i] });
        extraction_most(&bench.atlas, most);
        const struct extraction_step step = { 100, method_default(), &bench.surface };
        REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
        assert_int_equal(result.vertices, most[LIST_VERTICES]);
        assert_int_equal(result.active_cells, most[LIST_CELLS]);
        assert_int_equal(result.active_cells, 33 * pieces[i].rows);
        bench_close(&bench);
    }
    volume_destroy(&volume);
}

// The atlas and kernels of a piece can be reused for another one only if both have the same rows
// around their own.
static void test_shapes(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    const struct volume volume = { .dim = { 40, 30, 9 }, .type = VOLUME_UINT8 };
    static const struct {
        struct atlas_part cells;
        bool held; // by the first
    } rows[] = {
        { { 2, 1, 10, 4 }, true },  { { 3, 1, 20, 4 }, true },  { { 2, 1, 24, 4 }, true },
        { { 2, 1, 24, 5 }, false }, // as many rows, but the last has nothing above
        { { 2, 1, 0, 5 }, false },  // the first nothing below
        { { 2, 1, 10, 5 }, false }, { { 2, 2, 10, 4 }, false }, { { 2, 1 }, false },
    };
    struct atlas first, other;
    const struct atlas_params params = { .cells = &rows[0].cells };
    REQUIRE(atlas_describe(&gpu, &volume, &params, &first, &problem));
    assert_int_equal(first.dim[1], 7);
    assert_int_equal(first.base_y, 9);
    uint32_t constants[CONSTANTS], others[CONSTANTS];
    atlas_constants(&first, constants);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(atlas_holds(&first, &volume, &rows[i].cells), rows[i].held);
        const struct atlas_params other_params = { .cells = &rows[i].cells };
        REQUIRE(atlas_describe(&gpu, &volume, &other_params, &other, &problem));
        atlas_constants(&other, others);
        assert_int_equal(memcmp(constants, others, sizeof others) == 0, rows[i].held);
        assert_true(other.dim[1] == first.dim[1] || !rows[i].held);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),           cmocka_unit_test(test_rows_of_all_layers),
        cmocka_unit_test(test_ranges_of_rows), cmocka_unit_test(test_most_of_rows),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
