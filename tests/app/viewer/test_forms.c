// What a form does with the clicks and the texts of one frame, without a window.
// ctest: plain
#include "app/base/target.h"
#include "app/viewer/forms/form.h"
#include "app/viewer/forms/forms.h"
#include "app/viewer/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct viewer viewer;
static uint32_t selections;
static int accepted; // the row; -2: none was

// As in the open dialog: other rows for each text.
static void only_one_row(struct viewer *of)
{
    form_clear_rows(&of->forms.form);
    form_add_row(&of->forms.form, "row", "", "value", 0);
    of->forms.form.selected = 0;
}

static void count_selection(struct viewer *of)
{
    (void)of;
    selections++;
}

static bool accept_row(struct viewer *of)
{
    accepted = of->forms.form.selected;
    return true;
}

static void show_rows(void)
{
    static const struct form_type type = {
        .typed = only_one_row,
        .selected = count_selection,
        .accepted = accept_row,
    };
    struct form *form = forms_show(&viewer, &type, "A form", "Accept");
    form->field_count = 1;
    form->selected = 0;
    for (int i = 0; i < 9; i++) {
        form_add_row(form, "row", "", "value", 0);
    }
    selections = 0;
    accepted = -2;
}

static void clicks(void **state)
{
    (void)state;
    const struct form_answer click = { .row = 7, .focus = -1 };
    const struct form_answer twice = { .row = 7, .focus = -1, .accepts = true };
    show_rows();
    forms_answer(&viewer, &click);
    assert_int_equal(viewer.forms.form.selected, 7);
    assert_int_equal(selections, 1);
    forms_answer(&viewer, &twice);
    assert_int_equal(accepted, 7);
    assert_null(viewer.forms.type);
}

// A click counts for the rows that were there when it was made.
static void clicks_on_rows_that_are_gone(void **state)
{
    (void)state;
    const struct form_answer both = { .typed = true, .row = 7, .focus = -1, .accepts = true };
    const struct form_answer button = { .typed = true, .row = -1, .focus = -1, .accepts = true };
    show_rows();
    forms_answer(&viewer, &both);
    assert_int_equal(viewer.forms.form.row_count, 1);
    assert_int_equal(viewer.forms.form.selected, 0);
    assert_int_equal(selections, 0);
    assert_int_equal(accepted, -2);
    assert_non_null(viewer.forms.type);
    forms_answer(&viewer, &button); // which is meant for the new text
    assert_int_equal(accepted, 0);
    assert_null(viewer.forms.type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clicks),
        cmocka_unit_test(clicks_on_rows_that_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
