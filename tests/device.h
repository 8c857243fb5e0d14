// Shared by device tests: a gpu that is opened once, and the comparison of an extraction with the
// reference. Variables of the environment, which tests/CMakeLists.txt sets:
//
//     CUBIST_VALIDATE=1     under the validation layers
//     CUBIST_LANES=N        on llvmpipe, which must have subgroups of N lanes
//     CUBIST_POSES=1        on a device that poses as a GPU, see tests/pose
//     CUBIST_ONLY=PATTERN   only tests with such a name
//     CUBIST_SHARE=1        of these a share
//     CUBIST_WHOLE=1        more than a share, see the label share in CMakeLists.txt
#pragma once

#ifndef TEST_DRAWS // true before this file is included: the device must be able to draw
#define TEST_DRAWS false
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/atlas_load.h"
#include "compute/extraction/extraction.h"
#include "compute/mesh/mesh_compare.h"
#include "compute/mesh/mesh_facts.h"
#include "compute/reference/reference.h"
#include "tests/joined.h"
#include "volumes/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gpu gpu;

static inline bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && strcmp(value, "1") == 0;
}

// For a test of divided volumes that does by default a share of what it can.
static inline bool every_part(void)
{
    return is_set("CUBIST_EVERY_PART") || is_set("CUBIST_WHOLE");
}

__attribute__((constructor)) static void select_tests(void)
{
    cmocka_set_test_filter(getenv("CUBIST_ONLY"));
}

// Whether the device's subgroups have as many lanes as the environment says.
static bool has_wanted_lanes(void)
{
    const char *wanted = getenv("CUBIST_LANES");
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &subgroup,
    };
    vkGetPhysicalDeviceProperties2(gpu.physical, &properties);
    if (wanted && strtoul(wanted, NULL, 10) != subgroup.subgroupSize) {
        fprintf(
            stderr, "%s has subgroups of %u lanes, not of %s\n", gpu.properties.deviceName,
            subgroup.subgroupSize, wanted);
        return false;
    }
    return true;
}

// With other vectors than its own, llvmpipe of Mesa 25.0 crashes (4 lanes) or computes wrongly (16).
static bool has_broken_lanes(void)
{
    const char *mesa = strstr(gpu.driver, "Mesa ");
    return getenv("CUBIST_LANES") && mesa && atoi(mesa + strlen("Mesa ")) >= 25;
}

static int open_gpu(void **state)
{
    (void)state;
    const char *validate = getenv("CUBIST_VALIDATE");
    struct problem problem;
    const struct gpu_params params = {
        .validate = validate && strcmp(validate, "1") == 0,
        .device = getenv("CUBIST_LANES") ? "llvmpipe" : NULL,
        .draws = TEST_DRAWS,
    };
    if (!gpu_create(&params, &gpu, &problem)) {
        if (params.device) {
            printf("skipped: %s\n", problem.text);
            exit(77);
        }
        fprintf(stderr, "no device: %s\n", problem.text);
        return -1;
    }
    if (has_broken_lanes()) {
        printf("skipped: %s is broken with such vectors\n", gpu.driver);
        exit(77);
    }
    if (is_set("CUBIST_POSES") && gpu.software) {
        fprintf(stderr, "%s does not pose as a GPU\n", gpu.properties.deviceName);
        return -1;
    }
    return has_wanted_lanes() ? 0 : -1;
}

static int close_gpu(void **state)
{
    (void)state;
    const uint64_t held = gpu.budget.allocated;
    gpu_destroy(&gpu);
    if (held || gpu.messages) {
        fprintf(
            stderr, "%llu bytes of device memory left, %u validation messages\n",
            (unsigned long long)held, gpu.messages);
        fflush(NULL);
        _Exit(EXIT_FAILURE); // cmocka reports a failing teardown, but does not count it
    }
    return 0;
}

