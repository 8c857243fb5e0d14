// ctest: device once heavy
// The shadow of a cast: where closed forms say, ray by ray against brute force in double, and that
// it depends neither on the caster nor on how a picture is divided.
#include "tests/device.h"

#include "compute/casting/casting.h"
#include "compute/gpu/transfer.h"
#include "compute/reference/cast.h"
#include "shaders/shared/casting.h"

#include <math.h>
#include <stdlib.h>

enum { DIM = 24, SIDE = 48, SAMPLES = 4, ALL = SHADOW_SIDE * SHADOW_SIDE * SHADOW_RAYS };

static const double WIDTH = 0.09; // of the light

struct shade_bench {
    struct volume volume;
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
};

static void shade_open(struct shade_bench *bench, double (*value)(const double at[3]))
{
    struct problem problem = { 0 };
    float *samples = malloc(DIM * DIM * DIM * sizeof *samples);
    for (int i = 0; i < DIM * DIM * DIM; i++) {
        samples[i] =
            (float)value((const double[3]){ i % DIM, (i / DIM) % DIM, (double)(i / DIM / DIM) });
    }
    bench->volume =
        (struct volume){ .dim = { DIM, DIM, DIM }, .type = VOLUME_FLOAT32, .samples = samples };
    REQUIRE(
        atlas_create(&gpu, &bench->volume, &(struct atlas_params){ 0 }, &bench->atlas, &problem));
    REQUIRE(volume_cubes(&bench->volume, NULL, &bench->cubes, &problem));
    REQUIRE(casting_create(
        &gpu, &bench->atlas, &bench->cubes, caster_default(), cast_bordered(SIDE, SIDE), SAMPLES,
        &bench->casting, &problem));
    REQUIRE(casting_prepare_shadow(&bench->casting, &problem));
}

static void shade_close(struct shade_bench *bench)
{
    casting_destroy(&bench->casting);
    cubes_destroy(&bench->cubes);
    atlas_destroy(&gpu, &bench->atlas);
    free((void *)bench->volume.samples);
}

// An orthographic picture along z of SIDE x SIDE pixels, of which a rectangle is cast with a
// border. The light is `towards`, of length 1.
static struct cast
shade_cast(const double towards[3], int x, int y, int width, int height, bool edges)
{
    const double middle = (DIM - 1) / 2.0;
    struct rays_camera camera = {
        .to_view = { { 1, 0, 0, 0 },
                     { 0, 1, 0, 0 },
                     { 0, 0, 1, 0 },
                     { -middle, -middle, -3 * DIM, 1 } },
        .half_width = middle,
        .half_height = middle,
        .ortho = true,
        .near_plane = 1,
        .width = SIDE,
        .height = SIDE,
    };
    struct cast cast = {
        .caster = caster_default(),
        .x = x - CAST_BORDER,
        .y = y - CAST_BORDER,
        .width = (uint32_t)width + 2 * CAST_BORDER,
        .height = (uint32_t)height + 2 * CAST_BORDER,
        .edges = edges,
        .border = CAST_BORDER,
        .shadow = true,
    };
    rays_of(&camera, (const uint32_t[3]){ DIM, DIM, DIM }, &cast.rays);
    rays_light_of(&camera, towards, WIDTH, &cast.light);
    return cast;
}

// What a cast leaves of each pixel.
struct shade_hits {
    uint32_t count; // of hits
    struct cast_hit *hits;
    float (*points)[6];
    uint32_t *shades;
};

// How many of a hit's rays reach the light.
static uint32_t shade_rays(uint32_t shade)
{
    return (uint32_t)__builtin_popcount(shade & ~CAST_BACK);
}

static struct shade_hits shade_do(struct shade_bench *bench, const struct cast *cast)
{
    const size_t pixels = (size_t)cast->width * cast->height;
    struct problem problem = { 0 };
    struct casting *casting = &bench->casting;
    struct shade_hits out = {
        .hits = malloc(pixels * sizeof *out.hits),
        .points = malloc(pixels * sizeof *out.points),
        .shades = malloc(pixels * sizeof *out.shades),
    };
    bool again = true;
    while (again) {
        REQUIRE(casting_run(casting, cast, &out.count, &problem));
        REQUIRE(casting_again(casting, &again, &problem));
    }
    REQUIRE(casting_fetch(casting, cast, out.hits, &problem));
    REQUIRE(transfer_download(
        &gpu, &casting->buffers[CASTING_POINTS_OF], 0, out.points, pixels * sizeof *out.points,
        &problem));
    REQUIRE(transfer_download(
        &gpu, &casting->shadow.shades, 0, out.shades, pixels * sizeof *out.shades, &problem));
    return out;
}

