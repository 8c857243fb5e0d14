// The method `auto`, without a device: the tests make up times and check what is selected.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/compaction/selector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct gpu gpu = { .traits = &traits_cpu };
static struct times times;
static struct selector selector;

static const struct method *collate, *compact, *ofk, *pyramid;

static int start(void **state)
{
    (void)state;
    collate = method_find("ink-collate");
    compact = method_find("ink-compact");
    ofk = method_find("count-scan-compact");
    pyramid = method_find("histopyramid");
    times = (struct times){ 0 };
    selector_set_times(&selector, &times);
    return 0;
}

// `method` takes so many nanoseconds per lane, and so many more per kept element, at every length.
static void measured(const struct method *method, double lane_ns, double kept_ns)
{
    for (int size = 0; size < TIMES_SIZES; size++) {
        for (int d = 0; d < TIMES_DENSITIES; d++) {
            const double lanes = exp2(TIMES_LEAST_LOG2 + 2 * size);
            const double ms = lanes * (lane_ns + kept_ns * times_densities[d]) / 1e6;
            for (int l = 0; l < TIMES_LANES; l++) {
                times.ms[method_row(method)][l][size][d][0] = (float)ms;
                times.ms[method_row(method)][l][size][d][1] = (float)ms;
            }
        }
    }
}

static struct selector_stream words_of(double lanes, double density)
{
    struct selector_stream stream = {
        .expected = { STREAM_WORDS, lanes, density, 0 },
        .most_lanes = (uint64_t)lanes,
    };
    memset(stream.ready, 1, sizeof stream.ready);
    return stream;
}

static struct selection selected(const struct selector_stream *stream)
{
    struct selection selection;
    selector_select(&selector, &gpu, stream, &selection);
    return selection;
}

static const struct method *fresh(const struct selector_stream *stream)
{
    selector_set_times(&selector, selector.times);
    return selected(stream).method;
}

static void near(double a, double b, double share)
{
    if (fabs(a - b) > share * fabs(b)) {
        fail_msg("%g is not %g", a, b);
    }
}

static void test_the_cheapest_by_the_table(void **state)
{
    (void)state;
    measured(collate, 1, 10); // sparse streams
    measured(ofk, 3, 2);      // dense ones; they meet at 25 %
    struct selector_stream stream = words_of(1 << 20, 0.1);
    assert_ptr_equal(fresh(&stream), collate);
    stream = words_of(1 << 20, 0.2);
    assert_ptr_equal(fresh(&stream), collate);
    stream = words_of(1 << 20, 0.3);
    assert_ptr_equal(fresh(&stream), ofk);
    stream = words_of(1 << 20, 0.9);
    assert_ptr_equal(fresh(&stream), ofk);
}

static void test_every_prediction_is_reported(void **state)
{
    (void)state;
    measured(collate, 1, 10);
    measured(ofk, 3, 2);
    const struct selector_stream stream = words_of(1 << 20, 0.5);
    const struct selection selection = selected(&stream);
    assert_ptr_equal(selection.method, ofk);
    near(selection.predicted_ms[method_row(ofk)], selection.ms, 1e-6);
    near(selection.predicted_ms[method_row(ofk)], (3 + 2 * 0.5) * (1 << 20) / 1e6, 1e-2);
    near(selection.predicted_ms[method_row(collate)], (1 + 10 * 0.5) * (1 << 20) / 1e6, 1e-2);
    for (uint32_t row = 0; row < method_count(); row++) {
        const bool able = !method_at(row)->selects && !method_at(row)->cpu;
        assert_true(able || selection.predicted_ms[row] == 0);
    }
}

static void test_lengths_are_told_apart(void **state)
{
    (void)state;
    measured(collate, 1, 0);
    measured(ofk, 2, 0);
    for (int d = 0; d < TIMES_DENSITIES; d++) {
        for (int p = 0; p < TIMES_PATTERNS; p++) {
            times.ms[method_row(collate)][0][0][d][p] *= 16; // at 2^10 words; from 2^11 on it wins
        }
    }
    struct selector_stream stream = words_of(1024, 0.1);
    assert_ptr_equal(fresh(&stream), ofk);
    stream = words_of(1100, 0.1);
    assert_ptr_equal(fresh(&stream), ofk);
    stream = words_of(3900, 0.1);
    assert_ptr_equal(fresh(&stream), collate);
    stream = words_of(5, 0.1); // as at the shortest that was measured
    assert_ptr_equal(fresh(&stream), ofk);
}

