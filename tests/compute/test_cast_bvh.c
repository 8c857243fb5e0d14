// ctest: plain once
// The device makes the boxes of casters. They equal those that the host makes, for several
// isovalues in a row. And: casters take as much device memory as is counted before.
#include "tests/device.h"

#include "compute/casting/casting.h"
#include "compute/gpu/transfer.h"
#include "shaders/shared/casting.h"

#include <math.h>

#define DEAD UINT32_MAX

struct box {
    uint32_t first, last, children[2];
};

struct twin {
    const struct volume *volume;
    const struct tree *tree;
    double iso;
    const struct box *made; // by the device
    uint32_t leaves;        // that are alive
};

static struct box twin_leaf(struct twin *twin, const uint32_t node[3])
{
    const uint32_t *dim = twin->volume->dim, place = node[0] | node[1] << 10 | node[2] << 20;
    uint32_t low[3], last[3];
    double least = INFINITY, most = -INFINITY;
    for (int a = 0; a < 3; a++) {
        low[a] = node[a] << twin->tree->shift;
        last[a] = (node[a] + 1) << twin->tree->shift;
        last[a] = last[a] < dim[a] - 1 ? last[a] : dim[a] - 1;
    }
    for (uint32_t z = low[2]; z <= last[2]; z++) {
        for (uint32_t y = low[1]; y <= last[1]; y++) {
            for (uint32_t x = low[0]; x <= last[0]; x++) {
                const double value = volume_sample(twin->volume, x, y, z);
                least = fmin(least, value);
                most = fmax(most, value);
            }
        }
    }
    const bool meets = least < twin->iso && most >= twin->iso;
    twin->leaves += meets;
    return meets ? (struct box){ place, place, { 0 } } : (struct box){ DEAD, DEAD, { 0 } };
}

// The lesser coordinates of two places, or the greater ones.
static uint32_t twin_corner(uint32_t a, uint32_t b, bool greater)
{
    uint32_t corner = 0;
    for (int shift = 0; shift < 30; shift += 10) {
        const uint32_t i = a >> shift & 1023, k = b >> shift & 1023;
        corner |= (greater == (i > k) ? i : k) << shift;
    }
    return corner;
}

static struct box twin_node(struct twin *twin, uint32_t depth, const uint32_t node[3]);

// A child as the node above has it. Beyond the volume it is dead.
static struct box twin_child(
    struct twin *twin, uint32_t depth, const uint32_t above[3], uint32_t side, uint32_t *entry)
{
    const struct tree_level *level = &twin->tree->levels[depth];
    uint32_t node[3] = { above[0], above[1], above[2] };
    node[level->axis] = 2 * node[level->axis] + side;
    if (node[level->axis] >= level->dim[level->axis]) {
        return (struct box){ DEAD, DEAD, { 0 } };
    }
    const struct box box = twin_node(twin, depth, node);
    *entry = level->first + (node[2] * level->dim[1] + node[1]) * level->dim[0] + node[0];
    *entry = box.first == box.last ? box.first | BVH_LEAF : *entry;
    return box;
}

// The node, when all below it and itself equal what the device has made.
static struct box twin_node(struct twin *twin, uint32_t depth, const uint32_t node[3])
{
    const struct tree *tree = twin->tree;
    struct box own;
    if (depth == tree->depth) {
        own = twin_leaf(twin, node);
    } else {
        uint32_t entries[2];
        const struct box a = twin_child(twin, depth + 1, node, 0, &entries[0]);
        const struct box b = twin_child(twin, depth + 1, node, 1, &entries[1]);
        own = a.first == DEAD ? b : a;
        if (a.first != DEAD && b.first != DEAD) {
            own.first = twin_corner(a.first, b.first, false);
            own.last = twin_corner(a.last, b.last, true);
            memcpy(own.children, entries, sizeof entries);
        }
    }
    if (depth < tree->depth || depth == 0) {
        const struct tree_level *level = &tree->levels[depth];
        const struct box *made =
            &twin->made
                 [level->first + (node[2] * level->dim[1] + node[1]) * level->dim[0] + node[0]];
        assert_int_equal(made->first, own.first);
        if (own.first != DEAD) {
            assert_int_equal(made->last, own.last);
        }
        if (own.first != own.last) {
            assert_memory_equal(made->children, own.children, sizeof own.children);
        }
    }
    return own;
}