static void shade_free(struct shade_hits *hits)
{
    free(hits->hits);
    free(hits->points);
    free(hits->shades);
}

// The share of the key light that a hit has.
static double shade_left(const float point[6])
{
    return 2 - hypot(hypot((double)point[3], (double)point[4]), (double)point[5]);
}

// The direction of a pixel's ray number i, by the rule of shaders/lib/shadow_ray.glsl.
static void shade_direction(const struct cast *cast, size_t pixel, uint32_t i, double out[3])
{
    const uint32_t x = (uint32_t)((int)(pixel % cast->width) + cast->x + 2 * SHADOW_SIDE);
    const uint32_t y = (uint32_t)((int)(pixel / cast->width) + cast->y + 2 * SHADOW_SIDE);
    const uint32_t phase = (x + 2 * y) % SHADOW_SIDE * SHADOW_SIDE + (2 * x + y) % SHADOW_SIDE;
    const uint32_t number = phase * SHADOW_RAYS + i;
    const double angle = 2.39996323 * number, off = sqrt((number + 0.5) / ALL);
    for (int k = 0; k < 3; k++) {
        out[k] = (double)cast->light.towards[k] + off * cos(angle) * (double)cast->light.across[k] +
                 off * sin(angle) * (double)cast->light.down[k];
    }
}

enum shade { SHADE_LIT, SHADE_HIDDEN, SHADE_EITHER };

// Each ray of each hit is as `expected` says; EITHER in at most `most` of 1,000 rays.
static void shade_compare(
    struct shade_bench *bench, const struct cast *cast, int most,
    enum shade (*expected)(
        struct shade_bench *bench, const struct cast *cast, const double at[3], const double to[3],
        bool back))
{
    struct shade_hits found = shade_do(bench, cast);
    uint32_t rays = 0, either = 0, hidden = 0, wrong = 0;
    for (size_t at = 0; at < (size_t)cast->width * cast->height; at++) {
        const uint32_t shade = found.shades[at];
        assert_int_equal(shade == SHADOW_NONE, found.hits[at].cell == CAST_NOTHING);
        if (shade == SHADOW_NONE) {
            continue;
        }
        const bool back = (shade & CAST_BACK) != 0;
        assert_int_equal(back, (found.hits[at].cell & CAST_BACK) != 0);
        const float *point = found.points[at];
        const double length = hypot(hypot((double)point[3], (double)point[4]), (double)point[5]);
        uint32_t lit = 0, unsure = 0;
        for (uint32_t i = 0; i < SHADOW_RAYS; i++) {
            double to[3], above = 0;
            shade_direction(cast, at, i, to);
            for (int k = 0; k < 3; k++) {
                above += to[k] * (double)point[3 + k] * (back ? -1 : 1);
            }
            double place[3];
            for (int k = 0; k < 3; k++) {
                place[k] = (double)point[k] +
                           (double)SHADOW_ABOVE * (double)point[3 + k] / length * (back ? -1 : 1);
            }
            const enum shade is = above < -1e-5  ? SHADE_HIDDEN
                                  : above < 1e-5 ? SHADE_EITHER
                                                 : expected(bench, cast, place, to, back);
            lit += is == SHADE_LIT;
            unsure += is == SHADE_EITHER;
            hidden += is == SHADE_HIDDEN && above > 0;
        }
        rays += SHADOW_RAYS;
        either += unsure;
        const uint32_t own = shade_rays(shade);
        wrong += own < lit || own > lit + unsure;
    }
    print_message("%u rays, %u hidden, %u either, %u wrong\n", rays, hidden, either, wrong);
    assert_int_equal(wrong, 0);
    assert_true(rays > 1000 && (uint64_t)either * 1000 <= (uint64_t)rays * (uint64_t)most);
    shade_free(&found);
}

