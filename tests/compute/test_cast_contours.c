// ctest: plain once share
// Rays through several contours, and through contours that planes cut: the nearest of what casts of
// one contour find, by every caster and in parts, and what the reference finds with the planes.
#include "tests/device.h"

#include "compute/casting/cast_pass.h"
#include "compute/gpu/transfer.h"
#include "compute/reference/cast.h"
#include "shaders/shared/casting.h"

#include <math.h>

#define SIDE   64
#define PIXELS (SIDE * SIDE)

struct many_bench {
    struct volume volume;
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
};

// Opens a volume, which the bench takes, with all casters prepared.
static void many_open(struct many_bench *bench, struct volume volume, enum atlas_storage storage)
{
    struct problem problem = { 0 };
    const struct atlas_params params = { .storage = storage };
    bench->volume = volume;
    REQUIRE(atlas_create(&gpu, &bench->volume, &params, &bench->atlas, &problem));
    REQUIRE(volume_cubes(&bench->volume, NULL, &bench->cubes, &problem));
    REQUIRE(casting_create(
        &gpu, &bench->atlas, &bench->cubes, caster_default(), PIXELS, 1, &bench->casting,
        &problem));
}

static void many_close(struct many_bench *bench)
{
    casting_destroy(&bench->casting);
    cubes_destroy(&bench->cubes);
    atlas_destroy(&gpu, &bench->atlas);
    volume_destroy(&bench->volume);
}

// A camera that looks at the volume's centre from a turned direction.
static struct cast many_cast(const struct volume *volume, double angle, bool ortho)
{
    const double c = cos(angle), s = sin(angle), u = cos(0.4), v = sin(0.4);
    const double view[3][3] = { { c, -s * v, s * u }, { s, c * v, -c * u }, { 0, u, v } };
    double half = 0;
    for (int i = 0; i < 3; i++) {
        half = fmax(half, (volume->dim[i] - 1) / 2.0);
    }
    struct rays_camera camera = {
        .half_width = (ortho ? half : 0.5) * 1.2,
        .half_height = (ortho ? half : 0.5) * 1.2,
        .ortho = ortho,
        .near_plane = ortho ? -1e3 * half : 1e-3 * half,
        .width = SIDE,
        .height = SIDE,
    };
    for (int r = 0; r < 3; r++) {
        camera.to_view[3][r] = r == 2 ? -3 * half : 0;
        for (int k = 0; k < 3; k++) {
            camera.to_view[k][r] = view[k][r];
            camera.to_view[3][r] -= view[k][r] * (volume->dim[k] - 1) / 2.0;
        }
    }
    camera.to_view[3][3] = 1;
    struct cast cast = { .caster = caster_default(), .width = SIDE, .height = SIDE };
    rays_of(&camera, volume->dim, &cast.rays);
    return cast;
}

static void many_do(struct many_bench *bench, const struct cast *cast, struct cast_hit *out)
{
    struct problem problem = { 0 };
    uint32_t hits;
    REQUIRE(casting_run(&bench->casting, cast, &hits, &problem));
    REQUIRE(casting_fetch(&bench->casting, cast, out, &problem));
    for (uint32_t i = 0; i < PIXELS; i++) {
        hits -= out[i].cell != CAST_NOTHING;
    }
    assert_int_equal(hits, 0);
}

// Casts by every caster; all find the same.
static void many_all(struct many_bench *bench, const struct cast *cast, struct cast_hit *out)
{
    struct cast_hit *other = malloc(PIXELS * sizeof *other);
    struct cast by = *cast;
    many_do(bench, cast, out);
    while ((by.caster = caster_next(by.caster))) {
        many_do(bench, &by, other);
        if (memcmp(out, other, PIXELS * sizeof *other) != 0) {
            fail_msg("%s finds other hits than %s", by.caster->name, cast->caster->name);
        }
    }
    free(other);
}