static void test_between_the_points(void **state)
{
    (void)state;
    measured(ofk, 2, 8);
    const double at[][3] = { { 1 << 10, 0.001, 0 }, { 1 << 15, 0.001, 0 }, { 100000, 0.3, 0 },
                             { 1 << 24, 0.9, 0 },   { 1 << 26, 0.4, 0 },   { 1 << 20, 0.05, 3 } };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const struct times_stream stream = { STREAM_WORDS, at[i][0], at[i][1], at[i][2] };
        near(times_predict(&times, ofk, &stream), at[i][0] * (2 + 8 * at[i][1]) / 1e6, 1e-3);
    }
    // Measured only up to 2^14: longer streams in proportion.
    for (int size = 3; size < TIMES_SIZES; size++) {
        memset(times.ms[method_row(ofk)][0][size], 0, sizeof times.ms[0][0][0]);
    }
    const struct times_stream stream = { STREAM_WORDS, 1 << 22, 0.5, 0 };
    near(times_predict(&times, ofk, &stream), (1 << 22) * 6e-6, 1e-3);
    assert_true(times_predict(&times, collate, &stream) == 0);
    const struct times_stream bricks = { STREAM_BRICKS, 1 << 12, 0.5, 0 };
    near(times_predict(&times, ofk, &bricks), (1 << 12) * 6e-6, 1e-3);
}

static void test_runs_are_told_apart(void **state)
{
    (void)state;
    measured(ofk, 2, 0);
    for (int size = 0; size < TIMES_SIZES; size++) {
        for (int d = 0; d < TIMES_DENSITIES; d++) {
            times.ms[method_row(ofk)][0][size][d][1] *= 3;
        }
    }
    const double one = (1 << 20) * 2e-6;
    struct times_stream stream = { STREAM_WORDS, 1 << 20, 0.5, 2 }; // as at random
    near(times_predict(&times, ofk, &stream), one, 1e-3);
    stream.run = 2 * TIMES_RUN;
    near(times_predict(&times, ofk, &stream), 3 * one, 1e-3);
    stream.run = 2 * sqrt(TIMES_RUN);
    near(times_predict(&times, ofk, &stream), 2 * one, 1e-3);
    stream.run = 0; // unknown: halfway
    near(times_predict(&times, ofk, &stream), 2 * one, 1e-3);
    stream.run = 1; // alternating
    near(times_predict(&times, ofk, &stream), one, 1e-3);
    stream = (struct times_stream){ STREAM_WORDS, 1 << 20, 1, 1 << 20 };
    near(times_predict(&times, ofk, &stream), 3 * one, 1e-3);
}

static void test_cells_have_times_of_their_own(void **state)
{
    (void)state;
    measured(collate, 1, 0);
    measured(ofk, 2, 0);
    for (int size = 0; size < TIMES_SIZES; size++) {
        for (int d = 0; d < TIMES_DENSITIES; d++) {
            times.ms[method_row(ofk)][1][size][d][0] /= 4;
            times.ms[method_row(ofk)][1][size][d][1] /= 4;
        }
    }
    struct selector_stream stream = words_of(1 << 16, 0.1);
    assert_ptr_equal(fresh(&stream), collate);
    stream.expected.stream = STREAM_BRICKS;
    assert_ptr_equal(fresh(&stream), collate);
    stream.expected.stream = STREAM_CELLS;
    assert_ptr_equal(fresh(&stream), ofk);
}

