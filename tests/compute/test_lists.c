// The lists that pictures of the algorithm are drawn from (compute/extraction/lists.h): those of
// the step that made the surface, complete or not drawn at all, and a pyramid whose apex is the
// number of active cells.
#include "tests/device.h"

#include "compute/compaction/methods/histopyramid.h"
#include "compute/extraction/lists.h"
#include "compute/gpu/transfer.h"

#define CELLS_MOST 65536

static uint32_t words[4 * CELLS_MOST], bits[4 * CELLS_MOST];

static struct volume volume;
static struct bench bench;

static void open(void)
{
    struct problem problem = { 0 };
    REQUIRE(volume_generate("gyroid", (uint32_t[]){ 75, 33, 21 }, VOLUME_UINT8, &volume, &problem));
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
}

static void close(void)
{
    bench_close(&bench);
    volume_destroy(&volume);
}

static struct extraction_step step_of(const char *method, double iso)
{
    return (struct extraction_step){
        .iso = iso,
        .method = method_find(method),
        .target = &bench.surface,
        .draws = true,
    };
}

static void take(const struct buffer *buffer, uint64_t offset, void *out, uint64_t bytes)
{
    struct problem problem = { 0 };
    assert_true(bytes <= sizeof words);
    REQUIRE(bytes == 0 || transfer_download(&gpu, buffer, offset, out, bytes, &problem));
}

// The vertices that are drawn for bricks and cells.
static void take_draws(const struct extraction_lists *lists, uint32_t draws[2])
{
    VkDrawIndirectCommand commands[2];
    take(lists->control, (uint64_t)lists->draws * BUFFER_SLOT, commands, sizeof commands);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(commands[i].instanceCount, 1);
        assert_int_equal(commands[i].firstVertex, 0);
        assert_int_equal(commands[i].firstInstance, 0);
        draws[i] = commands[i].vertexCount;
    }
}

// Both lists, against the reference; slots and counters say the same.
static void compare_lists(
    const struct extraction_lists *lists, const struct extraction_result *result, double iso)
{
    struct problem problem = { 0 };
    struct cell_list cells, found;
    struct list_counter counter;
    uint32_t draws[2];
    REQUIRE(reference_extract(&volume, iso, &cells, NULL, &problem));
    take_draws(lists, draws);
    assert_int_equal(draws[0], result->active_bricks * BRICK_CORNERS);
    assert_int_equal(draws[1], result->active_cells * CELL_CORNERS);
    take(lists->control, (uint64_t)lists->cells_counter * BUFFER_SLOT, &counter, sizeof counter);
    assert_int_equal(counter.count, cells.count);
    take(lists->control, (uint64_t)lists->bricks_counter * BUFFER_SLOT, &counter, sizeof counter);
    assert_int_equal(counter.count, result->active_bricks);
    take(lists->bricks, 0, words, result->active_bricks * 4);
    take(lists->slots, 0, bits, result->bricks * 4);
    for (uint32_t i = 0; i < result->active_bricks; i++) {
        assert_int_equal(bits[words[i]], i);
    }
    // The ids as pictures read them, as linear indices.
    take(lists->cells, 0, words, result->active_cells * 4);
    REQUIRE(extraction_cells(bench.extraction, result, &found, &problem));
    for (uint64_t i = 0; i < found.count; i++) {
        const uint32_t id = words[i], brick = id / BRICK_CELLS, row = id / BRICK_X % BRICK_ROWS;
        const uint64_t along = brick / lists->grid[0];
        const uint64_t x = brick % lists->grid[0] * BRICK_X + id % BRICK_X;
        const uint64_t y = lists->base_y + along % lists->grid[1] * BRICK_Y + row % BRICK_Y;
        const uint64_t z = lists->base_z + along / lists->grid[1] * BRICK_Z + row / BRICK_Y;
        const uint64_t linear = (z * (volume.dim[1] - 1) + y) * (volume.dim[0] - 1) + x;
        assert_int_equal(found.cells[i], linear);
    }
    compare_cells(&volume, lists->method, &cells, &found);
    cell_list_destroy(&found);
    cell_list_destroy(&cells);
}