static const struct {
    const char *name;
    uint32_t dim[3];
    double isos[4];
} volumes[] = {
    { "torus", { 41, 30, 27 }, { 128.5, 30, 250, 90 } },
    { "noise", { 5, 5, 5 }, { 100, 999, 128 } },
    { "gyroid", { 9, 200, 2 }, { 120, 200, 0 } },
    { "torus", { 66, 35, 34 }, { 128.5, 30, 200, 90 } }, // more levels than a dispatch makes
};

static void test_boxes(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof volumes / sizeof *volumes; v++) {
        struct problem problem = { 0 };
        struct volume volume;
        struct atlas atlas;
        struct cubes cubes;
        struct casting casting;
        REQUIRE(volume_generate(volumes[v].name, volumes[v].dim, VOLUME_UINT8, &volume, &problem));
        REQUIRE(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
        REQUIRE(volume_cubes(&volume, NULL, &cubes, &problem));
        const struct caster *caster = caster_find("single-bvh");
        REQUIRE(casting_create(&gpu, &atlas, &cubes, caster, 1, 1, &casting, &problem));
        const struct caster_state *prepared = &casting.states[0];
        struct box *made = malloc(prepared->bvh.nodes.size);
        uint32_t leaves = 0;
        for (size_t i = 0; i < 4; i++) {
            const struct cast cast = {
                .caster = caster,
                .isos = { volumes[v].isos[i] },
                .rays = { .eye = { 1, 1, 1 } },
                .width = 1,
                .height = 1,
            };
            uint32_t hits;
            REQUIRE(casting_run(&casting, &cast, &hits, &problem));
            REQUIRE(transfer_download(
                &gpu, &prepared->bvh.nodes, 0, made, prepared->bvh.nodes.size, &problem));
            struct twin twin = {
                .volume = &volume,
                .tree = &prepared->tree,
                .iso = cast.isos[0],
                .made = made,
            };
            twin_node(&twin, 0, (const uint32_t[]){ 0, 0, 0 });
            leaves += twin.leaves;
        }
        assert_true(leaves > 0);
        free(made);
        casting_destroy(&casting);
        cubes_destroy(&cubes);
        atlas_destroy(&gpu, &atlas);
        volume_destroy(&volume);
    }
}

// A casting takes the device memory that was said before.
static void test_bytes(void **state)
{
    (void)state;
    const uint32_t dim[3] = { 100, 90, 80 }, pixels = 1000;
    struct problem problem = { 0 };
    struct volume volume;
    struct atlas atlas;
    struct cubes cubes;
    REQUIRE(volume_generate("sphere", dim, VOLUME_UINT8, &volume, &problem));
    REQUIRE(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
    REQUIRE(volume_cubes(&volume, NULL, &cubes, &problem));
    for (const struct caster *row = caster_next(NULL); row; row = caster_next(row)) {
        struct casting casting;
        const uint64_t before = gpu.budget.allocated;
        REQUIRE(casting_create(&gpu, &atlas, &cubes, row, pixels, 1, &casting, &problem));
        REQUIRE(casting_prepare(&casting, row, NULL, &problem));
        assert_int_equal(
            gpu.budget.allocated - before, casting_bytes(&gpu, dim, NULL, row, NULL, pixels, 1));
        casting_destroy(&casting);
        assert_int_equal(gpu.budget.allocated, before);
    }
    cubes_destroy(&cubes);
    atlas_destroy(&gpu, &atlas);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
