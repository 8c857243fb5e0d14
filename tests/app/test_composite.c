// ctest: twin heavy
// A picture that several ranks draw together has the bytes of one that one process draws. The ranks
// come one after another in this process: the last one first, for only rank 0 needs what the others
// have drawn.
// ctest: heavy twin
#define TEST_DRAWS true
#include "app/picture/offscreen.h"
#include "app/ranks/ranks.h"
#include "compute/extraction/parts.h"
#include "compute/mesh/share.h"
#include "tests/device.h"

// ---- the ranks ----

static struct ranks now = { .count = 1, .local_count = 1 };
static struct {
    int64_t *values;
    size_t count;
} least[64]; // by the number of the call
static size_t calls;

const struct ranks *ranks(void)
{
    return &now;
}

static void ranks_forget(void)
{
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        free(least[i].values);
    }
    memset(least, 0, sizeof least);
}

bool ranks_least(int64_t *values, size_t count, struct problem *problem)
{
    (void)problem;
    assert_true(calls < sizeof least / sizeof *least);
    int64_t **all = &least[calls].values;
    if (!*all) {
        *all = malloc(count * sizeof **all);
        assert_non_null(*all);
        memcpy(*all, values, count * sizeof **all);
        least[calls].count = count;
    }
    assert_int_equal(least[calls++].count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(values[i] >= 0);
        (*all)[i] = values[i] < (*all)[i] ? values[i] : (*all)[i];
    }
    memcpy(values, *all, now.rank == 0 ? count * sizeof **all : 0);
    return true;
}

bool ranks_share(int from, void *bytes, size_t size, struct problem *problem)
{
    (void)from;
    (void)bytes;
    (void)size;
    (void)problem;
    return true; // all cameras are the same
}

// ---- what they draw ----

struct drawn {
    struct volume volume;
    struct cubes cubes;
    struct view view;
    uint32_t width, height;
    uint32_t layers;  // of each part of a rank's; 0: as many as there are
    bool all_of_them; // each rank draws the whole surface
};

static void
draw_parts(const struct drawn *drawn, uint32_t from, uint32_t to, struct offscreen *offscreen)
{
    struct problem problem = { 0 };
    struct parts *parts;
    const struct parts_params params = {
        .volume = &drawn->volume,
        .some = true,
        .from = from,
        .to = to,
        .layers = drawn->layers,
        .residents = 1,
        .method = method_default(),
    };
    const struct query query = {
        .iso = drawn->view.isos[0],
        .method = method_default(),
        .draws = true,
    };
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    for (bool more = true; more;) {
        struct extract *extract = extract_begin(parts, &query, &problem);
        assert_non_null(extract);
        enum next next = NEXT_NOT_YET;
        while (next != NEXT_DONE) {
            struct part part;
            next = extract_next(extract, 0, &part, &problem);
            assert_int_not_equal(next, NEXT_FAILED);
            if (next == NEXT_PART && part.result->triangles > 0) {
                REQUIRE(offscreen_add(offscreen, 0, part.surface, &part.lists, &problem));
            }
        }
        extract_end(extract);
        REQUIRE(offscreen_finish(offscreen, &more, &problem));
    }
    parts_close(parts);
}