static const struct {
    const char *name;
    uint32_t dim[3];
    enum volume_type type;
    enum atlas_storage storage;
    bool gaps;
    uint32_t count;
    double isos[CONTOURS_MOST];
} volumes[] = {
    { "gyroid", { 24, 23, 25 }, VOLUME_UINT8, ATLAS_STORAGE_BUFFER, false, 3, { 200, 60, 120.5 } },
    { "noise", { 21, 14, 18 }, VOLUME_UINT16, ATLAS_STORAGE_IMAGE, false, 2, { 40000, 30000 } },
    { "torus", { 38, 31, 30 }, VOLUME_FLOAT32, ATLAS_STORAGE_BUFFER, true, 2, { 0.41, 0.2 } },
    { "noise",
      { 9, 5, 16 },
      VOLUME_INT8,
      ATLAS_STORAGE_BUFFER,
      false,
      8,
      { 0, 1, 50, -50, 50, -90, 3.5, 80 } },
};

static struct volume volume_of(size_t v)
{
    struct volume volume;
    struct problem problem = { 0 };
    REQUIRE(volume_generate(volumes[v].name, volumes[v].dim, volumes[v].type, &volume, &problem));
    for (size_t i = 0; volumes[v].gaps && i < volume_count(&volume); i++) {
        if (i % volume.dim[0] == 17 || i % 997 == 5) {
            ((float *)volume.samples)[i] = ((const float[]){ NAN, INFINITY, -INFINITY })[i % 3];
        }
    }
    return volume;
}

// The bits below CAST_BACK that a hit's contour takes.
static uint32_t contour_bits(uint32_t count)
{
    uint32_t bits = 0;
    while (1u << bits < count) {
        bits++;
    }
    return bits;
}

// The hits of several contours are the nearest ones of each; without planes or with one that keeps
// all, the same.
static void test_nearest(void **state)
{
    (void)state;
    struct cast_hit *hits = malloc(PIXELS * sizeof *hits), *one = malloc(PIXELS * sizeof *one);
    struct cast_hit *nearest = malloc(PIXELS * sizeof *nearest);
    const size_t step = is_set("CUBIST_WHOLE") ? 1 : 2;
    for (size_t v = 0; v < sizeof volumes / sizeof *volumes; v += step) {
        struct many_bench bench;
        many_open(&bench, volume_of(v), volumes[v].storage);
        const uint32_t count = volumes[v].count, bits = contour_bits(count);
        for (int view = 0; view < (is_set("CUBIST_WHOLE") ? 2 : 1); view++) {
            struct cast cast = many_cast(&bench.volume, 0.7 + view, view == 1);
            uint32_t seen[CONTOURS_MOST] = { 0 };
            for (uint32_t i = 0; i < PIXELS; i++) {
                nearest[i] = (struct cast_hit){ NAN, CAST_NOTHING };
            }
            for (uint32_t k = 0; k < count; k++) {
                cast.isos[0] = volumes[v].isos[k];
                many_do(&bench, &cast, one);
                for (uint32_t i = 0; i < PIXELS; i++) {
                    if (one[i].cell != CAST_NOTHING && !(one[i].t >= nearest[i].t)) {
                        nearest[i].t = one[i].t;
                        nearest[i].cell = one[i].cell | k << (31 - bits);
                    }
                }
            }
            cast.contours = count;
            memcpy(cast.isos, volumes[v].isos, sizeof cast.isos);
            many_all(&bench, &cast, hits);
            for (uint32_t i = 0; i < PIXELS; i++) {
                if (nearest[i].cell == CAST_NOTHING) {
                    assert_int_equal(hits[i].cell, CAST_NOTHING);
                } else {
                    assert_int_equal(hits[i].cell, nearest[i].cell);
                    assert_memory_equal(&hits[i].t, &nearest[i].t, sizeof hits[i].t);
                    seen[hits[i].cell << 1 >> 1 >> (31 - bits)]++;
                }
            }
            // Equal contours are seen as the first of them.
            for (uint32_t k = 0; k < count; k++) {
                assert_int_equal(seen[k] == 0, v == 3 && k == 4);
            }
            cast.clipped = 0xff;
            cast.plane_count = 1;
            cast.planes[0][3] = 1;
            many_all(&bench, &cast, one);
            assert_memory_equal(hits, one, PIXELS * sizeof *hits);
        }
        many_close(&bench);
    }
    free(hits);
    free(one);
    free(nearest);
}

// A plane with this normal through a point that is `share` of the way along the volume's diagonal.
static void plane_at(const struct volume *volume, const float normal[3], float share, float out[4])
{
    out[3] = 0;
    for (int i = 0; i < 3; i++) {
        out[i] = normal[i];
        out[3] -= normal[i] * share * (float)(volume->dim[i] - 1);
    }
}

