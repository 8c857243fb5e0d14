// ctest: plain twin
// A cast over the parts of a volume finds what a cast of the whole volume finds, byte for byte:
// hits, positions and normals, the samples of pixels at edges, and the shadow.
#include "tests/device.h"

#include "compute/casting/cast_pass.h"
#include "compute/extraction/parts.h"
#include "compute/gpu/transfer.h"

#include <math.h>

enum { SIDE = 48, PIXELS = SIDE * SIDE, SAMPLES = 4, FLOATS = SAMPLES * 6 };

// What a cast leaves. Of pixels at edges the hits have no order, and are all CAST_EDGE here.
struct cast_result {
    struct cast_hit hits[PIXELS];
    float points[PIXELS][6];
    float samples[PIXELS][FLOATS]; // of pixels at edges
    uint32_t count, edges;
    // Points in the shadow: their normals are longer. Pixels without a hit may be counted, too.
    uint32_t dark;
};

struct parts_bench {
    struct volume volume;
    struct cubes cubes;
    struct atlas atlas; // whole
    struct parts *parts;
    struct casting whole, divided;
};

static void
parts_bench_open(struct parts_bench *bench, const struct parts_params *params, uint32_t samples)
{
    struct problem problem = { 0 };
    struct parts_params own = *params;
    const struct atlas_params atlas = { .storage = params->storage };
    struct atlas frame;
    own.volume = &bench->volume;
    REQUIRE(volume_cubes(&bench->volume, NULL, &bench->cubes, &problem));
    REQUIRE(atlas_create(&gpu, &bench->volume, &atlas, &bench->atlas, &problem));
    REQUIRE(parts_open(&gpu, &own, &bench->parts, &problem));
    REQUIRE(parts_describe(bench->parts, &frame, &problem));
    const uint64_t before = gpu.budget.allocated;
    REQUIRE(casting_create_parts(
        &gpu, &frame, &bench->cubes, caster_default(), PIXELS, samples, &bench->divided, &problem));
    assert_int_equal(
        gpu.budget.allocated - before,
        casting_bytes(&gpu, bench->volume.dim, frame.dim, caster_default(), NULL, PIXELS, samples));
    REQUIRE(casting_create(
        &gpu, &bench->atlas, &bench->cubes, caster_default(), PIXELS, samples, &bench->whole,
        &problem));
    REQUIRE(casting_prepare_shadow(&bench->whole, &problem));
    REQUIRE(casting_prepare_shadow(&bench->divided, &problem));
}

static void parts_bench_close(struct parts_bench *bench)
{
    casting_destroy(&bench->whole);
    casting_destroy(&bench->divided);
    parts_close(bench->parts);
    atlas_destroy(&gpu, &bench->atlas);
    cubes_destroy(&bench->cubes);
    volume_destroy(&bench->volume);
}

// Casts over the parts that the isovalue meets, and returns how many there are.
static uint32_t cast_parts(struct parts_bench *bench, const struct cast *cast, uint32_t *hits)
{
    struct problem problem = { 0 };
    struct cast_pass pass;
    uint32_t count = 0;
    REQUIRE(cast_pass_begin(&pass, bench->parts, &bench->divided, cast, false, &problem));
    for (enum next next; (next = cast_pass_next(&pass, 0, &problem)) != NEXT_DONE;) {
        assert_int_equal(next, NEXT_PART);
        // No kernels are made anew.
        assert_int_equal(parts_atlas(bench->parts)->dim[1], bench->divided.frame.dim[1]);
        count += !pass.more;
    }
    *hits = pass.hits;
    assert_int_equal(
        pass.more, edges_count(&bench->divided.edges) > 0 || (cast->shadow && *hits > 0));
    cast_pass_end(&pass);
    return count;
}

// Puts points that stand as in the list of hits to their pixels.
static void result_spread(struct casting *casting, struct cast_result *out)
{
    struct problem problem = { 0 };
    float(*points)[6] = malloc(sizeof out->points);
    uint32_t *list = malloc(PIXELS * sizeof *list);
    struct list_counter counter;
    const struct buffer *buffers = casting->buffers;
    REQUIRE(
        transfer_download(&gpu, &buffers[CASTING_LIST], 0, list, PIXELS * sizeof *list, &problem) &&
        transfer_download(&gpu, &buffers[CASTING_COUNTS], 0, &counter, sizeof counter, &problem));
    memcpy(points, out->points, sizeof out->points);
    for (uint32_t i = 0; i < counter.count; i++) {
        assert_true(list[i] < PIXELS);
        memcpy(out->points[list[i]], points[i], sizeof *points);
    }
    free(list);
    free(points);
}

