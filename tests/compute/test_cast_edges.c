// ctest: device once heavy
// Pixels at edges of a cast: which ones they are, how far the rays of their samples go, that they
// do not depend on how a picture is divided, and that a list that is too short grows.
#include "tests/device.h"

#include "compute/casting/casting.h"
#include "compute/gpu/transfer.h"
#include "shaders/shared/casting.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 60, SAMPLES = 4 };

struct edge_bench {
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
};

enum { DIM = 20 };

// A value for each sample of a volume of DIM x DIM x depth.
static void edge_open_deep(
    struct edge_bench *bench, uint32_t pixels, int depth, uint8_t (*value)(int, int, int))
{
    struct problem problem = { 0 };
    struct volume volume = { .dim = { DIM, DIM, (uint32_t)depth }, .type = VOLUME_UINT8 };
    uint8_t *samples = malloc((size_t)(DIM * DIM * depth));
    for (int i = 0; i < DIM * DIM * depth; i++) {
        samples[i] = value(i % DIM, i / DIM % DIM, i / DIM / DIM);
    }
    volume.samples = samples;
    REQUIRE(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &bench->atlas, &problem));
    REQUIRE(volume_cubes(&volume, NULL, &bench->cubes, &problem));
    REQUIRE(casting_create(
        &gpu, &bench->atlas, &bench->cubes, caster_default(), pixels, SAMPLES, &bench->casting,
        &problem));
    free(samples);
}

static void edge_open(struct edge_bench *bench, uint32_t pixels, uint8_t (*value)(int, int, int))
{
    edge_open_deep(bench, pixels, DIM, value);
}

static void edge_close(struct edge_bench *bench)
{
    casting_destroy(&bench->casting);
    cubes_destroy(&bench->cubes);
    atlas_destroy(&gpu, &bench->atlas);
}

