// The times of steps, method by method: which ones count, their medians, and the table of all
// methods as CSV. Without a window and a device.
// ctest: plain
#include "app/base/number.h"
#include "app/base/timings.h"
#include "app/viewer/methods/measurement.h"
#include "app/viewer/methods/step_history.h"
#include "compute/extraction/extraction.h"
#include "compute/gpu/gpu.h"
#include "volumes/facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near(double a, double b)
{
    if (fabs(a - b) > 1e-5) {
        fail_msg("%g is not %g", a, b);
    }
}

static struct extraction_result result_of(const char *name, double bricks_ms, double cells_ms)
{
    struct extraction_result result = { .method = method_find(name), .iso = 7, .whole = true };
    const struct {
        enum stage_kind kind;
        double ms;
    } rows[] = {
        { STAGE_BRICKS, bricks_ms }, { STAGE_CLASSIFY, 10 },  { STAGE_CELLS, cells_ms },
        { STAGE_VERTICES, 20 },      { STAGE_TRIANGLES, 30 }, { STAGE_FINISH, 40 },
    };
    assert_non_null(result.method);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        result.stages[i] = stage_of(rows[i].kind);
        result.stage_ms[i] = rows[i].ms;
    }
    result.stage_count = sizeof rows / sizeof *rows;
    return result;
}

static uint32_t row_of(const char *name)
{
    return method_row(method_find(name));
}

static void medians_and_leasts_are_of_one_isovalue(void **state)
{
    (void)state;
    static struct step_history times;
    const double bricks[] = { 5, 1, 3, 9 };
    for (int i = 0; i < 4; i++) {
        struct extraction_result result = result_of("ink-collate", bricks[i], 100);
        const struct step_time time = step_time_of(&result, i < 3 ? 70 : 71);
        step_kept_add(&times.of[0], &time);
    }
    const struct step_summary three = step_history_at(&times, 0, 70);
    assert_int_equal(three.steps, 3);
    near(three.compaction.median_ms, 103);
    near(three.compaction.min_ms, 101);
    near(three.whole.median_ms, 203);
    near(three.stage_ms[STEP_BRICKS], 3);
    near(three.stage_ms[STEP_CLASSIFY], 10);
    near(three.stage_ms[STEP_REMOVALS], 0);
    near(three.stage_ms[STEP_FINISH], 40);
    assert_int_equal(step_history_at(&times, 0, 72).steps, 0);
    assert_int_equal(step_history_at(&times, 1, 70).steps, 0);
    const struct step_summary newest = step_history_newest(&times, 0);
    assert_int_equal(newest.steps, 1);
    assert_int_equal(newest.key, 71);
    near(newest.compaction.median_ms, 109);
    near(newest.iso, 7);

    // The median of two is between them.
    struct extraction_result result = result_of("ink-collate", 19, 100);
    const struct step_time time = step_time_of(&result, 71);
    step_kept_add(&times.of[0], &time);
    near(step_history_at(&times, 0, 71).compaction.median_ms, 114);
}

static void the_oldest_steps_are_forgotten(void **state)
{
    (void)state;
    static struct step_history times;
    for (uint32_t i = 0; i < STEP_HISTORY_KEPT + 5; i++) {
        struct extraction_result result = result_of("ink-collate", i, 0);
        const struct step_time time = step_time_of(&result, 1);
        step_kept_add(&times.of[3], &time);
    }
    const struct step_summary found = step_history_at(&times, 3, 1);
    assert_int_equal(found.steps, STEP_HISTORY_KEPT);
    near(found.compaction.min_ms, 5);
}

static void removals_are_the_methods_own_time(void **state)
{
    (void)state;
    struct extraction_result result = result_of("ink-collate", 1, 2);
    result.stages[6] = stage_of(STAGE_BRICK_REMOVALS);
    result.stages[7] = stage_of(STAGE_CELL_REMOVALS);
    result.stage_ms[6] = 100;
    result.stage_ms[7] = 200;
    result.stage_count = 8;
    static struct step_history times;
    const struct step_time time = step_time_of(&result, 1);
    step_kept_add(&times.of[0], &time);
    near(step_history_at(&times, 0, 1).stage_ms[STEP_REMOVALS], 300);
    near(step_history_at(&times, 0, 1).compaction.median_ms, 303);
    near(step_history_at(&times, 0, 1).whole.median_ms, 403);
}

