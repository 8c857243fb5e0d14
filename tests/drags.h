// Brick lists that are made from the last step's: a volume, what is known of its bricks, and random
// steps held against that.
#pragma once

#include "device.h"

#include "compute/extraction/internal.h"

#include <math.h>

struct drag_test {
    struct volume volume;
    struct bench bench;
    struct surface other; // steps take turns between this one and the bench's
    uint32_t bricks;
    uint32_t (*ranges)[2];       // that the device has made
    bool *was, *is;              // active at the last step, and at this one
    const struct method *method; // of the last step; NULL: it left nothing to build on
    double iso;
    uint32_t steps, dragged, random;
};

static inline uint32_t drag_random(struct drag_test *test)
{
    test->random = test->random * 1664525u + 1013904223u;
    return test->random >> 8;
}

// Takes the volume over.
static inline void drag_open(
    struct drag_test *test, struct volume volume, const struct atlas_params *params, uint32_t seed)
{
    struct problem problem = { 0 };
    *test = (struct drag_test){ .volume = volume, .random = seed };
    bench_open(&test->bench, &volume, params);
    test->bricks = test->bench.atlas.brick_count;
    test->ranges = malloc(test->bricks * sizeof *test->ranges);
    test->was = calloc(test->bricks, sizeof(bool));
    test->is = calloc(test->bricks, sizeof(bool));
    assert_true(test->ranges && test->was && test->is);
    REQUIRE(buffer_download(
        &gpu, &test->bench.atlas.ranges, 0, test->ranges, test->bricks * sizeof *test->ranges,
        &problem));
    REQUIRE(extraction_sort(test->bench.extraction, &problem));
}

static inline void drag_close(struct drag_test *test)
{
    free(test->ranges);
    free(test->was);
    free(test->is);
    surface_destroy(&gpu, &test->other);
    bench_close(&test->bench);
    volume_destroy(&test->volume);
}

// Runs the step until it is whole; how many attempts that took.
static inline uint32_t drag_run(
    struct drag_test *test, const struct extraction_step *step, struct extraction_result *result)
{
    struct problem problem = { 0 };
    struct extraction *extraction = test->bench.extraction;
    for (uint32_t attempt = 1; attempt < 8; attempt++) {
        REQUIRE(extraction_prepare(extraction, step->target, step->method, &problem));
        VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
        assert_non_null(cmd);
        struct run run;
        run_begin(&run, &gpu, cmd, NULL);
        extraction_record(extraction, &run, step);
        REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
        extraction_collect(extraction, result);
        if (result->whole) {
            return attempt;
        }
    }
    fail_msg("%s, isovalue %g: never whole", step->method->name, step->iso);
    return 0;
}

// The list on the device: each brick that the step's isovalue wants, once, and no other, and each
// one's slot is where it stands.
static inline void drag_check_list(
    struct drag_test *test, const struct extraction_step *step,
    const struct extraction_result *result)
{
    struct problem problem = { 0 };
    const struct extraction *extraction = test->bench.extraction;
    const uint32_t key = atlas_iso(test->volume.type, step->iso).key;
    uint64_t count = 0;
    for (uint32_t brick = 0; brick < test->bricks; brick++) {
        const uint32_t *range = test->ranges[brick];
        const bool spans = step->every_brick || (range[0] < key && key <= range[1]);
        test->is[brick] = result->moved ? test->was[brick] : spans;
        count += test->is[brick];
    }
    assert_int_equal(result->active_bricks, count);
    uint32_t *list = malloc(test->bricks * 4), *slots = malloc(test->bricks * 4);
    bool *listed = calloc(test->bricks, sizeof(bool));
    assert_true(list && slots && listed);
    REQUIRE(buffer_download(&gpu, &extraction->bricks, 0, list, test->bricks * 4, &problem));
    REQUIRE(buffer_download(&gpu, &extraction->slots, 0, slots, test->bricks * 4, &problem));
    for (uint64_t i = 0; i < count; i++) {
        if (list[i] >= test->bricks || !test->is[list[i]] || listed[list[i]] ||
            slots[list[i]] != i) {
            fail_msg(
                "%s, isovalue %g: brick %u at %u of %u, slot %u", step->method->name, step->iso,
                list[i], (uint32_t)i, (uint32_t)count, slots[list[i] % test->bricks]);
        }
        listed[list[i]] = true;
    }
    free(list);
    free(slots);
    free(listed);
}