// An orthographic picture along z of SIDE x SIDE pixels, of which a rectangle is cast with a
// border. The camera is shifted along x by `aside` cells from the middle of the volume.
static struct cast edge_cast_deep(int x, int y, int width, int height, int depth, double aside)
{
    const double to_view[4][4] = {
        { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { -9.5 - aside, -9.5, -20 - depth, 1 }
    };
    struct rays_camera camera = {
        .half_width = 11,
        .half_height = 11,
        .ortho = true,
        .near_plane = 1,
        .width = SIDE,
        .height = SIDE,
    };
    struct cast cast = {
        .caster = caster_default(),
        .isos = { 100 },
        .x = x - 1,
        .y = y - 1,
        .width = (uint32_t)width + 2,
        .height = (uint32_t)height + 2,
        .edges = true,
    };
    memcpy(camera.to_view, to_view, sizeof to_view);
    rays_of(&camera, (const uint32_t[3]){ DIM, DIM, (uint32_t)depth }, &cast.rays);
    return cast;
}

static struct cast edge_cast(int x, int y, int width, int height)
{
    return edge_cast_deep(x, y, width, height, DIM, 0);
}

// Casts and adds the samples at edges of the rectangle to those of the picture, of SAMPLES x 6
// floats a pixel; others stay. Returns how many there are, and adds the pixels with a hit to *hits.
static uint32_t
edge_do(struct edge_bench *bench, const struct cast *cast, float *picture, uint32_t *hits)
{
    struct problem problem = { 0 };
    const struct edges *edges = &bench->casting.edges;
    uint32_t met;
    bool again = true;
    for (int tries = 0; again; tries++) {
        assert_true(tries < 2);
        REQUIRE(casting_run(&bench->casting, cast, &met, &problem));
        REQUIRE(casting_again(&bench->casting, &again, &problem));
    }
    *hits += met;
    const struct list_counter *counts = edges->buffers[EDGES_COUNTED].mapped;
    const size_t size = (size_t)counts->count * 6 * sizeof(float);
    uint32_t(*list)[2] = malloc((size_t)counts->count * 8 + 1);
    float *points = malloc(size + 1);
    struct cast_hit *pixels = malloc((size_t)cast->width * cast->height * sizeof *pixels);
    REQUIRE(casting_fetch(&bench->casting, cast, pixels, &problem));
    if (counts->count > 0) {
        REQUIRE(transfer_download(
            &gpu, &edges->buffers[EDGES_LIST], 0, list, (uint64_t)counts->count * 8, &problem));
        REQUIRE(transfer_download(&gpu, &edges->buffers[EDGES_POINTS], 0, points, size, &problem));
    }
    for (uint32_t i = 0; i < counts->count; i++) {
        const uint32_t x = list[i][0] % cast->width, y = list[i][0] / cast->width;
        const uint32_t which = list[i][1] >> EDGE_SAMPLE & 7, among = list[i][1] & EDGE_SAMPLES;
        assert_true(x > 0 && x + 1 < cast->width && y > 0 && y + 1 < cast->height);
        assert_true(which < SAMPLES && among < 1u << SAMPLES && (among >> which & 1) == 1);
        // The pixel says where its samples are.
        uint32_t first;
        memcpy(&first, &pixels[list[i][0]].t, sizeof first);
        assert_true(pixels[list[i][0]].cell >= CAST_EDGE);
        assert_int_equal(pixels[list[i][0]].cell & EDGE_SAMPLES, among);
        assert_int_equal(i - first, (uint32_t)__builtin_popcount(among & ((1u << which) - 1)));
        const size_t at = (size_t)((int)y + cast->y) * SIDE + (size_t)((int)x + cast->x);
        memcpy(picture + (at * SAMPLES + which) * 6, points + (size_t)i * 6, 6 * sizeof(float));
    }
    free(list);
    free(points);
    free(pixels);
    return counts->count;
}

static uint8_t box(int x, int y, int z)
{
    return x > 4 && x < 15 && y > 4 && y < 15 && z > 4 && z < 15 ? 200 : 0;
}

static uint8_t noise(int x, int y, int z)
{
    const uint32_t i = (uint32_t)(x + 31 * (y + 31 * z)) * 2654435761u;
    return (uint8_t)((i ^ i >> 15) * 2246822519u >> 24);
}

#define FLOATS ((size_t)SIDE * SIDE * SAMPLES * 6)

static float *edge_picture(void)
{
    float *picture = malloc(FLOATS * sizeof(float));
    for (size_t i = 0; i < FLOATS; i++) {
        picture[i] = -100;
    }
    return picture;
}

// The surface is from 4.5 to 14.5 with round edges. So a pixel is at an edge only near there, and
// each sample says on which side of the outline it is.
static void test_outline(void **state)
{
    (void)state;
    struct edge_bench bench = { 0 };
    const struct cast cast = edge_cast(0, 0, SIDE, SIDE);
    float *picture = edge_picture();
    edge_open(&bench, cast_bordered(SIDE, SIDE), box);
    uint32_t hits = 0;
    const uint32_t count = edge_do(&bench, &cast, picture, &hits);
    assert_true(hits > 26 * 26 && hits < 28 * 28);
    // The square of 10 cells is 27 pixels wide. Pixels on both sides have samples, half of theirs.
    assert_true(count > 2 * 4 * 27 && count < 5 * 4 * 27);
    const double pixel = 22.0 / SIDE;
    static const double place[SAMPLES][2] = {
        { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 }, { 0.625, 0.875 }
    };
    uint32_t in = 0, out = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE * SAMPLES; i++) {
        const float *sample = picture + i * 6;
        const size_t at = i / SAMPLES;
        const double x = -1.5 + ((double)(at % SIDE) + place[i % SAMPLES][0]) * pixel;
        const double y = 20.5 - ((double)(at / SIDE) + place[i % SAMPLES][1]) * pixel;
        const double off = fmax(fabs(x - 9.5), fabs(y - 9.5)) - 5;
        if (sample[0] == -100) {
            continue;
        }
        assert_true(fabs(off) < 2);
        const bool hit = sample[3] != 0 || sample[4] != 0 || sample[5] != 0;
        if (fabs(off) < 0.6) { // corners are round
            assert_true(!hit || fabs((double)sample[0] - x) + fabs((double)sample[1] - y) < 1e-3);
            in += hit;
            out += !hit;
        } else {
            assert_int_equal(hit, off < 0);
        }
    }
    assert_true(in > 50 && out > 50);
    free(picture);
    edge_close(&bench);
}