// A method that cannot run or breaks a promise is never selected, whatever its time.
static void test_gates(void **state)
{
    (void)state;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        measured(method, 5, 5);
    }
    struct selector_stream stream = words_of(1 << 20, 0.1);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const uint32_t row = method_row(method);
        const bool runs = !method->selects && !method->removes &&
                          !method_refuses(method, &gpu, stream.most_lanes);
        measured(method, 1, 1);
        assert_true((fresh(&stream) == method) == runs);
        stream.order = ORDER_STREAM;
        assert_true((fresh(&stream) == method) == (runs && method_stable(method)));
        stream.order = ORDER_FIXED;
        assert_true((fresh(&stream) == method) == (runs && method_deterministic(method)));
        stream.order = ORDER_NONE;
        stream.in_place = true;
        assert_true((fresh(&stream) == method) == (runs && method->in_place));
        stream.in_place = false;
        const uint64_t longest = method_longest(method, gpu.traits);
        if (longest) {
            stream.most_lanes = longest;
            assert_true(
                (fresh(&stream) == method) ==
                (!method->removes && !method->selects && !method_unavailable(method, &gpu)));
            stream.most_lanes++;
            assert_true(fresh(&stream) != method);
            stream.most_lanes = 1 << 20;
        }
        if (method->waits) {
            memset(times.ms[row], 0, sizeof times.ms[row]);
            selector_set_times(&selector, NULL); // nothing measured at all
            assert_true(selected(&stream).method != method);
            selector_set_times(&selector, &times);
        }
        measured(method, 5, 5);
    }
}

static void test_nothing_passes(void **state)
{
    (void)state;
    struct selector_stream stream = words_of(1 << 20, 0.1);
    stream.order = (enum method_order)(ORDER_STREAM + 1);
    const struct selection selection = selected(&stream);
    assert_null(selection.method);
    assert_non_null(strstr(selection.why, "no method can run"));
}

// Without times: the fewest bytes, and for short streams the fewest dispatches.
static void test_bytes_decide_until_then(void **state)
{
    (void)state;
    selector_set_times(&selector, NULL);
    for (uint32_t log2 = 4; log2 <= 26; log2 += 2) {
        const struct selector_stream stream = words_of(1u << log2, 0.1);
        const struct selection selection = selected(&stream);
        assert_ptr_equal(selection.method, collate);
        assert_non_null(strstr(selection.why, "not calibrated"));
    }
    struct selector_stream stream = words_of(1 << 22, 0.01);
    stream.order = ORDER_STREAM;
    const struct selection selection = selected(&stream);
    assert_true(method_stable(selection.method));
    // A measured method is preferred to any guess.
    measured(pyramid, 1000, 1000);
    selector_set_times(&selector, &times);
    stream.order = ORDER_NONE;
    assert_ptr_equal(selected(&stream).method, pyramid);
}

// A change must promise 15 % for three consecutive steps.
static void test_hysteresis(void **state)
{
    (void)state;
    measured(collate, 1, 10);
    measured(ofk, 3, 2);
    const struct selector_stream sparse = words_of(1 << 20, 0.1), dense = words_of(1 << 20, 0.9);
    const struct selector_stream near_by = words_of(1 << 20, 0.3); // 4 against 3.6
    assert_ptr_equal(selected(&sparse).method, collate);
    for (int i = 0; i < 10; i++) {
        const struct selection selection = selected(&near_by);
        assert_ptr_equal(selection.method, collate);
        assert_non_null(strstr(selection.why, "held though count-scan-compact"));
    }
    assert_ptr_equal(selected(&dense).method, collate);
    assert_ptr_equal(selected(&dense).method, collate);
    assert_ptr_equal(selected(&sparse).method, collate); // begins anew
    assert_ptr_equal(selected(&dense).method, collate);
    assert_ptr_equal(selected(&dense).method, collate);
    assert_ptr_equal(selected(&dense).method, ofk);
    assert_ptr_equal(selected(&sparse).method, ofk);
    // For a very different stream, or one that the method cannot run, another method is selected at
    // once.
    const struct selector_stream longer = words_of(1 << 24, 0.1);
    assert_ptr_equal(selected(&longer).method, collate);
    struct selector_stream in_order = words_of(1 << 24, 0.1);
    in_order.order = ORDER_STREAM;
    assert_ptr_equal(selected(&in_order).method, ofk);
}

// Measured times of steps correct the selection, for the kinds of streams on which they were
// measured. First runs, which create kernels, are ignored.
static void run_once(const struct selector_stream *stream)
{
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        selector_correct(&selector, &gpu, &stream->expected, method, 1e6);
    }
}