static void cold_steps_do_not_count(void **state)
{
    (void)state;
    static struct step_history times;
    const uint32_t row = row_of("lookback");
    struct extraction_result cold = result_of("lookback", 500, 500);
    struct extraction_result warm = result_of("lookback", 1, 2);
    assert_false(step_history_awaits(&times, row));
    assert_true(step_history_take(&times, &cold, 9, false, true)); // the first one: again
    assert_true(step_history_awaits(&times, row));
    assert_true(step_history_take(&times, &cold, 9, true, true)); // buffers were allocated: again
    assert_int_equal(step_history_at(&times, row, 9).steps, 0);
    assert_false(step_history_take(&times, &warm, 9, false, true));
    assert_false(step_history_awaits(&times, row));
    assert_int_equal(step_history_at(&times, row, 9).steps, 1);
    near(step_history_at(&times, row, 9).compaction.median_ms, 3);

    // A step that only moves vertices has no compaction.
    warm.moved = true;
    assert_false(step_history_take(&times, &warm, 9, false, true));
    assert_int_equal(step_history_at(&times, row, 9).steps, 1);

    // Steps are not repeated for ever while buffers are allocated, nor kept without times.
    static struct step_history other;
    int repeats = 0;
    while (step_history_take(&other, &cold, 9, true, true)) {
        assert_true(++repeats < 10);
    }
    warm.moved = false;
    step_history_take(&other, &warm, 9, false, false);
    assert_int_equal(step_history_at(&other, row, 9).steps, 0);
    assert_false(step_history_awaits(&other, row));
}

// A repeated step would have nothing to remove.
static void a_method_that_removes_waits_for_something_to_remove(void **state)
{
    (void)state;
    static struct step_history times;
    const uint32_t row = row_of("redzone-2");
    struct extraction_result result = result_of("redzone-2", 1, 2);
    assert_false(step_history_take(&times, &result, 9, false, true));
    assert_false(step_history_take(&times, &result, 9, false, true));
    assert_int_equal(step_history_at(&times, row, 9).steps, 0);
    result.cells_events.removed = 1;
    assert_false(step_history_take(&times, &result, 9, false, true));
    assert_int_equal(step_history_at(&times, row, 9).steps, 1);
}

static struct measurement table_of(void)
{
    struct measurement table = { .iso = 0.3, .count = 3 };
    const double ms[] = { 3.5, 1.25, 2 };
    static const char *const names[] = { "b", "a", "c" };
    for (uint32_t i = 0; i < 3; i++) {
        snprintf(table.rows[i].name, sizeof table.rows[i].name, "%s", names[i]);
        table.rows[i].active_cells = 10 + i;
        table.rows[i].triangles = 20;
        table.rows[i].times.steps = 7;
        table.rows[i].times.compaction =
            (struct timings){ .median_ms = ms[i], .min_ms = ms[i] / 2, .max_ms = 4 };
        table.rows[i].times.whole = (struct timings){ .median_ms = 9, .min_ms = 8 };
        table.rows[i].times.stage_ms[STEP_CELLS] = ms[i];
    }
    snprintf(table.volume, sizeof table.volume, "a \"b\", c.raw");
    snprintf(table.device, sizeof table.device, "llvmpipe (LLVM 15, 256 bits)");
    return table;
}

static void the_table_is_sorted_by_time_or_not(void **state)
{
    (void)state;
    const struct measurement table = table_of();
    uint32_t order[MEASUREMENT_ROWS] = { 0 };
    measurement_order(&table, false, order);
    assert_true(order[0] == 0 && order[1] == 1 && order[2] == 2);
    measurement_order(&table, true, order);
    assert_true(order[0] == 1 && order[1] == 2 && order[2] == 0);
}