// A box in front, which ends at x = 14.94. Behind it, farther from the eye, stands a sheet at x
// = 15. The sheet is thinner than a pixel: no ray through the centre of a pixel hits it. In the
// column of pixels beside the box one of the four samples does.
enum { DEEP = 64, BOX_FIRST = 50, BOX_LAST = 58 };

static uint8_t box_and_sheet(int x, int y, int z, int sheet)
{
    const bool rows = y > 4 && y < 15;
    if (rows && z >= BOX_FIRST && z <= BOX_LAST) {
        return x > 4 && x < 15 ? 255 : x == 15 ? 90 : 0;
    }
    return rows && x == 15 && z >= sheet && z < sheet + 4 ? 105 : 0;
}

static uint8_t box_near_sheet(int x, int y, int z)
{
    return box_and_sheet(x, y, z, 36);
}

static uint8_t box_far_sheet(int x, int y, int z)
{
    return box_and_sheet(x, y, z, 6);
}

// Samples that have hit the sheet.
static uint32_t edge_hit_sheet(uint8_t (*value)(int, int, int))
{
    struct edge_bench bench = { 0 };
    // So the centres of a column of pixels are at 15.1375, and their samples at 15 and 15.09.
    const struct cast cast =
        edge_cast_deep(0, 0, SIDE, SIDE, DEEP, 15.1375 + 1.5 - 45.5 * 22 / SIDE);
    float *picture = edge_picture();
    uint32_t hits = 0, found = 0;
    edge_open_deep(&bench, cast_bordered(SIDE, SIDE), DEEP, value);
    edge_do(&bench, &cast, picture, &hits);
    for (size_t i = 0; i < (size_t)SIDE * SIDE * SAMPLES; i++) {
        const float *sample = picture + i * 6;
        const bool hit = sample[0] != -100 && (sample[3] != 0 || sample[4] != 0 || sample[5] != 0);
        found += hit && sample[2] < BOX_FIRST - 2;
    }
    free(picture);
    edge_close(&bench);
    return found;
}

// Beside a pixel without a hit the rays of samples end behind the hits around.
static void test_reach(void **state)
{
    (void)state;
    assert_true(edge_hit_sheet(box_near_sheet) > 20);
    assert_int_equal(edge_hit_sheet(box_far_sheet), 0);
}

static void test_divided(void **state)
{
    (void)state;
    struct edge_bench bench = { 0 };
    float *whole = edge_picture(), *divided = edge_picture();
    edge_open(&bench, cast_bordered(SIDE, SIDE), noise);
    const struct cast all = edge_cast(0, 0, SIDE, SIDE);
    uint32_t hits = 0;
    const uint32_t expected = edge_do(&bench, &all, whole, &hits);
    uint32_t count = 0, divided_hits = 0;
    for (int y = 0; y < SIDE; y += 23) {
        const int height = SIDE - y < 23 ? SIDE - y : 23;
        const struct cast left = edge_cast(0, y, 17, height);
        const struct cast right = edge_cast(17, y, SIDE - 17, height);
        count += edge_do(&bench, &left, divided, &divided_hits);
        count += edge_do(&bench, &right, divided, &divided_hits);
    }
    assert_int_equal(count, expected);
    assert_int_equal(divided_hits, hits);
    assert_memory_equal(whole, divided, FLOATS * sizeof(float));
    free(whole);
    free(divided);
    edge_close(&bench);
}

