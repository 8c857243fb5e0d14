// ctest: plain twin
// Rays on the device: the same hits by every caster, whatever is skipped and however a picture is
// divided, and where closed forms and the reference say.
#include "tests/device.h"

#include "compute/casting/casting.h"
#include "compute/gpu/transfer.h"
#include "compute/reference/cast.h"
#include "shaders/shared/casting.h"

#include <math.h>
#include <unistd.h>

// A volume on the device, and rays through it.
struct cast_bench {
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
};

// With `skips` all casters are prepared; without, the cubes tell nothing, and only the first one
// is.
static void cast_open(
    struct cast_bench *bench, const struct volume *volume, enum atlas_storage storage, bool skips,
    uint32_t pixels)
{
    struct problem problem = { 0 };
    const struct atlas_params params = { .storage = storage };
    REQUIRE(atlas_create(&gpu, volume, &params, &bench->atlas, &problem));
    REQUIRE(volume_cubes(volume, NULL, &bench->cubes, &problem));
    float least = INFINITY, most = -INFINITY;
    for (uint64_t i = 0; i < cubes_count(&bench->cubes); i++) {
        least = fminf(least, bench->cubes.range[i][0]);
        most = fmaxf(most, bench->cubes.range[i][1]);
    }
    for (uint64_t i = 0; !skips && i < cubes_count(&bench->cubes); i++) {
        bench->cubes.range[i][0] = least;
        bench->cubes.range[i][1] = most;
    }
    const struct caster *caster = caster_next(NULL);
    REQUIRE(casting_create(
        &gpu, &bench->atlas, &bench->cubes, caster, pixels, 1, &bench->casting, &problem));
    // Casters in rounds have many kernels: they cast small volumes here, others in test_wavefront.
    const bool small = volume_count(volume) < 6000;
    for (; caster && skips; caster = caster_next(caster)) {
        if (!caster->wavefront || small) {
            REQUIRE(casting_prepare(&bench->casting, caster, NULL, &problem));
        }
    }
}

static void cast_close(struct cast_bench *bench)
{
    casting_destroy(&bench->casting);
    cubes_destroy(&bench->cubes);
    atlas_destroy(&gpu, &bench->atlas);
}

// Casts, and returns the number of hits; `out` has width * height of them.
static uint32_t cast_do(struct cast_bench *bench, const struct cast *cast, struct cast_hit *out)
{
    struct problem problem = { 0 };
    uint32_t hits;
    REQUIRE(casting_run(&bench->casting, cast, &hits, &problem));
    REQUIRE(casting_fetch(&bench->casting, cast, out, &problem));
    uint32_t found = 0;
    for (size_t i = 0; i < (size_t)cast->width * cast->height; i++) {
        const bool has = out[i].cell != CAST_NOTHING;
        assert_int_equal(has, isfinite(out[i].t));
        found += has;
    }
    assert_int_equal(found, hits);
    return hits;
}

// Casts by every caster, which all find the hits of the first one.
static uint32_t cast_all(struct cast_bench *bench, const struct cast *cast, struct cast_hit *out)
{
    const size_t size = (size_t)cast->width * cast->height * sizeof *out;
    const uint32_t hits = cast_do(bench, cast, out);
    struct cast_hit *other = malloc(size);
    struct cast by = *cast;
    assert_ptr_equal(cast->caster, caster_next(NULL));
    while ((by.caster = caster_next(by.caster))) {
        if (!casting_find(&bench->casting, by.caster)) {
            continue;
        }
        assert_int_equal(cast_do(bench, &by, other), hits);
        if (memcmp(out, other, size) != 0) {
            fail_msg("%s finds other hits than %s", by.caster->name, cast->caster->name);
        }
    }
    free(other);
    return hits;
}

