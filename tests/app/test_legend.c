// The text beside a picture of the lists: what is shown, or why it is not.
// ctest: plain
#include "app/picture/legend.h"
#include "compute/extraction/extraction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *const show_names[SHOWS_MOST] = { "surface", "bricks", "cells",
                                             "order",   "levels", "atlas" };

static const uint32_t dim[3] = { 257, 101, 11 };
static const struct extraction_result result = {
    .bricks = 32768,
    .active_bricks = 1024,
    .active_cells = 1234567,
};

static struct legend legend_for(enum show show, const struct method *method)
{
    struct legend legend;
    legend_of(show, &result, method, !method, dim, &legend);
    return legend;
}

static void test_counts(void **state)
{
    (void)state;
    const struct method *method = method_find("histopyramid");
    assert_string_equal(legend_for(SHOW_SURFACE, method).title, "");
    struct legend legend = legend_for(SHOW_BRICKS, method);
    assert_string_equal(legend.title, "Active bricks: 1,024 of 32,768 (3.12 %)");
    assert_null(legend.first);
    legend = legend_for(SHOW_CELLS, method);
    assert_string_equal(legend.title, "Active cells: 1,234,567 of 256,000 (482 %)");
    legend = legend_for(SHOW_ORDER, method);
    assert_string_equal(legend.title, "Order of the 1,234,567 active cells");
    assert_string_equal(legend.first, "first");
    assert_string_equal(legend.last, "last");
    // 16,384 rows: 4^7 of them, so 8 levels with the base.
    legend = legend_for(SHOW_LEVELS, method);
    assert_string_equal(legend.title, "HistoPyramid of histopyramid, 8 levels");
    assert_int_equal(legend.levels, 8);
    assert_string_equal(legend.base, "base: 16,384 rows");
    assert_string_equal(legend.apex, "apex: 1,234,567 cells");
    assert_non_null(legend.first);
    legend = legend_for(SHOW_LEVELS, method_find("histopyramid:atlas"));
    assert_string_equal(legend.title, "HistoPyramid of histopyramid:atlas");
    assert_int_equal(legend.levels, 0);
    assert_string_equal(legend.last, "last, or all, root scale");
}

// Each promise of a method has its own words.
static void test_orders(void **state)
{
    (void)state;
    const char *const names[] = { "histopyramid", "ink-collate", "jumping-jack", "redzone-2" };
    char notes[4][240];
    for (int i = 0; i < 4; i++) {
        const struct method *method = method_find(names[i]);
        const struct legend legend = legend_for(SHOW_ORDER, method);
        assert_int_equal(strncmp(legend.note, names[i], strlen(names[i])), 0);
        strcpy(notes[i], strchr(legend.note, ' '));
        for (int j = 0; j < i; j++) {
            const enum method_order other = method_find(names[j])->order;
            assert_int_equal(method->order == other, strcmp(notes[i], notes[j]) == 0);
        }
    }
}

static void test_what_is_not_there(void **state)
{
    (void)state;
    for (int show = SHOW_BRICKS; show < SHOWS_MOST; show++) {
        const struct legend legend = legend_for(show, NULL);
        assert_non_null(strstr(legend.title, show_names[show]));
        assert_non_null(strstr(legend.note, "part by part"));
        assert_null(legend.first);
    }
    const struct legend legend = legend_for(SHOW_LEVELS, method_find("ink-collate"));
    assert_string_equal(legend.title, "ink-collate builds no HistoPyramid");
    assert_null(legend.first);
}

// With every brick visited, as N or --no-skip asks for, there are no others.
static void test_every_brick(void **state)
{
    (void)state;
    struct extraction_result all = result;
    struct legend legend;
    all.active_bricks = all.bricks;
    legend_of(SHOW_BRICKS, &all, method_find("histopyramid"), false, dim, &legend);
    assert_string_equal(legend.note, "of 32 x 4 x 4 cells; none is skipped");
}

static void test_line(void **state)
{
    (void)state;
    static const char *const expected[] = {
        [SHOW_BRICKS] =
            "Active bricks: 1,024 of 32,768 (3.12 %), of 32 x 4 x 4 cells; the others are "
            "skipped\n",
        [SHOW_ORDER] = "Order of the 1,234,567 active cells, histopyramid keeps the order of the "
                       "stream: brick by brick; colors: #440154 first to #fde725 last\n",
        [SHOW_ATLAS] = "Active cells: 1,234,567 of 256,000 (482 %). Left: in the slices, which are "
                       "tiles. Right: in the list, row by row; histopyramid keeps the order of the "
                       "stream: brick by brick; colors: #440154 first to #fde725 last\n",
        [SHOW_LEVELS] =
            "HistoPyramid of histopyramid, 8 levels. Each node counts the active cells of "
            "the four below it. The base has the rows of the active bricks, in Z-order. "
            "base: 16,384 rows; apex: 1,234,567 cells. colors: #440154 none active to "
            "#fde725 all, root scale\n",
    };
    for (int show = 0; show < SHOWS_MOST; show++) {
        if (expected[show]) {
            char *text = NULL;
            size_t size = 0;
            FILE *file = open_memstream(&text, &size);
            const struct legend legend = legend_for(show, method_find("histopyramid"));
            legend_put(&legend, file);
            fclose(file);
            assert_string_equal(text, expected[show]);
            free(text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_what_is_not_there),
        cmocka_unit_test(test_every_brick),
        cmocka_unit_test(test_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
