// ctest: heavy
// The calibration of `auto`: the streams have the stated properties, and the work can be done in
// steps.
#include "tests/device.h"

#include "compute/compaction/calibrate.h"
#include "compute/compaction/cell_stream.h"
#include "compute/compaction/words.h"

#include <math.h>

static bool times_it(const struct method *method)
{
    return !method->selects && !method->removes && !method_tiles(method) &&
           !method_refuses(method, &gpu, 1024);
}

static void test_rows_are_as_dense_as_said(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct cell_stream rows;
    REQUIRE(cell_stream_create(&gpu, 16384, &rows, &problem));
    for (uint32_t lanes = 1024; lanes <= 16384; lanes *= 16) {
        for (int i = 0; i < 2 * TIMES_DENSITIES; i++) {
            const double density = times_densities[i / 2];
            REQUIRE(cell_stream_fill(&rows, lanes, density, i % 2, &problem));
            uint32_t expected = 0;
            for (const struct method *method = method_next(NULL); method;
                 method = method_next(method)) {
                uint32_t kept;
                double ms;
                if (!times_it(method) || (expected && lanes > 1024)) {
                    continue;
                }
                REQUIRE(cell_stream_run(&rows, method, &kept, &ms, &problem));
                expected = expected ? expected : kept;
                if (kept != expected) {
                    fail_msg("%s: %u and not %u kept", method->name, kept, expected);
                }
                assert_true(ms > 0 || !gpu.timestamps);
            }
            const double cells = lanes * 32.0, runs = i % 2 ? 32 : 1;
            // Neighbouring cells share samples, so there are fewer independent random draws than
            // kept cells.
            const double spread = 6 * sqrt(8 * runs * density * cells) + 0.03 * density * cells;
            if (fabs(expected - density * cells) > spread) {
                fail_msg("%u of %.0f kept, not %.0f", expected, cells, density * cells);
            }
        }
    }
    cell_stream_destroy(&rows);
}

// A list that is too short for the cells of the stream: the count goes on, and nothing is written
// beyond the list.
static void test_rows_that_do_not_fit(void **state)
{
    (void)state;
    enum { CANARIES = 64, CANARY = 0xcafe };
    struct problem problem = { 0 };
    struct cell_stream rows;
    REQUIRE(cell_stream_create(&gpu, 1024, &rows, &problem));
    REQUIRE(cell_stream_fill(&rows, 1024, 0.5, false, &problem));
    const uint32_t room = rows.capacity;
    uint32_t whole = 0;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        double ms;
        if (!times_it(method)) {
            continue;
        }
        if (!whole) {
            REQUIRE(cell_stream_run(&rows, method, &whole, &ms, &problem));
            assert_true(whole > 8000 && whole + CANARIES < room);
        }
        const uint32_t capacities[] = { 0, 1, 33, whole / 2, whole - 1, whole };
        for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
            uint32_t canaries[CANARIES], kept;
            for (int c = 0; c < CANARIES; c++) {
                canaries[c] = CANARY;
            }
            rows.capacity = capacities[i];
            const uint64_t behind = rows.capacity * 4ull;
            REQUIRE(transfer_upload(&gpu, &rows.list, behind, canaries, sizeof canaries, &problem));
            REQUIRE(cell_stream_run(&rows, method, &kept, &ms, &problem));
            REQUIRE(
                transfer_download(&gpu, &rows.list, behind, canaries, sizeof canaries, &problem));
            assert_int_equal(kept, whole);
            for (int c = 0; c < CANARIES; c++) {
                if (canaries[c] != CANARY) {
                    fail_msg("%s wrote behind a list of %u", method->name, rows.capacity);
                }
            }
        }
        rows.capacity = room;
    }
    cell_stream_destroy(&rows);
}

static void test_words_are_as_dense_as_said(void **state)
{
    (void)state;
    static uint32_t words[65536];
    for (uint32_t run = 1; run <= 64; run *= 64) {
        for (int d = 0; d < TIMES_DENSITIES; d++) {
            uint32_t kept = 0, runs = 0;
            calibration_words(words, 65536, times_densities[d], run, 7);
            for (uint32_t i = 0; i < 65536; i++) {
                const bool keep = !(words[i] & WORD_INVALID);
                kept += keep;
                runs += keep && (i == 0 || words[i - 1] & WORD_INVALID);
            }
            const double expected = 65536 * times_densities[d];
            assert_true(fabs(kept - expected) <= 6 * sqrt(run * expected) + 1);
            if (kept > 0 && times_densities[d] < 0.6) {
                const double length = run / (1 - times_densities[d]);
                assert_true(fabs((double)kept / runs - length) < 0.15 * length);
            }
        }
    }
}