// A camera that turns: `angle` about z, then `tilt`; the volume's centre is `far` before it. Slices
// are `stretch` times as far from each other as columns.
static struct rays camera_rays(
    const struct volume *volume, double angle, double tilt, double far, double stretch, bool ortho,
    uint32_t width, uint32_t height)
{
    const double c = cos(angle), s = sin(angle), u = cos(tilt), v = sin(tilt);
    const double view[3][3] = { { c, -s * v, s * u },
                                { s, c * v, -c * u },
                                { 0, u, v } }; // columns
    double half = 0;
    for (int i = 0; i < 3; i++) {
        half = fmax(half, (volume->dim[i] - 1) / 2.0);
    }
    struct rays_camera camera = {
        .half_width = (ortho ? half : 0.5) * 1.2,
        .half_height = (ortho ? half : 0.5) * 1.2 * height / width,
        .ortho = ortho,
        .near_plane = ortho ? -1e3 * half : 1e-3 * half,
        .width = width,
        .height = height,
    };
    for (int r = 0; r < 3; r++) {
        camera.to_view[3][r] = r == 2 ? -far * half : 0;
        for (int k = 0; k < 3; k++) {
            camera.to_view[k][r] = view[k][r] * (k == 2 ? stretch : 1);
            camera.to_view[3][r] -= camera.to_view[k][r] * (volume->dim[k] - 1) / 2.0;
        }
    }
    camera.to_view[3][3] = 1;
    struct rays rays;
    rays_of(&camera, volume->dim, &rays);
    return rays;
}

static const struct {
    const char *name;
    uint32_t dim[3];
    enum volume_type type;
    double iso;
    bool gaps; // samples that are not finite: a wall, and here and there
} volumes[] = {
    { "gyroid", { 40, 33, 37 }, VOLUME_UINT8, 120.5 },
    { "noise", { 21, 34, 18 }, VOLUME_UINT16, 30000 },
    { "marschner-lobb", { 33, 33, 33 }, VOLUME_INT16, 1000.25 },
    { "torus", { 70, 61, 50 }, VOLUME_FLOAT32, 0.41, true },
    { "sphere", { 81, 70, 66 }, VOLUME_UINT8, 100 },
    { "torus", { 80, 81, 64 }, VOLUME_UINT16, 40000 },
    { "noise", { 17, 5, 70 }, VOLUME_INT32, 0 },
    { "noise", { 2, 2, 2 }, VOLUME_UINT8, 100 },
    { "noise", { 2, 30, 30 }, VOLUME_INT8, 0.5 },
};

#define SIDE 64

static void volume_make(size_t v, struct volume *out)
{
    struct problem problem = { 0 };
    REQUIRE(volume_generate(volumes[v].name, volumes[v].dim, volumes[v].type, out, &problem));
    for (size_t i = 0; volumes[v].gaps && i < volume_count(out); i++) {
        if (i % out->dim[0] == 37 || i % 997 == 5) {
            ((float *)out->samples)[i] = ((const float[]){ NAN, INFINITY, -INFINITY })[i % 3];
        }
    }
}

// Directions: across, along each axis, and from within the volume.
static const struct {
    double angle, tilt, far;
    bool ortho;
    double stretch; // 0: 1
} views[] = {
    { 0.7, 0.4, 3, false },     { -2.1, -1.1, 3, false },      { 0.3, 0.2, 0, false },
    { 0, 0, 3, true },          { M_PI / 2, 0, 3, true },      { 0, M_PI / 2, 3, true },
    { 0.7, 0.4, 3, true },      { M_PI, -0.6155, 0.2, false }, { 1.9, 0.8, 3, false, 0.01 },
    { -0.6, 1.3, 3, true, 40 },
};

// Rays with small whole slopes through samples and the middles between them: along edges and
// diagonals, and through corners.
static const int slopes[][3] = {
    { 0, 0, 1 }, { 0, 0, -1 }, { 0, 1, 1 },   { 1, 1, 1 }, { -1, 1, 1 },
    { 1, 2, 3 }, { -3, 1, 2 }, { 1, -1, -1 }, { 0, 2, 1 },
};
#define VIEWS  (sizeof views / sizeof *views)
#define SLOPES (sizeof slopes / sizeof *slopes)