// The base has the rows of the active bricks; every level of it sums to the apex.
static void
compare_pyramid(const struct extraction_lists *lists, const struct extraction_result *result)
{
    assert_non_null(lists->masks);
    assert_non_null(lists->levels);
    const uint32_t leaves = (uint32_t)result->active_bricks * BRICK_ROWS;
    const struct histopyramid_levels room = histopyramid_levels(lists->leaves);
    assert_true(leaves <= lists->leaves && room.fours * 4 <= sizeof words / 4);
    take(lists->masks, 0, bits, (uint64_t)leaves * 4);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < leaves; i++) {
        sum += (uint64_t)__builtin_popcount(bits[i]);
    }
    assert_int_equal(sum, result->active_cells);
    take(lists->levels, 0, words, room.fours * 16);
    uint64_t nodes = ((uint64_t)leaves + 3) / 4;
    const uint32_t *at = words;
    uint64_t stored = ((uint64_t)lists->leaves + 3) / 4;
    for (uint32_t level = 1; level <= room.count; level++) {
        const uint64_t fours = (nodes + 3) / 4;
        sum = 0;
        for (uint64_t i = 0; i < fours; i++) {
            const uint32_t *four = at + 4 * i;
            sum += lists->method->pyramid == PYRAMID_SUMS
                       ? four[3]
                       : (uint64_t)four[0] + four[1] + four[2] + four[3];
        }
        assert_int_equal(sum, result->active_cells);
        stored = (stored + 3) / 4;
        at += 4 * stored;
        nodes = fours;
    }
    assert_int_equal(nodes, 1); // the last sum was the apex
}

// The bits of both numbers in turn, those of x first: the place along the Z-order curve.
static uint64_t z_order(uint32_t x, uint32_t y)
{
    uint64_t place = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        place |= (uint64_t)(x >> bit & 1) << 2 * bit | (uint64_t)(y >> bit & 1) << (2 * bit + 1);
    }
    return place;
}

// A cell's flag is at its texel in the slices; every texel above is the sum of the 2 x 2 below; the
// list has the texels' Z-order.
static void
compare_tiles(const struct extraction_lists *lists, const struct extraction_result *result)
{
    const uint32_t *dim = volume.dim, cols = 4, below = 6; // tiles of 75 x 33
    assert_int_equal(cols, atlas_cols(dim[0], dim[1], dim[2]));
    uint32_t w = cols * dim[0], h = below * dim[1], *at = words;
    uint64_t last = 0, flags = 0;
    take(lists->levels, 0, words, lists->levels->size);
    take(lists->cells, 0, bits, result->active_cells * 4);
    for (uint32_t i = 0; i < result->active_cells; i++) {
        const uint32_t brick = bits[i] / BRICK_CELLS, row = bits[i] / BRICK_X % BRICK_ROWS;
        const uint32_t layer = brick / lists->grid[0];
        const uint32_t z = layer / lists->grid[1] * BRICK_Z + row / BRICK_Y;
        const uint32_t x = z % cols * dim[0] + brick % lists->grid[0] * BRICK_X + bits[i] % BRICK_X;
        const uint32_t y = z / cols * dim[1] + layer % lists->grid[1] * BRICK_Y + row % BRICK_Y;
        assert_int_equal(at[y * w + x], 1);
        assert_true(i == 0 || z_order(x, y) > last);
        last = z_order(x, y);
    }
    for (uint32_t i = 0; i < w * h; i++) {
        flags += at[i];
    }
    assert_int_equal(flags, result->active_cells);
    while (w * h > 1) {
        uint32_t *const above = at + w * h, half = (w + 1) / 2;
        for (uint32_t i = 0; i < half * ((h + 1) / 2); i++) {
            const uint32_t x = i % half * 2, y = i / half * 2;
            uint32_t sum = 0;
            for (uint32_t k = 0; k < 4; k++) {
                const bool there = x + k % 2 < w && y + k / 2 < h;
                sum += there ? at[(y + k / 2) * w + x + k % 2] : 0;
            }
            assert_int_equal(above[i], sum);
        }
        at = above;
        w = half;
        h = (h + 1) / 2;
    }
    assert_int_equal(*at, result->active_cells);
}