#define REQUIRE(call)                                                                              \
    do {                                                                                           \
        if (!(call)) {                                                                             \
            fail_msg("%s: %s", #call, problem.text);                                               \
        }                                                                                          \
    } while (0)

// The available methods take turns, two per volume, so that a test of many volumes does not take as
// many times longer as there are methods. CUBIST_EVERY_METHOD=1: all methods for each volume.
#define METHODS_A_TURN 2

// For a test of every method. In the sanitized build some methods stand for all; test_calibrate
// records the passes of the others there.
static inline bool method_passed_over(const struct method *method)
{
#ifdef __SANITIZE_ADDRESS__
    if (method != method_default() && method_row(method) % 5 != 0) {
        return true;
    }
#endif
    return method_unavailable(method, &gpu) != NULL;
}

static const struct method *next_method(void)
{
    static const struct method *next; // NULL: the first comes next
    do {
        next = method_next(next);
    } while (!next || method_unavailable(next, &gpu));
    return next;
}

static inline int methods_a_turn(void)
{
    return is_set("CUBIST_EVERY_METHOD") ? (int)method_count() : METHODS_A_TURN;
}

// One volume on the device.
struct bench {
    struct atlas atlas;
    struct extraction *extraction;
    struct surface surface;
    const struct method *turn[METHODS_MOST]; // methods_a_turn() of them
    enum atlas_storage storage;              // as was asked for
    uint32_t max_extent;
};

static inline void
bench_open(struct bench *bench, const struct volume *volume, const struct atlas_params *params)
{
    struct problem problem = { 0 };
    *bench = (struct bench){ .storage = params->storage, .max_extent = params->max_extent };
    for (int i = 0; i < methods_a_turn(); i++) {
        bench->turn[i] = next_method();
    }
    REQUIRE(atlas_create(&gpu, volume, params, &bench->atlas, &problem));
    REQUIRE(extraction_create(&gpu, &bench->atlas, &bench->extraction, &problem));
}

static inline void bench_close(struct bench *bench)
{
    surface_destroy(&gpu, &bench->surface);
    extraction_destroy(bench->extraction);
    atlas_destroy(&gpu, &bench->atlas);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// The cells are equal as a set; also in order, if the method promises the stream's order.
static inline void compare_cells(
    const struct volume *volume, const struct method *method, const struct cell_list *expected,
    struct cell_list *found)
{
    assert_int_equal(found->count, expected->count);
    for (uint64_t i = 1; method->order == ORDER_STREAM && i < found->count; i++) {
        assert_true(
            extraction_stream_order(volume->dim, found->cells[i - 1]) <
            extraction_stream_order(volume->dim, found->cells[i]));
    }
    qsort(found->cells, found->count, sizeof *found->cells, by_number);
    if (found->count) {
        assert_memory_equal(found->cells, expected->cells, found->count * sizeof *found->cells);
    }
}

// Extracts with one method and compares everything with the reference.
static inline void compare_step(
    struct bench *bench, const struct volume *volume, double iso, const struct method *method,
    const struct cell_list *cells, const struct mesh *mesh)
{
    struct problem problem = { 0 };
    struct extraction_result result;
    // Every third step visits all bricks: the surface is the same.
    static int steps;
    const struct extraction_step step = {
        .iso = iso,
        .method = method,
        .target = &bench->surface,
        .every_brick = ++steps % 3 == 0,
    };
    REQUIRE(extraction_run(bench->extraction, &step, &result, &problem));
    assert_true(!step.every_brick || result.active_bricks == result.bricks);
    assert_true(result.whole);
    assert_int_equal(result.active_cells, cells->count);

    struct cell_list found_cells;
    REQUIRE(extraction_cells(bench->extraction, &result, &found_cells, &problem));
    compare_cells(volume, method, cells, &found_cells);
    cell_list_destroy(&found_cells);

    struct mesh found;
    REQUIRE(extraction_download(bench->extraction, &bench->surface, &result, &found, &problem));
    struct mesh_difference difference;
    if (!mesh_compare(mesh, &found, NULL, &difference)) {
        fail_msg(
            "%s, isovalue %g, %ux%ux%u %s: %s", method->name, iso, volume->dim[0], volume->dim[1],
            volume->dim[2], volume_type_name(volume->type), difference.text);
    }
    struct mesh_facts facts;
    REQUIRE(mesh_facts(&found, volume->dim, &facts, &problem));
    if (!bench->atlas.has_gaps) {
        assert_true(facts.watertight);
    }
    mesh_destroy(&found);
}

// The same surface in parts of one to three layers of cells, with all parts on the device or one,
// visiting all bricks or those that the isovalue spans. Does a few of these comparisons;
// CUBIST_EVERY_PART=1: all of them.
static inline void compare_by_parts(
    const struct bench *bench, const struct volume *volume, double iso, const struct method *method,
    const struct mesh *mesh)
{
    static uint32_t calls, turns;
    const char *every = getenv("CUBIST_EVERY_PART");
    const bool all = every && strcmp(every, "1") == 0;
    if (calls++ % (all ? 1 : 61) != 0) {
        return;
    }
    struct problem problem = { 0 };
    struct parts *parts;
    struct extract_totals totals;
    struct joined joined = { 0 };
    turns++;
    const struct parts_params params = {
        .volume = volume,
        .layers = 1 + turns % 3,
        .residents = turns / 2 % 2,
        .storage = bench->storage,
        .max_extent = bench->max_extent,
    };
    const struct query query = { .iso = iso, .method = method, .every_brick = turns % 2 };
    REQUIRE(parts_open(&gpu, &params, &parts, &problem));
    REQUIRE(pull(parts, &query, &joined, &totals, &problem));
    parts_close(parts);
    struct mesh_difference difference;
    if (!mesh_compare(mesh, &joined.mesh, NULL, &difference)) {
        fail_msg(
            "parts of %u layers, %s, isovalue %g, %ux%ux%u %s: %s", params.layers, method->name,
            iso, volume->dim[0], volume->dim[1], volume->dim[2], volume_type_name(volume->type),
            difference.text);
    }
    mesh_destroy(&joined.mesh);
}

// Extracts with the methods whose turn it is, and compares everything with the reference.
static inline void compare_methods(struct bench *bench, const struct volume *volume, double iso)
{
    struct problem problem = { 0 };
    struct cell_list cells;
    struct mesh mesh;
    REQUIRE(reference_extract(volume, iso, &cells, &mesh, &problem));
    for (int i = 0; i < methods_a_turn(); i++) {
        compare_step(bench, volume, iso, bench->turn[i], &cells, &mesh);
    }
    compare_by_parts(bench, volume, iso, bench->turn[0], &mesh);
    cell_list_destroy(&cells);
    mesh_destroy(&mesh);
}