static struct rays sloped_rays(const struct volume *volume, size_t slope, int axis)
{
    struct rays rays = { .begin = -1000 };
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    rays.anchor[x] = rays.anchor[y] = -0.25f;
    rays.anchor[axis] = (float)(volume->dim[axis] / 2);
    rays.across[x] = rays.down[y] = 0.5f;
    rays.eye[x] = (float)-slopes[slope][0];
    rays.eye[y] = (float)-slopes[slope][1];
    rays.eye[axis] = (float)-slopes[slope][2];
    return rays;
}

static struct cast cast_of(const struct volume *volume, size_t v, size_t view)
{
    if (view >= VIEWS) {
        return (struct cast){
            .caster = caster_default(),
            .isos = { volumes[v].iso },
            .rays = sloped_rays(volume, (view - VIEWS) / 3, (int)(view - VIEWS) % 3),
            .width = SIDE,
            .height = SIDE,
        };
    }
    return (struct cast){
        .caster = caster_default(),
        .isos = { volumes[v].iso },
        .rays = camera_rays(
            volume, views[view].angle, views[view].tilt, views[view].far,
            views[view].stretch > 0 ? views[view].stretch : 1, views[view].ortho, SIDE, SIDE),
        .width = SIDE,
        .height = SIDE,
    };
}

// Sets all bits of the masks and of the strips, has no leaps, and lists all bricks. They stay while
// the isovalue does.
static void cast_set_masks(struct cast_bench *bench, const struct volume *volume)
{
    const struct buffer *buffers = bench->casting.masks.buffers;
    const uint32_t bricks = bench->atlas.brick_count;
    struct problem problem = { 0 };
    const uint64_t rows = (uint64_t)((volume->dim[1] + 2) / 4) * ((volume->dim[2] + 2) / 4);
    const uint64_t fines = (volume->dim[0] + 2) / 4, strips = (fines + 63) / 64;
    uint8_t *bits = calloc(1, buffers[MASKS_BITS].size);
    memset(bits, 0xff, 8 * rows * (fines + strips));
    REQUIRE(
        transfer_upload(&gpu, &buffers[MASKS_BITS], 0, bits, buffers[MASKS_BITS].size, &problem));
    free(bits);
    uint32_t *list = malloc(bricks * sizeof *list);
    for (uint32_t i = 0; i < bricks; i++) {
        list[i] = i;
    }
    REQUIRE(transfer_upload(&gpu, &buffers[MASKS_LIST], 0, list, bricks * sizeof *list, &problem));
    free(list);
    struct raised_counter counter = { .count = bricks, .capacity = bricks, .y1 = 1, .z1 = 1 };
    counter.x1 = (bricks * MASK_CUBES + GROUP - 1) / GROUP;
    REQUIRE(transfer_upload(&gpu, &buffers[MASKS_COUNT], 0, &counter, sizeof counter, &problem));
}

// Without skips every cell on the way is looked at.
static void test_skips_change_nothing(void **state)
{
    (void)state;
    const size_t step = is_set("CUBIST_WHOLE") ? 1 : 3;
    struct cast_hit *hits[2];
    for (int i = 0; i < 2; i++) {
        hits[i] = malloc(SIDE * SIDE * sizeof **hits);
    }
    for (size_t v = 0; v < sizeof volumes / sizeof *volumes; v += step) {
        struct volume volume;
        struct cast_bench with, without;
        volume_make(v, &volume);
        cast_open(&with, &volume, ATLAS_STORAGE_AUTO, true, SIDE * SIDE);
        cast_open(&without, &volume, ATLAS_STORAGE_IMAGE, false, SIDE * SIDE);
        uint32_t all = 0;
        const struct cast first = cast_of(&volume, v, 0);
        cast_do(&without, &first, hits[1]);
        cast_set_masks(&without, &volume);
        for (size_t i = 0; i < VIEWS + 3 * SLOPES; i++) {
            const struct cast cast = cast_of(&volume, v, i);
            const uint32_t found = cast_all(&with, &cast, hits[0]);
            assert_int_equal(cast_do(&without, &cast, hits[1]), found);
            assert_memory_equal(hits[0], hits[1], SIDE * SIDE * sizeof **hits);
            all += found;
        }
        assert_true(all > 0);
        cast_close(&with);
        cast_close(&without);
        volume_destroy(&volume);
    }
    free(hits[0]);
    free(hits[1]);
}