// The pixels, of rank 0; NULL of other ranks.
static uint8_t *draw_rank(const struct drawn *drawn, int rank, int count, size_t *size)
{
    struct problem problem = { 0 };
    static struct offscreen offscreen;
    struct offscreen_params params = {
        .width = drawn->width,
        .height = drawn->height,
        .volume = &drawn->volume,
        .cubes = &drawn->cubes,
        .occlusion = drawn->view.light == LIGHT_OCCLUSION,
        // Ranks may differ in how many bands they have memory for.
        .at_once = rank % 2 ? 2 : 1,
    };
    uint32_t from = 0, to = drawn->volume.dim[2] - 1;
    now = (struct ranks){ .rank = rank, .count = count, .local_count = count };
    calls = 0;
    if (!drawn->all_of_them) {
        share_layers((uint32_t)rank + 1, (uint32_t)count, to, &from, &to);
    }
    const uint64_t held = gpu.budget.allocated;
    REQUIRE(picture_samples(&gpu, drawn->view.samples, &params.samples, &problem));
    REQUIRE(offscreen_open(&gpu, &drawn->view, &params, &offscreen, &problem));
    assert_true(gpu.budget.allocated - held <= offscreen_bytes(&gpu, &params) + 65536);
    draw_parts(drawn, from, to, &offscreen);
    uint8_t *pixels = NULL;
    *size = (size_t)drawn->width * drawn->height * (offscreen.canvas.transparent ? 4 : 3);
    if (rank == 0) {
        pixels = malloc(*size);
        assert_non_null(pixels);
        memcpy(pixels, offscreen.canvas.pixels, *size);
    } else {
        assert_null(offscreen.canvas.pixels);
    }
    offscreen_close(&offscreen);
    now = (struct ranks){ .count = 1, .local_count = 1 };
    return pixels;
}

static uint8_t *draw(const struct drawn *drawn, int count, size_t *size)
{
    uint8_t *pixels = NULL;
    ranks_forget();
    for (int rank = count - 1; rank >= 0; rank--) {
        pixels = draw_rank(drawn, rank, count, size);
    }
    ranks_forget();
    return pixels;
}

static size_t colours(const uint8_t *pixels, size_t size, size_t each)
{
    size_t count = 0;
    for (size_t i = each; i < size; i += each) {
        count += memcmp(pixels + i, pixels + i - each, each) != 0;
    }
    return count;
}

static void same(const struct drawn *drawn, const int *counts)
{
    size_t size, other_size;
    uint8_t *one = draw(drawn, 1, &size);
    assert_true(colours(one, size, size / drawn->width / drawn->height) > 100);
    for (; *counts; counts++) {
        uint8_t *other = draw(drawn, *counts, &other_size);
        size_t apart = 0;
        for (size_t i = 0; i < size; i++) {
            apart += one[i] != other[i];
        }
        if (apart > 0) {
            fail_msg("%d ranks: %zu bytes of %zu differ", *counts, apart, size);
        }
        free(other);
    }
    free(one);
}

static void open_drawn(const char *name, const uint32_t dim[3], double share, struct drawn *out)
{
    struct problem problem = { 0 };
    *out = (struct drawn){ .width = 150, .height = 100 };
    REQUIRE(volume_generate(name, dim, VOLUME_UINT8, &out->volume, &problem));
    REQUIRE(volume_cubes(&out->volume, NULL, &out->cubes, &problem));
    out->view.isos[0] = 255 * share;
    out->view.light = LIGHT_OFF;
    struct placement placement;
    view_place(&out->view, &out->volume, &placement);
}

static void close_drawn(struct drawn *drawn)
{
    cubes_destroy(&drawn->cubes);
    volume_destroy(&drawn->volume);
}

// ---- tests ----

static const uint32_t DIM[3] = { 24, 20, 16 };

static void numbers_of_samples(void **state)
{
    (void)state;
    static const int counts[] = { 2, 5, 0 };
    static const int two[] = { 2, 0 };
    struct drawn drawn;
    open_drawn("gyroid", DIM, 0.5, &drawn);
    const VkSampleCountFlags possible = gpu.properties.limits.framebufferColorSampleCounts &
                                        gpu.properties.limits.framebufferDepthSampleCounts;
    for (uint32_t samples = 1; samples <= 8; samples *= 2) {
        if (possible & samples) {
            drawn.view.samples = samples;
            same(&drawn, samples == 4 ? counts : two);
        }
    }
    close_drawn(&drawn);
}