// Reads back what a cast of one of the castings has left.
static void result_read(struct casting *casting, const struct cast *cast, struct cast_result *out)
{
    struct problem problem = { 0 };
    REQUIRE(casting_fetch(casting, cast, out->hits, &problem));
    REQUIRE(transfer_download(
        &gpu, &casting->buffers[CASTING_POINTS_OF], 0, out->points, sizeof out->points, &problem));
    if (!casting_by_pixel(casting, cast)) {
        result_spread(casting, out);
    }
    const uint32_t count = cast->edges ? edges_count(&casting->edges) : 0;
    const struct buffer *buffers = casting->edges.buffers;
    float(*samples)[6] = malloc((count + 1) * sizeof *samples);
    if (count > 0) {
        REQUIRE(transfer_download(
            &gpu, &buffers[EDGES_POINTS], 0, samples, count * sizeof *samples, &problem));
    }
    out->edges = count;
    out->dark = 0;
    for (uint32_t i = 0; i < PIXELS; i++) {
        struct cast_hit *hit = &out->hits[i];
        memset(out->samples[i], 0, sizeof out->samples[i]);
        const bool edge = hit->cell >= CAST_EDGE && hit->cell != CAST_NOTHING;
        uint32_t place;
        memcpy(&place, &hit->t, sizeof place);
        for (uint32_t k = 0; edge && k < SAMPLES; k++) {
            if ((hit->cell >> k & 1) == 0) {
                continue;
            }
            assert_true(place < count);
            const float *sample = samples[place++];
            if (sample[3] != 0 || sample[4] != 0 || sample[5] != 0) { // else it has no position
                memcpy(out->samples[i] + (size_t)k * 6, sample, 6 * sizeof *sample);
            }
        }
        hit->t = edge ? 0 : hit->t;
        const float *normal = out->points[i] + 3;
        out->dark +=
            !(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2] < 1.1f);
        if (hit->cell == CAST_NOTHING || (edge && !(hit->cell & CAST_EDGE_HIT))) {
            memset(out->points[i], 0, sizeof out->points[i]);
        }
    }
    free(samples);
}

// Casts by one caster, over the parts and whole. Returns the number of hits; adds the pixels at
// edges to *edges.
static uint32_t
compare_cast(struct parts_bench *bench, const struct cast *cast, uint32_t parts, uint32_t *edges)
{
    struct problem problem = { 0 };
    struct cast_result *results = malloc(2 * sizeof *results);
    struct cast_result *whole = results, *divided = results + 1;
    bool more = true;
    REQUIRE(casting_run(&bench->whole, cast, &whole->count, &problem));
    REQUIRE(casting_again(&bench->whole, &more, &problem));
    if (more) {
        REQUIRE(casting_run(&bench->whole, cast, &whole->count, &problem));
    }
    result_read(&bench->whole, cast, whole);
    REQUIRE(casting_prepare(&bench->divided, cast->caster, cast->method, &problem));
    assert_int_equal(cast_parts(bench, cast, &divided->count), parts);
    result_read(&bench->divided, cast, divided);
    assert_int_equal(whole->count, divided->count);
    assert_int_equal(whole->edges, divided->edges);
    if (memcmp(whole->hits, divided->hits, sizeof whole->hits) != 0) {
        fail_msg("%s finds other hits in parts", cast->caster->name);
    }
    assert_memory_equal(whole->points, divided->points, sizeof whole->points);
    assert_memory_equal(whole->samples, divided->samples, sizeof whole->samples);
    *edges += whole->edges;
    assert_true(!cast->shadow || whole->count == 0 || whole->dark > whole->count / 50);
    const uint32_t count = whole->count;
    free(results);
    return count;
}

// From without and within; along an axis, and through samples, so that rays run in the planes
// between parts.
static const struct {
    double angle, tilt, far;
    bool ortho;
} views[] = {
    { 0.7, 0.4, 3, false },   { -2.1, -1.1, 3, false }, { 0.3, 0.2, 0.1, false },
    { 0, M_PI / 2, 3, true }, { 0.7, 0.4, 3, true },    { M_PI, -0.6155, 0.2, false },
};
#define VIEWS (sizeof views / sizeof *views)

// From above and from below, and from a side, so that rays go up and down.
static const struct rays_light lights[] = {
    { { 0.48f, 0.36f, 0.8f }, { 0.08f, -0.06f, 0 }, { 0.03f, 0.04f, -0.04f }, 4096 },
    { { 0.36f, -0.48f, -0.8f }, { 0.08f, 0.06f, 0 }, { 0.03f, -0.04f, 0.04f }, 4096 },
    { { -0.8f, 0.6f, 0 }, { 0.06f, 0.08f, 0 }, { 0, 0, 0.1f }, 4096 },
};