// Trees with leaves of other sizes find the same.
static void test_leaves(void **state)
{
    (void)state;
    const size_t v = 5;
    struct problem problem = { 0 };
    struct volume volume;
    struct cast_bench bench;
    struct cast_hit *hits[2];
    for (int i = 0; i < 2; i++) {
        hits[i] = malloc(SIDE * SIDE * sizeof **hits);
    }
    volume_make(v, &volume);
    cast_open(&bench, &volume, ATLAS_STORAGE_AUTO, true, SIDE * SIDE);
    struct caster others[CASTERS_MOST];
    uint32_t count = 0;
    for (const struct caster *row = caster_next(NULL); row; row = caster_next(row)) {
        for (uint32_t leaf = 2; row->tree != CASTER_CUBES && leaf <= 5; leaf += 3) {
            struct caster *other = &others[count++];
            *other = *row;
            other->leaf = leaf;
            REQUIRE(casting_prepare(&bench.casting, other, NULL, &problem));
        }
    }
    for (size_t i = 0; i < VIEWS; i++) {
        struct cast cast = cast_of(&volume, v, i);
        cast_do(&bench, &cast, hits[0]);
        for (uint32_t k = 0; k < count; k++) {
            cast.caster = &others[k];
            cast_do(&bench, &cast, hits[1]);
            assert_memory_equal(hits[0], hits[1], SIDE * SIDE * sizeof **hits);
        }
    }
    free(hits[0]);
    free(hits[1]);
    cast_close(&bench);
    volume_destroy(&volume);
}

// A casting that had other isovalues finds what a new one does.
static void test_isovalue_changes(void **state)
{
    (void)state;
    static const double isos[] = { 100, 160.5, 100, 20, 400, 20 };
    struct cast_hit *hits[2];
    struct volume volume;
    struct problem problem = { 0 };
    struct cast_bench old;
    for (int i = 0; i < 2; i++) {
        hits[i] = malloc(SIDE * SIDE * sizeof **hits);
    }
    REQUIRE(volume_generate("sphere", volumes[4].dim, VOLUME_UINT8, &volume, &problem));
    cast_open(&old, &volume, ATLAS_STORAGE_AUTO, true, SIDE * SIDE);
    struct cast cast = cast_of(&volume, 4, 0);
    for (size_t i = 0; i < sizeof isos / sizeof *isos; i++) {
        struct cast_bench fresh;
        cast.isos[0] = isos[i];
        cast_open(&fresh, &volume, ATLAS_STORAGE_AUTO, true, SIDE * SIDE);
        const uint32_t found = cast_do(&fresh, &cast, hits[0]);
        assert_int_equal(cast_do(&old, &cast, hits[1]), found);
        assert_true((found > 0) == (isos[i] < 255));
        assert_memory_equal(hits[0], hits[1], SIDE * SIDE * sizeof **hits);
        cast_close(&fresh);
    }
    cast_close(&old);
    free(hits[0]);
    free(hits[1]);
    volume_destroy(&volume);
}