// Hits and spans that are read as texels, or from storage buffers, give the same.
static void test_texels(void **state)
{
    (void)state;
    const struct traits *const of_device = gpu.traits;
    float *pictures[2];
    uint32_t edges[2], hits[2] = { 0 };
    for (int i = 0; i < 2; i++) {
        struct traits traits = *of_device;
        traits.cast_texels = i;
        gpu.traits = &traits;
        struct edge_bench bench;
        const struct cast cast = edge_cast(0, 0, SIDE, SIDE);
        edge_open(&bench, cast.width * cast.height, noise);
        pictures[i] = edge_picture();
        edges[i] = edge_do(&bench, &cast, pictures[i], &hits[i]);
        edge_close(&bench);
        gpu.traits = of_device;
    }
    assert_true(hits[0] > 0 && edges[0] > 0);
    assert_int_equal(hits[1], hits[0]);
    assert_int_equal(edges[1], edges[0]);
    assert_memory_equal(pictures[0], pictures[1], FLOATS * sizeof(float));
    free(pictures[0]);
    free(pictures[1]);
}

// Noise has an edge nearly everywhere, and the list begins with room for an eighth.
static void test_overflow(void **state)
{
    (void)state;
    struct edge_bench bench = { 0 };
    struct problem problem = { 0 };
    uint32_t hits;
    bool again;
    const struct cast cast = edge_cast(0, 0, SIDE, SIDE);
    edge_open(&bench, cast_bordered(SIDE, SIDE), noise);
    const uint32_t room = bench.casting.edges.capacity;
    REQUIRE(casting_run(&bench.casting, &cast, &hits, &problem));
    REQUIRE(casting_again(&bench.casting, &again, &problem));
    assert_true(again);
    assert_true(bench.casting.edges.capacity > room);
    REQUIRE(casting_run(&bench.casting, &cast, &hits, &problem));
    REQUIRE(casting_again(&bench.casting, &again, &problem));
    assert_false(again);
    edge_close(&bench);
}

// Without memory for a longer list the samples that have no room are as the centre.
static void test_no_memory(void **state)
{
    (void)state;
    struct edge_bench bench = { 0 };
    struct problem problem = { 0 };
    struct cast_hit hits[2][(SIDE + 2) * (SIDE + 2)];
    uint32_t met[2];
    bool again = true;
    struct cast cast = edge_cast(0, 0, SIDE, SIDE);
    edge_open(&bench, cast_bordered(SIDE, SIDE), noise);
    const uint32_t room = bench.casting.edges.capacity;
    REQUIRE(casting_run(&bench.casting, &cast, &met[0], &problem));
    gpu.budget.limit = gpu.budget.allocated + 1;
    REQUIRE(casting_again(&bench.casting, &again, &problem));
    gpu.budget.limit = 0;
    assert_false(again);
    assert_true(edges_overflowed(&bench.casting.edges));
    REQUIRE(casting_fetch(&bench.casting, &cast, hits[0], &problem));
    cast.edges = false;
    REQUIRE(casting_run(&bench.casting, &cast, &met[1], &problem));
    REQUIRE(casting_fetch(&bench.casting, &cast, hits[1], &problem));
    uint32_t smooth = 0;
    for (size_t i = 0; i < sizeof hits[0] / sizeof **hits; i++) {
        const uint32_t cell = hits[0][i].cell;
        const bool edge = cell >= CAST_EDGE && cell != CAST_NOTHING;
        smooth += edge ? (uint32_t)__builtin_popcount(cell & EDGE_SAMPLES) : 0;
        assert_true(edge || memcmp(&hits[0][i], &hits[1][i], sizeof **hits) == 0);
    }
    assert_int_equal(smooth, room);
    edge_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outline),  cmocka_unit_test(test_reach),
        cmocka_unit_test(test_divided),  cmocka_unit_test(test_texels),
        cmocka_unit_test(test_overflow), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