static struct cast view_cast(const struct parts_bench *bench, size_t view, double iso, bool edges)
{
    const struct volume *volume = &bench->volume;
    struct cast cast = {
        .caster = caster_default(),
        .isos = { iso },
        .width = SIDE,
        .height = SIDE,
        .edges = edges,
        .light = lights[view % 3],
    };
    if (view >= VIEWS) { // rays along x and y diagonally through samples
        cast.rays = (struct rays){
            .anchor = { -0.5f * (float)(view - VIEWS), -0.25f, -0.25f },
            .across = { 0, 0.5f, 0 },
            .down = { 0, 0, 0.5f },
            .eye = { -1, -(float)(view - VIEWS), -(float)(view - VIEWS) },
            .begin = -100,
        };
        return cast;
    }
    const double c = cos(views[view].angle), s = sin(views[view].angle);
    const double u = cos(views[view].tilt), v = sin(views[view].tilt);
    const double columns[3][3] = { { c, -s * v, s * u }, { s, c * v, -c * u }, { 0, u, v } };
    double half = 0;
    for (int i = 0; i < 3; i++) {
        half = fmax(half, (volume->dim[i] - 1) / 2.0);
    }
    const bool ortho = views[view].ortho;
    struct rays_camera camera = {
        .half_width = (ortho ? half : 0.5) * 1.2,
        .half_height = (ortho ? half : 0.5) * 1.2,
        .ortho = ortho,
        .near_plane = ortho ? -1e3 * half : 1e-3 * half,
        .width = SIDE,
        .height = SIDE,
    };
    for (int r = 0; r < 3; r++) {
        camera.to_view[3][r] = r == 2 ? -views[view].far * half : 0;
        for (int k = 0; k < 3; k++) {
            camera.to_view[k][r] = columns[k][r];
            camera.to_view[3][r] -= columns[k][r] * (volume->dim[k] - 1) / 2.0;
        }
    }
    camera.to_view[3][3] = 1;
    rays_of(&camera, volume->dim, &cast.rays);
    return cast;
}

#define ALL_VIEWS (VIEWS + 2)

static void make_volume(
    struct parts_bench *bench, const char *name, const uint32_t dim[3], enum volume_type type)
{
    struct problem problem = { 0 };
    *bench = (struct parts_bench){ 0 };
    REQUIRE(volume_generate(name, dim, type, &bench->volume, &problem));
}

// Every caster from every side, over parts of a few layers.
static void test_casters(void **state)
{
    (void)state;
    struct parts_bench bench;
    uint32_t hits = 0, edges = 0;
    make_volume(&bench, "noise", (uint32_t[]){ 17, 15, 20 }, VOLUME_UINT16);
    parts_bench_open(&bench, &(struct parts_params){ .layers = 6 }, 1);
    for (const struct caster *row = caster_next(NULL); row; row = caster_next(row)) {
        for (size_t i = 0; i < ALL_VIEWS; i += is_set("CUBIST_WHOLE") ? 1 : 3) {
            struct cast cast = view_cast(&bench, i, 30000, false);
            cast.caster = row;
            cast.rounds = i == 1 && row->wavefront ? CAST_ROUNDS_HOST : 0;
            hits += compare_cast(&bench, &cast, 4, &edges);
        }
    }
    assert_true(hits > 1000);
    parts_bench_close(&bench);
}

// With a ray for each sample of pixels at edges, of which noise has more than there is room for at
// first.
static void test_edges(void **state)
{
    (void)state;
    struct parts_bench bench;
    for (int i = 0; i < 2; i++) {
        uint32_t hits = 0, edges = 0;
        make_volume(&bench, i == 0 ? "gyroid" : "noise", (uint32_t[]){ 40, 33, 37 }, VOLUME_UINT8);
        parts_bench_open(&bench, &(struct parts_params){ .layers = 11 }, SAMPLES);
        const uint32_t room = bench.divided.edges.capacity;
        const size_t views_of = i == 0 ? ALL_VIEWS : 1, step = is_set("CUBIST_WHOLE") ? 1 : 3;
        for (size_t view = 0; view < views_of; view += step) {
            struct cast cast = view_cast(&bench, view, 120.5, true);
            cast.shadow = i == 0;
            hits += compare_cast(&bench, &cast, 4, &edges);
        }
        assert_true(hits > 500 && edges > 100);
        // Resident parts give up their memory if reading the hits back has no other.
        static struct cast_hit read[PIXELS];
        const struct cast cast = view_cast(&bench, 0, 120.5, true);
        struct problem problem = { 0 };
        gpu.budget.limit = gpu.budget.allocated;
        REQUIRE(casting_fetch(&bench.divided, &cast, read, &problem));
        gpu.budget.limit = 0;
        assert_true(i == 0 || bench.divided.edges.capacity > room);
        parts_bench_close(&bench);
    }
}