// ---- closed forms ----

static const double OBLIQUE[3] = { 0.6, 0, 0.8 };

static double tilted(const double at[3])
{
    return 8 - at[2] + 0.37 * at[0] - 0.21 * at[1];
}

static double level(const double at[3])
{
    return 11 - at[2]; // the surface is on samples
}

// A plane has no shadow, wherever in its cells the hits are and however flat the light comes.
static void test_planes(void **state)
{
    (void)state;
    static const double lights[][3] = { { 0.6, 0, 0.8 }, { -0.96, 0, 0.28 }, { 0, 0.8, 0.6 } };
    double (*const planes[])(const double at[3]) = { tilted, level };
    for (int plane = 0; plane < 2; plane++) {
        struct shade_bench bench = { 0 };
        shade_open(&bench, planes[plane]);
        for (int i = 0; i < 3; i++) {
            const struct cast cast = shade_cast(lights[i], 0, 0, SIDE, SIDE, false);
            struct shade_hits found = shade_do(&bench, &cast);
            uint32_t hits = 0, dark = 0;
            for (size_t at = 0; at < (size_t)cast.width * cast.height; at++) {
                if (found.hits[at].cell != CAST_NOTHING) {
                    hits++;
                    dark += shade_rays(found.shades[at]) != SHADOW_RAYS ||
                            !(fabs(shade_left(found.points[at]) - 1) < 1e-5);
                }
            }
            assert_true(hits > SIDE * SIDE / 2);
            assert_int_equal(dark, 0);
            shade_free(&found);
        }
        shade_close(&bench);
    }
}

// The plane with noise. The noise makes grooves.
static double grooved(const double at[3])
{
    const double noise = sin(12.9898 * at[0] + 78.233 * at[1] + 37.719 * at[2]) * 43758.5453;
    return tilted(at) + 0.3 * (noise - floor(noise) - 0.5);
}

// The camera is inside of the solid.
static double grooved_inside(const double at[3])
{
    return -grooved(at);
}

// Casts the shadow of a surface on itself. Returns how many shadow rays meet the surface, of those
// that leave it on the side that is seen.
static uint32_t shade_hidden(double value(const double at[3]), bool inside)
{
    struct shade_bench bench = { 0 };
    const double towards[3] = { 0.9, 0, 0.436 };
    const struct cast cast = shade_cast(towards, 0, 0, SIDE, SIDE, false);
    shade_open(&bench, value);
    struct shade_hits found = shade_do(&bench, &cast);
    uint32_t rays = 0, hidden = 0;
    for (size_t at = 0; at < (size_t)cast.width * cast.height; at++) {
        if (found.shades[at] == SHADOW_NONE) {
            continue;
        }
        assert_int_equal((found.shades[at] & CAST_BACK) != 0, inside);
        for (uint32_t i = 0; i < SHADOW_RAYS; i++) {
            double to[3], above = 0;
            shade_direction(&cast, at, i, to);
            for (int k = 0; k < 3; k++) {
                above += to[k] * (double)found.points[at][3 + k] * (inside ? -1 : 1);
            }
            rays += above > 1e-5;
            hidden += above > 1e-5 && (found.shades[at] >> i & 1) == 0;
        }
    }
    print_message("of %u rays %u hidden\n", rays, hidden);
    assert_true(rays > SIDE * SIDE);
    shade_free(&found);
    shade_close(&bench);
    return hidden;
}

// A noisy plane throws no shadow on itself, though the light is only 5 degrees above the plane.
static void test_grooves(void **state)
{
    (void)state;
    assert_int_equal(shade_hidden(grooved, false), 0);
    assert_int_equal(shade_hidden(grooved_inside, true), 0);
}

#define RADIUS 3.2
static const double CENTRE[3] = { 14.1, 11.7, 15.2 };

static double ball_distance(const double at[3])
{
    return sqrt(pow(at[0] - CENTRE[0], 2) + pow(at[1] - CENTRE[1], 2) + pow(at[2] - CENTRE[2], 2));
}

static double ball_over_plane(const double at[3])
{
    return fmax(RADIUS - ball_distance(at), 4.3 - at[2]);
}