static void test_correction(void **state)
{
    (void)state;
    measured(collate, 2, 0);
    measured(ofk, 3, 0);
    measured(compact, 20, 0);
    const struct selector_stream stream = words_of(1 << 20, 0.1);
    const double ms = (1 << 20) * 2e-6;
    assert_ptr_equal(selected(&stream).method, collate);
    near(selected(&stream).ms, ms, 1e-3);
    run_once(&stream);
    near(selected(&stream).ms, ms, 1e-3);
    // As predicted: nothing changes.
    selector_correct(&selector, &gpu, &stream.expected, collate, ms);
    near(selected(&stream).ms, ms, 1e-3);
    // Four times as slow as predicted; other methods are expected to share half of that: 8 and 6.
    selector_set_times(&selector, &times);
    run_once(&stream);
    assert_ptr_equal(selected(&stream).method, collate);
    selector_correct(&selector, &gpu, &stream.expected, collate, 4 * ms);
    assert_ptr_equal(selected(&stream).method, collate);
    assert_ptr_equal(selected(&stream).method, collate);
    struct selection selection = selected(&stream);
    assert_ptr_equal(selection.method, ofk);
    near(selection.ms, 3 * ms, 1e-3);
    // The other method turns out four times as slow, too: the stream was the reason. 8 and 12.
    selector_correct(&selector, &gpu, &stream.expected, ofk, 6 * ms);
    for (int i = 0; i < SELECTOR_STEPS; i++) {
        selection = selected(&stream);
    }
    assert_ptr_equal(selection.method, collate);
    near(selection.ms, 4 * ms, 0.02);
    assert_non_null(strstr(selection.why, "corrected"));
    // The newest steps count most.
    for (int i = 0; i < 40; i++) {
        selector_correct(&selector, &gpu, &stream.expected, collate, ms);
    }
    near(selected(&stream).ms, ms, 0.01);
    // At another density nothing was measured.
    const struct selector_stream dense = words_of(1 << 20, 0.9);
    near(selected(&dense).ms, ms, 1e-3);
    // A step without a time is ignored; new times start afresh.
    selector_correct(&selector, &gpu, &dense.expected, collate, 0);
    near(selected(&dense).ms, ms, 1e-3);
    selector_correct(&selector, &gpu, &dense.expected, collate, 9 * ms);
    selector_set_times(&selector, &times);
    near(selected(&dense).ms, ms, 1e-3);
}

static void test_says_what_and_why(void **state)
{
    (void)state;
    measured(collate, 1, 10);
    measured(ofk, 1.5, 10);
    struct selector_stream stream = words_of(1 << 20, 0.05);
    assert_string_equal(
        selected(&stream).why,
        "1.57 ms predicted for 1048576 words, 5 % kept (table); next count-scan-compact 2.1");
    stream.guessed = true;
    assert_non_null(strstr(selected(&stream).why, "perhaps 5 % kept"));
}

// One step of `auto` on a stream for which each method takes so many times the predicted time.
static const struct method *
stepped(const struct selector_stream *stream, const double really[METHODS_MOST])
{
    const struct selection selection = selected(stream);
    const double ms = times_predict(&times, selection.method, &stream->expected);
    selector_correct(
        &selector, &gpu, &stream->expected, selection.method,
        ms * really[method_row(selection.method)]);
    return selection.method;
}