static const struct {
    uint32_t contours, clipped, planes;
    bool all;
    float normals[3][3], shares[3];
} cuts[] = {
    { 1, 1, 1, false, { { 1, 0.3f, -0.2f } }, { 0.5f } },
    { 1, 1, 3, true, { { 1, 0, 0 }, { 0, -1, 0 }, { 0.1f, 0, 1 } }, { 0.5f, 0.4f, 0.6f } },
    { 2, 3, 2, false, { { -1, 0, 0.1f }, { 0, 1, 0 } }, { 0.5f, 0.3f } },
    { 2, 2, 1, false, { { 0, 0.7f, 0.7f } }, { 0.5f } },
};

static struct reference_contours reference_of(const struct cast *cast)
{
    struct reference_contours out = {
        .count = cast->contours,
        .clipped = cast->clipped,
        .plane_count = cast->plane_count,
        .clip_all = cast->clip_all,
    };
    memcpy(out.isos, cast->isos, sizeof out.isos);
    for (int i = 0; i < 12; i++) {
        out.planes[i / 4][i % 4] = (double)cast->planes[i / 4][i % 4];
    }
    return out;
}

// The ray of a pixel. False: it misses the volume.
static bool reference_ray_at(
    const struct volume *volume, const struct cast *cast, uint32_t pixel, struct reference_ray *out)
{
    struct ray ray;
    const bool meets = rays_at(&cast->rays, volume->dim, pixel % SIDE, pixel / SIDE, &ray);
    *out = (struct reference_ray){ .begin = ray.begin, .end = ray.end };
    for (int i = 0; i < 3; i++) {
        out->start[i] = ray.start[i];
        out->direction[i] = ray.direction[i];
    }
    return meets;
}

// Compares hits with the reference's. Returns how many pixels differ, and adds those with a hit to
// *met.
static uint32_t compare(
    const struct many_bench *bench, const struct cast *cast, struct cast_hit *hits, uint32_t *met)
{
    const struct volume *volume = &bench->volume;
    const uint32_t bits = contour_bits(cast->contours);
    const struct reference_contours contours = reference_of(cast);
    uint32_t differ = 0;
    for (uint32_t p = 0; p < PIXELS; p++) {
        const uint32_t cell = hits[p].cell;
        struct reference_crossing first;
        struct reference_ray given;
        if (!reference_ray_at(volume, cast, p, &given)) {
            assert_int_equal(cell, CAST_NOTHING);
            continue;
        }
        const bool has = reference_crossings(volume, &contours, &given, &first, 1) == 1;
        *met += has;
        differ += has != (cell != CAST_NOTHING) ||
                  (has && (fabs(hits[p].t - first.hit.t) > 1e-4 ||
                           first.hit.front == ((cell & CAST_BACK) != 0) ||
                           first.contour != cell << 1 >> 1 >> (31 - bits)));
    }
    return differ;
}

static void test_planes(void **state)
{
    (void)state;
    struct cast_hit *hits = malloc(PIXELS * sizeof *hits);
    for (size_t v = 0; v < (is_set("CUBIST_WHOLE") ? 2 : 1); v++) {
        struct many_bench bench;
        many_open(&bench, volume_of(v), volumes[v].storage);
        for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
            uint32_t met = 0;
            struct cast cast = many_cast(&bench.volume, 0.7 + (double)i, i % 2);
            cast.contours = cuts[i].contours;
            cast.clipped = cuts[i].clipped;
            cast.plane_count = cuts[i].planes;
            cast.clip_all = cuts[i].all;
            memcpy(cast.isos, volumes[v].isos, sizeof cast.isos);
            for (uint32_t k = 0; k < cuts[i].planes; k++) {
                plane_at(&bench.volume, cuts[i].normals[k], cuts[i].shares[k], cast.planes[k]);
            }
            many_all(&bench, &cast, hits);
            const uint32_t differ = compare(&bench, &cast, hits, &met);
            if (differ > 3 || met < 500) {
                fail_msg("%s, cut %zu: %u of %u differ", volumes[v].name, i, differ, met);
            }
        }
        many_close(&bench);
    }
    free(hits);
}