// A field of distances from a point, whose surface is a sphere.
static void test_sphere(void **state)
{
    (void)state;
    const uint32_t dim[3] = { 64, 64, 64 };
    const double centre[3] = { 31.2, 30.7, 32.1 }, radius = 25;
    struct volume volume;
    struct problem problem = { 0 };
    REQUIRE(volume_create(dim, VOLUME_FLOAT32, &volume, &problem));
    for (uint32_t i = 0; i < 64 * 64 * 64; i++) {
        const double x = i % 64 - centre[0], y = i / 64 % 64 - centre[1], z = i / 4096 - centre[2];
        ((float *)volume.samples)[i] = (float)(radius - sqrt(x * x + y * y + z * z));
    }
    struct cast_bench bench;
    struct cast_hit hits[SIDE * SIDE];
    cast_open(&bench, &volume, ATLAS_STORAGE_AUTO, true, SIDE * SIDE);
    for (int ortho = 0; ortho < 2; ortho++) {
        const struct cast cast = {
            .caster = caster_default(),
            .rays = camera_rays(&volume, 0.4, 0.3, 3, 1, ortho, SIDE, SIDE),
            .width = SIDE,
            .height = SIDE,
        };
        cast_all(&bench, &cast, hits);
        for (uint32_t p = 0; p < SIDE * SIDE; p++) {
            struct ray ray;
            const bool meets = rays_at(&cast.rays, dim, p % SIDE, p / SIDE, &ray);
            double b = 0, c = -radius * radius, a = 0;
            for (int i = 0; i < 3; i++) {
                const double from = ray.start[i] - centre[i];
                a += (double)ray.direction[i] * ray.direction[i];
                b += ray.direction[i] * from;
                c += from * from;
            }
            const double inside = b * b - a * c, most = 1 / (8 * radius);
            const double depth = sqrt(fmax(inside, 0) / a); // half the way through the sphere
            // The surface of the interpolated samples is that much smaller, at most.
            const double margin = sqrt(2 * radius * most * 3);
            if (depth > margin) {
                assert_true(meets && hits[p].cell != CAST_NOTHING);
                const double t = (-b - sqrt(inside)) / a, off = fabs(hits[p].t - t) * sqrt(a);
                assert_true(off <= 3 * most * radius / (depth - margin / 2) + 1e-3);
                assert_false(hits[p].cell & CAST_BACK);
            } else if (inside < 0) {
                assert_int_equal(hits[p].cell, CAST_NOTHING);
            }
        }
    }
    cast_close(&bench);
    volume_destroy(&volume);
}

// A picture that is cast in rectangles is that which is cast at once.
static void test_rectangles(void **state)
{
    (void)state;
    const uint32_t dim[3] = { 30, 30, 30 }, width = 300, height = 230;
    struct volume volume;
    struct problem problem = { 0 };
    REQUIRE(volume_generate("gyroid", dim, VOLUME_UINT8, &volume, &problem));
    struct cast_bench bench;
    struct cast_hit *whole = malloc(width * height * sizeof *whole), *part = malloc(65537 * 8);
    cast_open(&bench, &volume, ATLAS_STORAGE_AUTO, true, width * height);
    struct cast cast = {
        .caster = caster_default(),
        .isos = { 100 },
        .rays = camera_rays(&volume, 0.7, 0.4, 3, 1, false, width, height),
        .width = width,
        .height = height,
    };
    assert_true(cast_all(&bench, &cast, whole) > 10000);
    // 1 pixel; about 65,536 in a row, less and more by 1 in a shape; what is no multiple of a tile.
    static const uint32_t parts[][4] = { { 151, 115, 1, 1 },   { 10, 3, 255, 227 },
                                         { 22, 1, 256, 200 },  { 299, 0, 1, 230 },
                                         { 0, 229, 300, 1 },   { 3, 5, 17, 33 },
                                         { 20, 10, 257, 219 }, { 0, 0, 16, 16 } };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cast.x = parts[i][0];
        cast.y = parts[i][1];
        cast.width = parts[i][2];
        cast.height = parts[i][3];
        cast_all(&bench, &cast, part);
        for (uint32_t y = 0; y < cast.height; y++) {
            assert_memory_equal(
                part + (size_t)y * cast.width, whole + (size_t)(cast.y + y) * width + cast.x,
                cast.width * sizeof *part);
        }
    }
    free(whole);
    free(part);
    cast_close(&bench);
    volume_destroy(&volume);
}

// --- isovalues between two floats ---------------------------------------------------------------

#define BLOCK        6 // samples along x that have the same offset: 1e2, 1e3, ...
#define ACROSS       11
#define OFFSET_STEPS 5.3

// Values in units of the last place that floats have at an offset: a tube along x, and around it
// ever greater values.
static double offset_steps(uint32_t x, uint32_t y, uint32_t z)
{
    const double from[3] = { x % BLOCK - 2.5, y - 5.0, z - 5.0 };
    return floor((from[0] * from[0] + from[1] * from[1] + from[2] * from[2]) / 3);
}

static double offset_value(int block, double steps)
{
    const float offset = (float)pow(10, block + 2);
    return (double)offset + steps * (double)(nextafterf(offset, INFINITY) - offset);
}