// Parts of some rows of a layer, in an image, of samples some of which are not finite; and parts
// that the isovalue misses.
static void test_rows(void **state)
{
    (void)state;
    struct parts_bench bench;
    uint32_t hits = 0, edges = 0;
    make_volume(&bench, "gyroid", (uint32_t[]){ 26, 22, 3 }, VOLUME_FLOAT32);
    for (size_t i = 0; i < volume_count(&bench.volume); i++) {
        if (i % 61 == 5) {
            ((float *)bench.volume.samples)[i] = ((const float[]){ NAN, INFINITY })[i % 2];
        }
    }
    parts_bench_open(
        &bench, &(struct parts_params){ .rows = 13, .storage = ATLAS_STORAGE_IMAGE }, SAMPLES);
    struct cast cast = view_cast(&bench, 0, 0.4725, true);
    cast.shadow = true;
    cast.border = CAST_BORDER;
    hits += compare_cast(&bench, &cast, 4, &edges);
    assert_true(hits > 100 && edges > 0);
    parts_bench_close(&bench);
}

// Sheets of one slice, on the border of parts, whose value is the isovalue: a ray meets both sides
// of a sheet at the same t, and the side counts that it comes to first. And an isovalue that misses
// all parts.
static void test_sheets(void **state)
{
    (void)state;
    enum { SHEET = 4 };
    struct parts_bench bench;
    uint32_t hits = 0, edges = 0;
    make_volume(&bench, "noise", (uint32_t[]){ 20, 20, 17 }, VOLUME_UINT8);
    for (int i = 0; i < 20 * 20 * 17; i++) {
        const int x = i % 20 / SHEET, y = i / 20 % 20 / SHEET, z = i / 400;
        ((uint8_t *)bench.volume.samples)[i] =
            z % SHEET == 0 && (x + 2 * y + z / SHEET) % 3 == 0 ? 10 : 0;
    }
    parts_bench_open(&bench, &(struct parts_params){ .layers = SHEET }, SAMPLES);
    for (int i = 0; i < 4; i++) {
        const float slope = i < 2 ? 0 : 0.25f, up = i % 2 ? 1 : -1;
        const struct cast cast = {
            .caster = caster_default(),
            .isos = { 10 },
            .width = SIDE,
            .height = SIDE,
            .edges = true,
            .shadow = true,
            .light = lights[i % 2],
            .rays = {
                .anchor = { -0.25f, -0.25f, 8 },
                .across = { 0.4375f, 0, 0 },
                .down = { 0, 0.4375f, 0 },
                .eye = { 0, slope, up },
                .begin = -100,
            },
        };
        hits += compare_cast(&bench, &cast, 4, &edges);
        struct cast none = cast;
        none.isos[0] = 50;
        assert_int_equal(compare_cast(&bench, &none, 0, &edges), 0);
    }
    assert_true(hits > 1000 && edges > 100);
    parts_bench_close(&bench);
}

// All that a cast leaves, samples at edges and shadow too, is the same for samples and an isovalue
// that are 1e7 greater, whole and in parts. There floats are whole numbers, but the isovalue is
// none. The differences between them are floats.
static void test_offset(void **state)
{
    (void)state;
    static struct cast_result results[2];
    for (int image = 0; image < (is_set("CUBIST_WHOLE") ? 2 : 1); image++) {
        for (int i = 0; i < 2; i++) {
            const double offset = i * 1e7;
            struct parts_bench bench;
            struct problem problem = { 0 };
            uint32_t edges = 0;
            make_volume(&bench, "gyroid", (uint32_t[]){ 26, 22, 24 }, VOLUME_UINT8);
            struct volume whole;
            REQUIRE(volume_create(bench.volume.dim, VOLUME_FLOAT32, &whole, &problem));
            for (size_t k = 0; k < volume_count(&whole); k++) {
                const double steps = ((const uint8_t *)bench.volume.samples)[k] / 8;
                ((float *)whole.samples)[k] = (float)(offset + steps);
            }
            volume_destroy(&bench.volume);
            bench.volume = whole;
            const struct parts_params params = {
                .layers = 11,
                .storage = image ? ATLAS_STORAGE_IMAGE : ATLAS_STORAGE_BUFFER,
            };
            parts_bench_open(&bench, &params, SAMPLES);
            struct cast cast = view_cast(&bench, 0, offset + 15.3125, true);
            cast.shadow = true;
            assert_true(compare_cast(&bench, &cast, 3, &edges) > 500 && edges > 100);
            result_read(&bench.whole, &cast, &results[i]);
            parts_bench_close(&bench);
        }
        assert_memory_equal(&results[0], &results[1], offsetof(struct cast_result, dark));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_casters), cmocka_unit_test(test_edges),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_sheets),  cmocka_unit_test(test_offset),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