static const struct cast *layer_cast;
static bool layer_first;

static void record_layer(struct casting *casting, struct run *run)
{
    if (layer_first) {
        casting_record(casting, run, layer_cast);
    } else {
        casting_record_layer(casting, run, layer_cast);
        casting_record_left(casting, run);
    }
}

static void layer_submit(struct many_bench *bench)
{
    struct problem problem = { 0 };
    struct run run;
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    run_begin(&run, &gpu, cmd, NULL);
    record_layer(&bench->casting, &run);
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
}

// Layer by layer each ray meets what the reference says, and leaves the list behind its last
// crossing: by methods that compact in the kernel and in kernels of their own.
static void test_layers(void **state)
{
    (void)state;
    enum { MOST = 200 };
    static const char *const methods[] = { "ink-collate", "ink-compact", "ofk-compact" };
    struct cast_hit *hits = malloc(PIXELS * sizeof *hits), *before = malloc(PIXELS * sizeof *hits);
    struct reference_crossing(*all)[MOST] = malloc(PIXELS * sizeof *all);
    uint32_t *counts = malloc(PIXELS * sizeof *counts);
    for (size_t v = 0; v < (is_set("CUBIST_WHOLE") ? 3 : 2); v++) {
        struct problem problem = { 0 };
        struct many_bench bench;
        many_open(&bench, volume_of(v), volumes[v].storage);
        struct cast cast = many_cast(&bench.volume, 0.7, v == 1);
        cast.method = method_find(methods[v]);
        cast.contours = volumes[v].count;
        cast.clipped = 1;
        cast.plane_count = 1;
        plane_at(&bench.volume, (const float[3]){ 1, 0.2f, -0.3f }, 0.4f, cast.planes[0]);
        memcpy(cast.isos, volumes[v].isos, sizeof cast.isos);
        for (uint32_t k = 0; k < cast.contours; k++) {
            cast.transparencies[k] = 0.999f; // 0.999^200 is more than LAYERS_LEAST
        }
        REQUIRE(casting_set_many(&bench.casting, &cast, &problem));
        REQUIRE(casting_prepare_layers(&bench.casting, cast.method, &problem));
        const uint32_t bits = contour_bits(cast.contours);
        for (uint32_t p = 0; p < PIXELS; p++) {
            const struct reference_contours contours = reference_of(&cast);
            struct reference_ray ray;
            counts[p] = reference_ray_at(&bench.volume, &cast, p, &ray)
                            ? reference_crossings(&bench.volume, &contours, &ray, all[p], MOST)
                            : 0;
            assert_true(counts[p] < MOST);
        }
        uint32_t left = PIXELS, differ = 0, met = 0;
        layer_cast = &cast;
        for (uint32_t layer = 0; left > 0; layer++) {
            uint32_t on = 0;
            layer_first = layer == 0;
            layer_submit(&bench);
            REQUIRE(casting_fetch(&bench.casting, &cast, hits, &problem));
            for (uint32_t p = 0; p < PIXELS; p++) {
                const bool has = hits[p].cell != CAST_NOTHING &&
                                 (layer == 0 || memcmp(&hits[p], &before[p], sizeof *hits) != 0);
                on += has;
                if (counts[p] == UINT32_MAX) { // it has differed before
                    continue;
                }
                met += has;
                const struct reference_crossing *crossing = &all[p][layer];
                if (has != (layer < counts[p]) ||
                    (has && (fabs(hits[p].t - crossing->hit.t) > 1e-4 ||
                             crossing->hit.front == ((hits[p].cell & CAST_BACK) != 0) ||
                             crossing->contour != hits[p].cell << 1 >> 1 >> (31 - bits)))) {
                    counts[p] = UINT32_MAX;
                    differ++;
                }
            }
            left = layer == 0 ? on : casting_layers_left(&bench.casting);
            assert_int_equal(left, on);
            memcpy(before, hits, PIXELS * sizeof *hits);
        }
        if (differ > PIXELS / 100 || met < 1000) {
            fail_msg("%s: %u rays differ, %u crossings", volumes[v].name, differ, met);
        }
        many_close(&bench);
    }
    free(hits);
    free(before);
    free(all);
    free(counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_planes),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