// Methods that are predicted to be close to the best are tried for a few steps, and kept if they
// are better.
static void test_tries(void **state)
{
    (void)state;
    measured(collate, 2, 0);
    measured(ofk, 2.5, 0);
    measured(pyramid, 2.9, 0);
    measured(compact, 6, 0); // too far off
    double really[METHODS_MOST];
    for (int i = 0; i < METHODS_MOST; i++) {
        really[i] = 1;
    }
    really[method_row(pyramid)] = 0.6; // 1.74: the best
    really[method_row(compact)] = 0.1;
    const struct selector_stream stream = words_of(1 << 20, 0.1);
    run_once(&stream);
    uint32_t ran[METHODS_MOST] = { 0 };
    for (int i = 0; i < 3 * SELECTOR_TRIES; i++) {
        ran[method_row(stepped(&stream, really))]++;
    }
    assert_int_equal(ran[method_row(collate)], SELECTOR_TRIES);
    assert_int_equal(ran[method_row(ofk)], SELECTOR_TRIES);
    assert_int_equal(ran[method_row(pyramid)], SELECTOR_TRIES);
    for (int i = 1; i < SELECTOR_STEPS; i++) {
        stepped(&stream, really);
    }
    memset(ran, 0, sizeof ran);
    for (int i = 0; i < 200; i++) {
        ran[method_row(stepped(&stream, really))]++;
    }
    assert_in_range(ran[method_row(pyramid)], 180, 200); // now and then the others get a chance
    assert_int_equal(ran[method_row(compact)], 0);
    // A stream that is several times as long is a different one.
    const struct selector_stream longer = words_of(1 << 23, 0.1);
    memset(ran, 0, sizeof ran);
    for (int i = 0; i < 2 * SELECTOR_TRIES; i++) {
        ran[method_row(stepped(&longer, really))]++;
    }
    assert_int_equal(ran[method_row(pyramid)], SELECTOR_TRIES);
    assert_int_equal(ran[method_row(collate)], SELECTOR_TRIES);
    // Nor if its kernels would have to be created.
    selector_set_times(&selector, &times);
    run_once(&stream);
    struct selector_stream unready = stream;
    unready.ready[method_row(ofk)] = false;
    memset(ran, 0, sizeof ran);
    for (int i = 0; i < 20; i++) {
        ran[method_row(stepped(&unready, really))]++;
    }
    assert_int_equal(ran[method_row(ofk)], 0);
    assert_true(ran[method_row(pyramid)] > SELECTOR_TRIES);
    // If there are no times, nothing is tried.
    selector_set_times(&selector, &times);
    run_once(&stream);
    for (int i = 0; i < 20; i++) {
        assert_ptr_equal(selected(&stream).method, collate);
        selector_correct(&selector, &gpu, &stream.expected, collate, 0);
    }
    // A method that is too fast for the device's clock is not tried again and again.
    for (int i = 0; i < SELECTOR_TRIES; i++) {
        stepped(&stream, really);
    }
    for (int i = 0; i < 2 * SELECTOR_TRIES; i++) {
        const struct method *method = selected(&stream).method;
        assert_true(method == ofk || method == pyramid);
        selector_correct(&selector, &gpu, &stream.expected, method, 0);
    }
    assert_ptr_equal(selected(&stream).method, collate);
}

// One slow step does not exclude a method for ever.
static void test_a_slow_moment_fades(void **state)
{
    (void)state;
    measured(collate, 2, 0);
    measured(ofk, 3, 0);
    const struct selector_stream stream = words_of(1 << 20, 0.1);
    const double ms = (1 << 20) * 2e-6;
    selector_correct(&selector, &gpu, &stream.expected, collate, ms); // the first is not counted
    selector_correct(&selector, &gpu, &stream.expected, collate, 10 * ms);
    for (int i = 0; i < SELECTOR_STEPS; i++) {
        selected(&stream);
    }
    assert_ptr_equal(selected(&stream).method, ofk);
    int steps = 0;
    while (selected(&stream).method == ofk && steps < 1000) {
        selector_correct(&selector, &gpu, &stream.expected, ofk, 1.5 * ms);
        steps++;
    }
    assert_in_range(steps, 10, 500);
    assert_ptr_equal(selected(&stream).method, collate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_cheapest_by_the_table, start),
        cmocka_unit_test_setup(test_every_prediction_is_reported, start),
        cmocka_unit_test_setup(test_lengths_are_told_apart, start),
        cmocka_unit_test_setup(test_between_the_points, start),
        cmocka_unit_test_setup(test_runs_are_told_apart, start),
        cmocka_unit_test_setup(test_cells_have_times_of_their_own, start),
        cmocka_unit_test_setup(test_gates, start),
        cmocka_unit_test_setup(test_nothing_passes, start),
        cmocka_unit_test_setup(test_bytes_decide_until_then, start),
        cmocka_unit_test_setup(test_hysteresis, start),
        cmocka_unit_test_setup(test_correction, start),
        cmocka_unit_test_setup(test_tries, start),
        cmocka_unit_test_setup(test_a_slow_moment_fades, start),
        cmocka_unit_test_setup(test_says_what_and_why, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