static void test_every_method(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct extraction_result result;
    struct extraction_lists lists;
    open();
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (method_passed_over(method)) {
            continue;
        }
        for (int i = 0; i < 2; i++) {
            const double iso = i ? 140.5 : 90.5;
            const struct extraction_step step = step_of(method->name, iso);
            REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
            assert_true(result.active_cells > 1000 && result.active_cells < CELLS_MOST);
            assert_true(extraction_lists(bench.extraction, &bench.surface, &lists));
            assert_ptr_equal(lists.method, result.cells_choice.method);
            compare_lists(&lists, &result, iso);
            assert_int_equal(!!lists.levels, lists.method->pyramid != PYRAMID_NONE);
            if (lists.method->pyramid == PYRAMID_ATLAS) {
                compare_tiles(&lists, &result);
            } else if (lists.levels) {
                compare_pyramid(&lists, &result);
            }
        }
    }
    close();
}

// A brick alone, and an empty surface.
static void test_few(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct extraction_result result;
    struct extraction_lists lists;
    REQUIRE(volume_generate("sphere", (uint32_t[]){ 5, 5, 5 }, VOLUME_UINT8, &volume, &problem));
    bench_open(&bench, &volume, &(struct atlas_params){ 0 });
    for (int i = 0; i < 2; i++) {
        struct extraction_step step = step_of(i ? "histopyramid-vec4" : "histopyramid", 100.5);
        REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
        assert_true(extraction_lists(bench.extraction, &bench.surface, &lists));
        compare_lists(&lists, &result, 100.5);
        compare_pyramid(&lists, &result);
        step.iso = 300;
        REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
        assert_true(extraction_lists(bench.extraction, &bench.surface, &lists));
        compare_lists(&lists, &result, 300);
    }
    close();
}

static void test_what_is_gone_is_not_shown(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct extraction_result result;
    struct extraction_lists lists;
    struct surface other = { 0 };
    uint32_t draws[2];
    open();
    assert_false(extraction_lists(bench.extraction, &bench.surface, &lists));
    // A step that is not drawn writes no draw commands.
    struct extraction_step step = step_of("histopyramid", 90.5);
    step.draws = false;
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    assert_false(extraction_lists(bench.extraction, &bench.surface, &lists));
    step.draws = true;
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    assert_true(extraction_lists(bench.extraction, &bench.surface, &lists));
    assert_false(extraction_lists(bench.extraction, &other, &lists));
    assert_false(extraction_lists(bench.extraction, NULL, &lists));

    // Only the vertices move: the lists stay.
    const struct extraction_result before = result;
    step.iso = 90.75;
    assert_true(extraction_moves(bench.extraction, &step));
    REQUIRE(extraction_run(bench.extraction, &step, &result, &problem));
    assert_true(result.moved);
    assert_true(extraction_lists(bench.extraction, &bench.surface, &lists));
    compare_lists(&lists, &before, 90.5);

    // Another surface: the lists are of that one. It has too little room at first: nothing is
    // drawn.
    struct extraction_step second = step_of("histopyramid", 120.5);
    second.target = &other;
    extraction_strip(bench.extraction);
    assert_false(extraction_lists(bench.extraction, &bench.surface, &lists));
    extraction_want(bench.extraction, (uint64_t[LISTS]){ 40, 700, 700, 1400 });
    REQUIRE(extraction_attempt(bench.extraction, &second, &result, &problem));
    assert_false(result.whole);
    assert_true(extraction_lists(bench.extraction, &other, &lists));
    take_draws(&lists, draws);
    assert_int_equal(draws[0], 0);
    assert_int_equal(draws[1], 0);
    REQUIRE(extraction_run(bench.extraction, &second, &result, &problem));
    assert_false(extraction_lists(bench.extraction, &bench.surface, &lists));
    assert_true(extraction_lists(bench.extraction, &other, &lists));
    compare_lists(&lists, &result, 120.5);
    compare_pyramid(&lists, &result);
    surface_destroy(&gpu, &other);
    close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_what_is_gone_is_not_shown),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