static enum shade ball_shade(
    struct shade_bench *bench, const struct cast *cast, const double at[3], const double to[3],
    bool back)
{
    (void)bench, (void)cast, (void)back;
    if (at[2] > 5.5) { // the ball itself: convex
        return SHADE_LIT;
    }
    double along = 0, length = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        along += (CENTRE[k] - at[k]) * to[k];
        length += to[k] * to[k];
        square += (CENTRE[k] - at[k]) * (CENTRE[k] - at[k]);
    }
    const double off = sqrt(square - along * along / length) - RADIUS;
    return fabs(off) < 0.12 ? SHADE_EITHER : off < 0 ? SHADE_HIDDEN : SHADE_LIT;
}

// A ball throws a round shadow on a plane, and none on itself where the light reaches it.
static void test_ball_over_plane(void **state)
{
    (void)state;
    struct shade_bench bench = { 0 };
    const struct cast cast = shade_cast(OBLIQUE, 0, 0, SIDE, SIDE, false);
    shade_open(&bench, ball_over_plane);
    shade_compare(&bench, &cast, 60, ball_shade);
    // The umbra is around where the light's middle through the centre meets the plane.
    struct shade_hits found = shade_do(&bench, &cast);
    const double high = CENTRE[2] - 4.3 - (double)SHADOW_ABOVE;
    const double foot[2] = { CENTRE[0] - high * 0.75, CENTRE[1] };
    double sum[2] = { 0 }, all = 0;
    for (size_t at = 0; at < (size_t)cast.width * cast.height; at++) {
        const float *point = found.points[at];
        if (found.hits[at].cell != CAST_NOTHING && point[2] < 4.4f) {
            const double dark = 1 - shade_left(point);
            sum[0] += dark * ((double)point[0] - foot[0]);
            sum[1] += dark * ((double)point[1] - foot[1]);
            all += dark;
        }
    }
    // An ellipse, of which the ball hides a part on its right.
    const double cell = pow(SIDE / (DIM - 1.0), 2), area = acos(-1) * RADIUS * RADIUS / 0.8 * cell;
    assert_true(fabs(sum[1] / all) < 0.1 && sum[0] / all < 0.1 && sum[0] / all > -2);
    assert_true(all > 0.6 * area && all < 1.02 * area);
    shade_free(&found);
    shade_close(&bench);
}

// What a shadow needs is freed and made again.
static void test_switched_off_and_on(void **state)
{
    (void)state;
    struct shade_bench bench = { 0 };
    struct problem problem = { 0 };
    const struct cast cast = shade_cast(OBLIQUE, 0, 0, SIDE, SIDE, false);
    shade_open(&bench, ball_over_plane);
    struct shade_hits before = shade_do(&bench, &cast);
    const uint64_t held = gpu.budget.allocated, shades = bench.casting.shadow.shades.held;
    casting_drop_shadow(&bench.casting);
    assert_true(shades > 0 && gpu.budget.allocated == held - shades);
    casting_drop_shadow(&bench.casting);
    for (int i = 0; i < 2; i++) {
        REQUIRE(casting_prepare_shadow(&bench.casting, &problem));
        assert_int_equal(gpu.budget.allocated, held);
    }
    struct shade_hits after = shade_do(&bench, &cast);
    const size_t pixels = (size_t)cast.width * cast.height;
    assert_memory_equal(before.shades, after.shades, pixels * sizeof *after.shades);
    shade_free(&before);
    shade_free(&after);
    shade_close(&bench);
}

// ---- brute force ----

static double bumps(const double at[3])
{
    const double k = 0.55;
    const double edge = fmin(
        fmin(fmin(at[0], at[1]), at[2]),
        DIM - 1 - fmax(fmax(at[0], at[1]), at[2])); // no solid at the border
    return fmin(
        sin(k * at[0]) * cos(k * at[1]) + sin(k * at[1]) * cos(k * at[2]) +
            sin(k * at[2]) * cos(k * at[0]) - 0.2,
        edge - 1.5);
}