static void offset_volume(const uint32_t dim[3], struct volume *out)
{
    struct problem problem = { 0 };
    REQUIRE(volume_create(dim, VOLUME_FLOAT32, out, &problem));
    for (uint32_t i = 0; i < volume_count(out); i++) {
        const uint32_t x = i % dim[0], y = i / dim[0] % dim[1], z = i / dim[0] / dim[1];
        const double value = offset_value((int)(x / BLOCK), offset_steps(x, y, z));
        ((float *)out->samples)[i] = (float)value;
        assert_true((double)(float)value == value);
    }
}

// Compares hits with the reference's: counts those that differ, and those on the tube of a block.
static void offset_compare(
    const struct volume *volume, const struct cast *cast, const struct cast_hit *hits,
    uint32_t block, uint32_t *differ, uint32_t *on_tube)
{
    *differ = *on_tube = 0;
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        const bool has = hits[p].cell != CAST_NOTHING;
        struct reference_hit met;
        struct ray ray;
        if (!rays_at(&cast->rays, volume->dim, p % SIDE, p / SIDE, &ray)) {
            *differ += has;
            continue;
        }
        struct reference_ray given = { .begin = ray.begin, .end = ray.end };
        double length = 0;
        for (int i = 0; i < 3; i++) {
            given.start[i] = ray.start[i];
            given.direction[i] = ray.direction[i];
            length = hypot(length, ray.direction[i]);
        }
        if (!reference_cast(volume, cast->isos[0], &given, &met, 1)) {
            *differ += has;
            continue;
        }
        *differ += !has || !(fabs(hits[p].t - met.t) * length <= 2e-3);
        *on_tube += met.cell[0] / BLOCK == block && met.cell[0] % BLOCK + 1 < BLOCK;
    }
}

// All casters meet an isovalue that no float has where the reference does, wherever zero is:
// samples are an offset and a few steps of a float, so that the isovalue as a float would be off by
// up to a half of the difference between neighbours.
static void test_offsets(void **state)
{
    (void)state;
    static struct cast_hit hits[SIDE * SIDE];
    static const struct {
        enum atlas_storage storage;
        int offsets; // kernels scale all samples if there are some of 1e9
    } runs[] = { { ATLAS_STORAGE_BUFFER, 7 },
                 { ATLAS_STORAGE_IMAGE, 7 },
                 { ATLAS_STORAGE_BUFFER, 8 } };
    const size_t count = is_set("CUBIST_WHOLE") ? sizeof runs / sizeof *runs : 1;
    for (size_t run = 0; run < count; run++) {
        const uint32_t dim[3] = { (uint32_t)runs[run].offsets * BLOCK, ACROSS, ACROSS };
        struct volume volume;
        struct cast_bench bench;
        offset_volume(dim, &volume);
        cast_open(&bench, &volume, runs[run].storage, true, SIDE * SIDE);
        assert_int_equal(bench.atlas.storage, runs[run].storage);
        assert_int_equal(bench.atlas.has_extremes, runs[run].offsets > 7);
        for (int block = 0; block < runs[run].offsets; block++) {
            const struct cast cast = {
                .caster = caster_default(),
                .isos = { offset_value(block, OFFSET_STEPS) },
                .rays = camera_rays(&volume, 0.1 * block, 0.4, 3, 1, block % 2, SIDE, SIDE),
                .width = SIDE,
                .height = SIDE,
            };
            cast_all(&bench, &cast, hits);
            uint32_t differ, on_tube;
            offset_compare(&volume, &cast, hits, (uint32_t)block, &differ, &on_tube);
            if (differ > 1 || on_tube < 15) {
                fail_msg(
                    "run %zu, offset 1e%d: %u pixels differ, %u are on the tube", run, block + 2,
                    differ, on_tube);
            }
        }
        cast_close(&bench);
        volume_destroy(&volume);
    }
}