static void measure(
    const struct calibration_params *params, double budget_ms, struct times *out, uint32_t *slices)
{
    struct problem problem = { 0 };
    struct calibration *calibration;
    REQUIRE(calibration_create(&gpu, params, &calibration, &problem));
    double share = 0;
    for (*slices = 0; !calibration_done(calibration); ++*slices) {
        REQUIRE(calibration_go_on(calibration, budget_ms, &problem));
        assert_true(calibration_share(calibration) >= share);
        share = calibration_share(calibration);
        assert_true(*slices < 100000);
    }
    assert_true(share == 1);
    REQUIRE(calibration_go_on(calibration, budget_ms, &problem)); // there is no work left
    *out = *calibration_times(calibration);
    calibration_destroy(calibration);
}

// The lengths that were measured, as bits. For the shortest one, all methods that can run must have
// been measured.
static uint32_t lengths(const struct times *times, uint32_t lanes)
{
    uint32_t found = 0;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const uint32_t row = method_row(method);
        assert_true((times->ms[row][lanes][0][0][0] > 0) == times_it(method));
        for (int size = 0; size < TIMES_SIZES; size++) {
            for (int i = 0; i < TIMES_DENSITIES * TIMES_PATTERNS; i++) {
                const float ms =
                    times->ms[row][lanes][size][i / TIMES_PATTERNS][i % TIMES_PATTERNS];
                assert_true(ms >= 0 && ms < 1e6f && (ms == 0 || times_it(method)));
                found |= (uint32_t)(ms > 0) << size;
            }
        }
    }
    return found;
}

// No run may take long, so there is only one length. Each call does as little as possible.
static void test_slices(void **state)
{
    (void)state;
    struct times times;
    uint32_t slices, live = 0;
    const struct calibration_params params = { .sizes = 3, .turns = 1, .single_ms = 1e-6 };
    measure(&params, 1e-3, &times, &slices);
    assert_int_equal(lengths(&times, 0), 1);
    assert_int_equal(lengths(&times, 1), 1);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        live += times_it(method);
    }
    // One step per call: a stream is made, or compacted by one method. A method's first run, which
    // creates its kernels, is a step of its own. Methods that are too slow may be left out after
    // the first turn.
    const uint32_t streams = TIMES_LANES * TIMES_DENSITIES * TIMES_PATTERNS;
    assert_true(slices <= streams * (live + 1) + 2 * live);
    assert_true(slices > streams + 4 * live);
}

static void test_there_is_an_end_to_it(void **state)
{
    (void)state;
    struct times times;
    uint32_t slices;
    // Without time: only the shortest streams, all in one call.
    const struct calibration_params params = { .turns = 1, .sizes = 3, .total_ms = 1e-3 };
    measure(&params, 1e9, &times, &slices);
    assert_int_equal(lengths(&times, 0), 1);
    assert_int_equal(lengths(&times, 1), 1);
    assert_int_equal(slices, 1);
}

static void test_no_room(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct calibration *calibration = (struct calibration *)&problem;
    gpu.budget.limit = gpu.budget.allocated + 1000;
    assert_false(
        calibration_create(&gpu, &(struct calibration_params){ 0 }, &calibration, &problem));
    assert_null(calibration);
    assert_int_equal(problem.kind, PROBLEM_DEVICE_MEMORY);
    gpu.budget.limit = 0;
}

// `auto` runs the method that its times indicate, and the result says so.
static void test_auto_goes_by_the_times(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    static struct times times;
    static uint32_t made[4096];
    const struct method *automatic = method_find("auto");
    for (const struct method *wanted = method_next(NULL); wanted; wanted = method_next(wanted)) {
        if (!times_it(wanted)) {
            continue;
        }
        for (uint32_t row = 0; row < method_count(); row++) {
            float *ms = &times.ms[row][0][0][0][0];
            for (size_t i = 0; i < sizeof times.ms[0] / sizeof *ms; i++) {
                ms[i] = row == method_row(wanted) ? 1 : 1000;
            }
        }
        struct words stream;
        REQUIRE(words_create(
            &gpu, &(struct words_params){ .count = 4096, .times = &times }, &stream, &problem));
        calibration_words(made, 4096, 0.25, 1, 3);
        REQUIRE(transfer_upload(&gpu, &stream.source, 0, made, sizeof made, &problem));
        const struct words_step step = { .method = automatic };
        struct words_result result;
        REQUIRE(words_run(&stream, &step, &result, &problem));
        assert_ptr_equal(result.method, wanted);
        assert_non_null(strstr(result.why, "perhaps 50 % kept (table)"));
        REQUIRE(words_run(&stream, &step, &result, &problem));
        assert_ptr_equal(result.method, wanted);
        assert_null(strstr(result.why, "perhaps"));
        const struct words_step plain = { .method = wanted };
        REQUIRE(words_run(&stream, &plain, &result, &problem));
        assert_ptr_equal(result.method, wanted);
        assert_string_equal(result.why, "");
        words_destroy(&stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_as_dense_as_said),
        cmocka_unit_test(test_rows_that_do_not_fit),
        cmocka_unit_test(test_words_are_as_dense_as_said),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_there_is_an_end_to_it),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_auto_goes_by_the_times),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