// A ray may begin inside: see SHADOW_INSIDE. What is near its begin may be either.
static enum shade brute_shade(
    struct shade_bench *bench, const struct cast *cast, const double at[3], const double to[3],
    bool back)
{
    const double length = hypot(hypot(to[0], to[1]), to[2]), near = 3;
    struct reference_hit met[8];
    struct reference_ray ray = { .begin = 0, .end = INFINITY };
    for (int k = 0; k < 3; k++) {
        ray.start[k] = at[k];
        ray.direction[k] = fabs(to[k]) < 1e-10 ? 1e-10 : to[k];
    }
    const uint32_t count = reference_cast(&bench->volume, cast->isos[0], &ray, met, 8);
    uint32_t first = 0;
    while (first < count && met[first].t * length < 1e-3) {
        first++;
    }
    if (first == count) {
        return SHADE_LIT;
    }
    const bool enters = met[first].front != back;
    if (enters) {
        const bool shallow = met[first].t * length < 2 && first + 1 < count &&
                             (met[first + 1].t - met[first].t) * length < 2;
        return shallow ? SHADE_EITHER : SHADE_HIDDEN;
    }
    return met[first].t * length < near ? SHADE_EITHER : SHADE_HIDDEN;
}

static void test_brute_force(void **state)
{
    (void)state;
    struct shade_bench bench = { 0 };
    const double light[3] = { -0.48, 0.64, 0.6 };
    const struct cast cast = shade_cast(light, 0, 0, SIDE, SIDE, false);
    shade_open(&bench, bumps);
    shade_compare(&bench, &cast, 60, brute_shade);
    shade_close(&bench);
}

// ---- the same, however it is made ----

// Copies the points of a cast without its border into the picture.
static void shade_put(const struct shade_hits *hits, const struct cast *cast, float (*picture)[6])
{
    for (uint32_t y = CAST_BORDER; y < cast->height - CAST_BORDER; y++) {
        for (uint32_t x = CAST_BORDER; x < cast->width - CAST_BORDER; x++) {
            const size_t from = (size_t)y * cast->width + x;
            const size_t to = (size_t)((int)y + cast->y) * SIDE + (size_t)((int)x + cast->x);
            if (hits->shades[from] != SHADOW_NONE) {
                memcpy(picture[to], hits->points[from], sizeof picture[to]);
            }
        }
    }
}

static void test_the_same(void **state)
{
    (void)state;
    struct shade_bench bench = { 0 };
    struct problem problem = { 0 };
    const size_t size = (size_t)SIDE * SIDE * sizeof(float[6]);
    float(*whole)[6] = calloc(1, size), (*other)[6] = malloc(size);
    struct cast cast = shade_cast(OBLIQUE, 0, 0, SIDE, SIDE, true);
    shade_open(&bench, bumps);
    struct shade_hits hits = shade_do(&bench, &cast);
    const uint32_t count = hits.count;
    const struct list_counter *edges = bench.casting.edges.buffers[EDGES_COUNTED].mapped;
    const uint32_t edge_count = edges->count;
    shade_put(&hits, &cast, whole);
    shade_free(&hits);
    assert_true(count > SIDE * SIDE / 2 && edge_count > 100);

    while ((cast.caster = caster_next(cast.caster))) {
        REQUIRE(casting_prepare(&bench.casting, cast.caster, NULL, &problem));
        memset(other, 0, size);
        hits = shade_do(&bench, &cast);
        shade_put(&hits, &cast, other);
        shade_free(&hits);
        assert_memory_equal(whole, other, size);
    }

    uint32_t parts = 0, part_edges = 0;
    memset(other, 0, size);
    for (int y = 0; y < SIDE; y += 19) {
        const int height = SIDE - y < 19 ? SIDE - y : 19;
        for (int half = 0; half < 2; half++) {
            cast = shade_cast(OBLIQUE, half ? 17 : 0, y, half ? SIDE - 17 : 17, height, true);
            hits = shade_do(&bench, &cast);
            shade_put(&hits, &cast, other);
            shade_free(&hits);
            parts += hits.count;
            part_edges += edges->count;
        }
    }
    assert_int_equal(parts, count);
    assert_int_equal(part_edges, edge_count);
    assert_memory_equal(whole, other, size);
    free(whole);
    free(other);
    shade_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planes),          cmocka_unit_test(test_grooves),
        cmocka_unit_test(test_ball_over_plane), cmocka_unit_test(test_switched_off_and_on),
        cmocka_unit_test(test_brute_force),     cmocka_unit_test(test_the_same),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