// Casts through the first volumes in every view, and writes the hits.
static void write_hits(FILE *file)
{
    struct cast_hit *hits = malloc(SIDE * SIDE * sizeof *hits);
    for (size_t v = 0; v < 2; v++) {
        struct volume volume;
        struct cast_bench bench;
        volume_make(v, &volume);
        cast_open(&bench, &volume, ATLAS_STORAGE_AUTO, true, SIDE * SIDE);
        for (size_t i = 0; i < VIEWS + 3 * SLOPES; i++) {
            const struct cast cast = cast_of(&volume, v, i);
            cast_all(&bench, &cast, hits);
            assert_int_equal(fwrite(hits, sizeof *hits, SIDE * SIDE, file), SIDE * SIDE);
        }
        cast_close(&bench);
        volume_destroy(&volume);
    }
    free(hits);
}

static void test_write_hits(void **state)
{
    (void)state;
    FILE *file = fopen(getenv("CUBIST_HITS"), "wb");
    assert_non_null(file);
    write_hits(file);
    assert_int_equal(fclose(file), 0);
}

// Subgroups of other sizes find the same, to the last bit. Each size needs a process of its own.
static void test_subgroup_sizes(void **state)
{
    (void)state;
    if (!is_set("CUBIST_WHOLE") || getenv("CUBIST_LANES") ||
        !strstr(gpu.properties.deviceName, "llvmpipe") ||
        atoi(strstr(gpu.driver, "Mesa ") + strlen("Mesa ")) >= 25) {
        skip(); // see has_broken_lanes
    }
    char *here = NULL, *there = NULL;
    size_t size;
    FILE *file = open_memstream(&here, &size);
    write_hits(file);
    assert_int_equal(fclose(file), 0);
    there = malloc(size + 1);
    for (uint32_t lanes = 4; lanes <= 16; lanes *= 4) {
        char path[] = "/tmp/cubist-test-XXXXXX", command[200];
        const int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        snprintf(
            command, sizeof command,
            "CUBIST_HITS=%s CUBIST_LANES=%u LP_NATIVE_VECTOR_WIDTH=%u /proc/%d/exe >&2", path,
            lanes, 32 * lanes, (int)getpid());
        assert_int_equal(system(command), 0);
        file = fopen(path, "rb");
        assert_int_equal(fread(there, 1, size + 1, file), size);
        fclose(file);
        unlink(path);
        assert_memory_equal(here, there, size);
    }
    free(here);
    free(there);
}

static PFN_vkBeginCommandBuffer begin_really;
static int begins_left;

static VKAPI_ATTR VkResult VKAPI_CALL
begin_or_fail(VkCommandBuffer cmd, const VkCommandBufferBeginInfo *info)
{
    return begins_left-- > 0 ? begin_really(cmd, info) : VK_ERROR_OUT_OF_HOST_MEMORY;
}

// A cast that waits for each round ends with the round that fails.
static void test_round_fails(void **state)
{
    (void)state;
    const size_t v = 7;
    struct volume volume;
    struct cast_bench bench;
    uint32_t failures = 0;
    volume_make(v, &volume);
    cast_open(&bench, &volume, ATLAS_STORAGE_AUTO, true, SIDE * SIDE);
    struct cast cast = cast_of(&volume, v, 0);
    cast.caster = caster_find("wavefront-dda");
    cast.rounds = CAST_ROUNDS_HOST;
    begin_really = vkBeginCommandBuffer;
    vkBeginCommandBuffer = begin_or_fail;
    alarm(60); // for a loop without an end
    for (bool done = false; !done; failures += !done) {
        struct problem problem = { 0 };
        begins_left = (int)failures;
        done = casting_begin(&bench.casting, &cast, &problem);
        assert_int_equal(problem.kind, done ? PROBLEM_NONE : PROBLEM_HOST_MEMORY);
    }
    alarm(0);
    vkBeginCommandBuffer = begin_really;
    assert_true(failures > 1); // the pixels, and a round at least
    cast_close(&bench);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest writes[] = { cmocka_unit_test(test_write_hits) };
    if (getenv("CUBIST_HITS")) {
        return cmocka_run_group_tests(writes, open_gpu, close_gpu);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skips_change_nothing), cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_isovalue_changes),     cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_rectangles),           cmocka_unit_test(test_subgroup_sizes),
        cmocka_unit_test(test_round_fails),          cmocka_unit_test(test_offsets),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