static void the_table_as_csv(void **state)
{
    (void)state;
    const struct measurement table = table_of();
    char *csv = measurement_csv(&table);
    assert_non_null(csv);
    assert_string_equal(
        csv,
        "method,bricks median (ms),classify median (ms),cells median (ms),removals median (ms),"
        "vertices median (ms),triangles median (ms),finish median (ms),compaction median (ms),"
        "compaction least (ms),compaction most (ms),step median (ms),step least (ms),steps (n),"
        "slower than the best,active cells,triangles,isovalue,device,volume,selected\n"
        "b,0.000,0.000,3.500,0.000,0.000,0.000,0.000,3.500,1.750,4.000,9.000,8.000,7,no,10,20,0.3,"
        "\"llvmpipe (LLVM 15, 256 bits)\",\"a \"\"b\"\", c.raw\",\n"
        "a,0.000,0.000,1.250,0.000,0.000,0.000,0.000,1.250,0.625,4.000,9.000,8.000,7,no,11,20,0.3,"
        "\"llvmpipe (LLVM 15, 256 bits)\",\"a \"\"b\"\", c.raw\",\n"
        "c,0.000,0.000,2.000,0.000,0.000,0.000,0.000,2.000,1.000,4.000,9.000,8.000,7,no,12,20,0.3,"
        "\"llvmpipe (LLVM 15, 256 bits)\",\"a \"\"b\"\", c.raw\",\n");
    free(csv);
}

// A device's steps. ink-collate takes 3 ms. horn takes longer in every turn, chag in every second
// one, and lookback in all but the third one that counts.
static bool attempt(
    struct document *document, const struct method *method, double iso, bool every_brick,
    struct extraction_result *result, struct problem *problem)
{
    (void)document, (void)iso, (void)every_brick, (void)problem;
    static uint32_t turns[METHODS_MOST]; // the first one does not count
    const uint32_t turn = turns[method_row(method)]++;
    const bool horn = method == method_find("horn"), chag = method == method_find("chag");
    const bool longer =
        horn || (chag && turn % 2) || (method == method_find("lookback") && turn != 3);
    *result = result_of(method->name, 1, longer ? 3 : 2);
    result->bricks_choice.method = method_find("horn");
    result->cells_choice.method = method_find("chag");
    return true;
}

static void the_best_methods_go_on_until_they_are_told_apart(void **state)
{
    (void)state;
    static struct measurement table;
    static struct step_history times;
    static const struct gpu gpu;
    static const struct volume_facts facts;
    const struct measured of = {
        .gpu = &gpu, .attempt = attempt, .times = &times, .facts = &facts
    };
    static const struct {
        const char *name;
        uint32_t steps;
        bool apart;
    } rows[] = { { "auto", 7, false },
                 { "horn", 7, true },
                 { "ink-collate", 32, false },
                 { "chag", 32, false },
                 { "lookback", 11, true } }; // 10 of 11: the chance is 12 / 2048
    struct problem problem;
    char text[MEASUREMENT_VERDICT];
    measurement_begin(&table, "volume", "device", 7, false);
    for (uint32_t i = 0; i < 5; i++) {
        measurement_add(&table, method_find(rows[i].name), NULL);
    }
    assert_true(measurement_next(&table, &of, 1e6, &problem));
    assert_true(table.has_table && table.shows && !table.running);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(table.rows[i].times.steps, rows[i].steps);
        assert_int_equal(table.rows[i].apart, rows[i].apart);
    }
    assert_string_equal(table.rows[0].choice, "horn, chag");
    assert_string_equal(
        measurement_verdict(&table, text),
        "ink-collate cannot be told apart from 1 other, after 32 steps each.");
    // Without those, 7 steps are enough.
    measurement_begin(&table, "volume", "device", 7, false);
    measurement_add(&table, method_find("ink-collate"), NULL);
    measurement_add(&table, method_find("horn"), NULL);
    assert_true(measurement_next(&table, &of, 1e6, &problem));
    assert_int_equal(table.rows[0].times.steps, 7);
    assert_string_equal(
        measurement_verdict(&table, text), "ink-collate is faster than all others.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_leasts_are_of_one_isovalue),
        cmocka_unit_test(the_oldest_steps_are_forgotten),
        cmocka_unit_test(removals_are_the_methods_own_time),
        cmocka_unit_test(cold_steps_do_not_count),
        cmocka_unit_test(a_method_that_removes_waits_for_something_to_remove),
        cmocka_unit_test(the_best_methods_go_on_until_they_are_told_apart),
        cmocka_unit_test(the_table_is_sorted_by_time_or_not),
        cmocka_unit_test(the_table_as_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