static void views(void **state)
{
    (void)state;
    static const int counts[] = { 3, 0 };
    for (int i = 0; i < 4; i++) {
        struct drawn drawn;
        open_drawn(i % 2 ? "torus" : "noise", DIM, i % 2 ? 0.6 : 0.5, &drawn);
        drawn.view.box = i < 2;
        drawn.view.flat = i == 2;
        drawn.view.background = i == 0 || i == 3 ? BACKGROUND_TRANSPARENT : BACKGROUND_DARK;
        drawn.view.light = i == 0 || i == 3 ? LIGHT_OCCLUSION : LIGHT_OFF;
        drawn.view.camera.ortho = i == 1;
        drawn.layers = i == 2 ? 2 : 0;
        same(&drawn, counts);
        close_drawn(&drawn);
    }
}

// A picture of several bands.
static void bands(void **state)
{
    (void)state;
    static const int counts[] = { 2, 0 };
    struct drawn drawn;
    open_drawn("gyroid", DIM, 0.5, &drawn);
    drawn.width = 1031;
    drawn.height = 2053;
    assert_true(bands_of(drawn.width, drawn.height).down == 3);
    drawn.view.samples = 1;
    same(&drawn, counts);
    close_drawn(&drawn);
}

// More ranks than layers; and an isovalue without a surface.
static void nothing_to_draw(void **state)
{
    (void)state;
    static const int counts[] = { 3, 0 };
    static const double isovalues[] = { 0.5, 2 };
    for (int i = 0; i < 2; i++) {
        struct drawn drawn;
        open_drawn("gyroid", (uint32_t[]){ 20, 20, 3 }, isovalues[i], &drawn);
        same(&drawn, counts);
        close_drawn(&drawn);
    }
}

// A surface that lies in a face of the box, so that lines of the box are as near.
static void in_the_box(void **state)
{
    (void)state;
    static const int counts[] = { 2, 0 };
    struct drawn drawn;
    struct problem problem = { 0 };
    open_drawn("gyroid", DIM, 0.5, &drawn);
    uint8_t *samples = drawn.volume.samples;
    for (size_t i = 0; i < volume_count(&drawn.volume); i++) {
        samples[i] = (uint8_t)(100 - i % DIM[0]);
    }
    cubes_destroy(&drawn.cubes);
    REQUIRE(volume_cubes(&drawn.volume, NULL, &drawn.cubes, &problem));
    drawn.view.isos[0] = 100;
    drawn.view.box = true;
    drawn.view.camera.ortho = true;
    drawn.view.start = (struct view_start){ .has_direction = true, .azimuth = -90 };
    same(&drawn, counts);
    close_drawn(&drawn);
}

// Of equally near samples the one of the first rank is seen.
static void equally_near(void **state)
{
    (void)state;
    static const int ranks_of_256[] = { 255, 200, 128, 127, 64 };
    struct drawn drawn, none;
    size_t size;
    open_drawn("sphere", DIM, 0.5, &drawn);
    drawn.all_of_them = true;
    drawn.view.colours[0].set = true;
    none = drawn;
    none.all_of_them = false; // of 256 shares of 15 layers the first has none
    ranks_forget();
    for (int i = 0; i < 5; i++) {
        memset(drawn.view.colours[0].rgb, 40 + 40 * i, sizeof drawn.view.colours[0].rgb);
        draw_rank(&drawn, ranks_of_256[i], 256, &size);
    }
    uint8_t *found = draw_rank(&none, 0, 256, &size);
    ranks_forget();
    uint8_t *wanted = draw(&drawn, 1, &size); // in the last one's colour
    assert_memory_equal(found, wanted, size);
    free(found);
    free(wanted);
    close_drawn(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_samples),
        cmocka_unit_test(views),
        cmocka_unit_test(bands),
        cmocka_unit_test(nothing_to_draw),
        cmocka_unit_test(in_the_box),
        cmocka_unit_test(equally_near),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