// What came and went, if the list was made from the last one; and whether it was as it should.
static inline void drag_check_events(
    struct drag_test *test, const struct extraction_step *step,
    const struct extraction_result *result, bool possible, uint32_t attempts)
{
    const struct extraction *extraction = test->bench.extraction;
    const uint32_t key = atlas_iso(test->volume.type, step->iso).key;
    const uint32_t from = atlas_iso(test->volume.type, test->iso).key;
    uint32_t removed = 0, entered = 0, candidates = 0, before = 0, may_enter = 0;
    for (uint32_t brick = 0; brick < test->bricks; brick++) {
        const uint32_t *range = test->ranges[brick];
        const uint32_t low = from < key ? from : key, high = from < key ? key : from;
        const bool counts = range[0] < range[1];
        const bool least = counts && range[0] >= low && range[0] < high;
        const bool greatest = counts && range[1] >= low && range[1] < high;
        removed += test->was[brick] && !test->is[brick];
        entered += !test->was[brick] && test->is[brick];
        before += test->was[brick];
        may_enter += from < key ? least : greatest;
        candidates += least + greatest;
    }
    const struct drag_step pieces = drag_between(&extraction->drag, from, key);
    assert_int_equal(pieces.leaving_count + pieces.entering_count, candidates);
    assert_int_equal(pieces.entering_count, may_enter);
    assert_int_equal(drag_active(&extraction->drag, from), before);
    // Where the list had to grow for what enters, it was made anew.
    const bool pays = step->drag || drag_pays(&extraction->drag, &pieces);
    const uint64_t room = extraction_capacity(extraction, step->target, LIST_BRICKS);
    if (possible && pays && attempts == 1 && before + may_enter <= room) {
        assert_true(result->dragged);
    }
    if (!possible || !pays || attempts > 1) {
        assert_false(result->dragged);
    }
    if (result->dragged) {
        assert_int_equal(result->drag_candidates, candidates);
        assert_int_equal(result->bricks_events.removed, removed);
        assert_int_equal(result->bricks_events.entered, entered);
    }
}

// The surface against the reference's.
static inline void drag_check_mesh(
    struct drag_test *test, const struct extraction_step *step,
    const struct extraction_result *result)
{
    struct problem problem = { 0 };
    struct cell_list cells, found_cells;
    struct mesh mesh, found;
    REQUIRE(reference_extract(&test->volume, step->iso, &cells, &mesh, &problem));
    REQUIRE(extraction_cells(test->bench.extraction, result, &found_cells, &problem));
    compare_cells(&test->volume, step->method, &cells, &found_cells);
    REQUIRE(extraction_download(test->bench.extraction, step->target, result, &found, &problem));
    struct mesh_difference difference;
    if (!mesh_compare(&mesh, &found, NULL, &difference)) {
        fail_msg("%s at %g: %s", step->method->name, step->iso, difference.text);
    }
    cell_list_destroy(&cells);
    cell_list_destroy(&found_cells);
    mesh_destroy(&mesh);
    mesh_destroy(&found);
}

// One step, all but the mesh; true where the list was made from the last one.
static inline bool drag_try(
    struct drag_test *test, const struct extraction_step *step, struct extraction_result *result)
{
    const bool moves = extraction_moves(test->bench.extraction, step);
    const bool possible = test->method == step->method && step->iso != test->iso &&
                          !method_deterministic(step->method) && !step->anew && !step->every_brick;
    const uint32_t attempts = drag_run(test, step, result);
    assert_int_equal(result->moved, moves);
    drag_check_list(test, step, result);
    if (test->method) {
        drag_check_events(test, step, result, possible && !moves, attempts);
    } else {
        assert_false(result->dragged);
    }
    if (!moves) {
        test->method = step->every_brick ? NULL : step->method;
    }
    test->iso = step->iso;
    memcpy(test->was, test->is, test->bricks * sizeof *test->was);
    test->steps++;
    test->dragged += result->dragged;
    return result->dragged;
}

// Mostly one that goes on from the last list, now and then any.
static inline const struct method *drag_method(struct drag_test *test)
{
    static const char *const names[] = { "ink-collate", "redzone-1", "redzone-2", "auto" };
    if (test->method && drag_random(test) % 16) {
        return test->method;
    }
    return drag_random(test) % 4 ? method_find(names[drag_random(test) % 4]) : next_method();
}

// Random steps between the isovalues: walks, jumps, repeats, and beyond the range; by the rule,
// always from the last list, or never. Now and then the whole mesh is looked at.
static inline void
drag_randomly(struct drag_test *test, uint32_t steps, double from, double to, uint32_t meshes)
{
    struct extraction_result result;
    double iso = from;
    for (uint32_t i = 0; i < steps; i++) {
        const double share = drag_random(test) % 10001 / 10000.0;
        switch (drag_random(test) % 10) {
        case 0:
            iso = from * (1 - share) + to * share;
            break;
        case 1:
            iso += (to - from) * 0.3 * (share * 2 - 1);
            break;
        case 2:
            break;
        case 3:
            iso = drag_random(test) % 8 ? iso : (double[]){ -1e30, 1e30, from, to }[i % 4];
            break;
        default:
            iso += (to - from) * 0.01 * (share * 2 - 1);
        }
        iso = i % 32 == 31 ? (from + to) / 2 : iso;
        const uint32_t how = drag_random(test) % 8;
        const struct extraction_step step = {
            .iso = iso,
            .method = drag_method(test),
            .target = drag_random(test) % 2 ? &test->bench.surface : &test->other,
            .drag = how > 2,
            .anew = how == 0,
            .every_brick = drag_random(test) % 32 == 0,
        };
        drag_try(test, &step, &result);
        if (drag_random(test) % meshes == 0) {
            drag_check_mesh(test, &step, &result);
        }
    }
}

// Volumes whose bricks differ: smooth and noisy ones, with gaps, in both storages.
static inline struct volume
drag_volume(const char *name, const uint32_t dim[3], enum volume_type type)
{
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_generate(name, dim, type, &volume, &problem));
    return volume;
}

// The same with samples that are not finite, and a corner in which none is.
static inline struct volume drag_gaps(const uint32_t dim[3], uint32_t seed)
{
    struct volume volume = drag_volume("default", dim, VOLUME_FLOAT32);
    float *samples = volume.samples;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        const uint64_t y = i / dim[0] % dim[1], z = i / dim[0] / dim[1];
        seed = seed * 1664525u + 1013904223u;
        if ((y < 12 && z < 12) || seed >> 8 == 0 || (seed >> 8) % 300 == 0) {
            samples[i] = seed >> 31 ? NAN : seed >> 30 & 1 ? INFINITY : -INFINITY;
        }
    }
    return volume;
}

static inline void drag_of_each_kind(uint32_t steps, uint32_t meshes)
{
    const uint32_t dim[3] = { 40, 50, 47 };
    static const struct {
        enum volume_type type;
        double from, to;
    } kinds[] = {
        { VOLUME_UINT8, -5, 260 },
        { VOLUME_UINT16, -500, 66000 },
        { VOLUME_INT16, -33000, 33000 },
    };
    struct drag_test test;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        drag_open(
            &test, drag_volume("default", dim, kinds[i].type), &(struct atlas_params){ 0 },
            (uint32_t)i);
        drag_randomly(&test, steps, kinds[i].from, kinds[i].to, meshes);
        assert_in_range(test.dragged, steps / 6, steps);
        drag_close(&test);
    }
    for (int image = 0; image < 2; image++) {
        const struct atlas_params params = {
            .storage = image ? ATLAS_STORAGE_IMAGE : ATLAS_STORAGE_BUFFER,
        };
        struct volume volume = drag_gaps(dim, 77);
        double least = INFINITY, most = -INFINITY;
        for (uint64_t i = 0; i < volume_count(&volume); i++) {
            const float value = ((const float *)volume.samples)[i];
            least = isfinite(value) ? fmin(least, value) : least;
            most = isfinite(value) ? fmax(most, value) : most;
        }
        drag_open(&test, volume, &params, 100 + (uint32_t)image);
        drag_randomly(&test, steps, least, most, meshes);
        assert_in_range(test.dragged, steps / 6, steps);
        drag_close(&test);
    }
}
