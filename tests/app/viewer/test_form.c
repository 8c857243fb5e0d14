// The data of a form: rows, the selection, choices and texts; without a window.
// ctest: plain
#include "app/viewer/forms/form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void the_selection_goes_round(void **state)
{
    (void)state;
    struct form form = { .selected = -1 };
    assert_false(form_select(&form, +1));
    assert_int_equal(form.selected, -1);
    for (int i = 0; i < 100; i++) {
        assert_true(form_add_row(&form, "row\n", "of \xff many", "\xff", i % 2));
    }
    assert_string_equal(form.rows[99].label, "row\\x0a"); // what is shown is printable
    assert_string_equal(form.rows[99].detail, "of \\xff many");
    assert_string_equal(form.rows[99].value, "\xff"); // and what it stands for is not
    assert_int_equal(form.rows[99].kind, 1);
    assert_true(form_select(&form, +1));
    assert_int_equal(form.selected, 0);
    assert_true(form_select(&form, -1));
    assert_int_equal(form.selected, 99);
    assert_true(form_select(&form, +1));
    assert_int_equal(form.selected, 0);
    form.selected = -1;
    assert_true(form_select(&form, -1));
    assert_int_equal(form.selected, 99);
    form_clear_rows(&form);
    assert_int_equal(form.row_count, 0);
    assert_int_equal(form.selected, -1);
    form_clear(&form);
}

static void fields_and_choices(void **state)
{
    (void)state;
    static const char *const kinds[] = { "one", "two", "three", NULL };
    static struct form form;
    form = (struct form){ .field_count = 2, .fields = { [1] = { .choices = kinds } } };
    assert_false(form_choose(&form, +1)); // the first field is a text
    form_focus(&form, +1);
    assert_int_equal(form.focus, 1);
    assert_true(form_choose(&form, -1));
    assert_int_equal(form.fields[1].choice, 2);
    assert_true(form_choose(&form, +1));
    assert_int_equal(form.fields[1].choice, 0);
    form_focus(&form, +1);
    assert_int_equal(form.focus, 0);
    form_focus(&form, -1);
    assert_int_equal(form.focus, 1);
}

// A text that was set must replace what the field shows, and one that is the same must not take
// the cursor away.
static void texts_have_versions(void **state)
{
    (void)state;
    static struct form form;
    form = (struct form){ .field_count = 1 };
    const uint32_t version = form.version;
    form_set_text(&form, 0, "name");
    assert_string_equal(form.fields[0].text, "name");
    assert_int_not_equal(form.version, version);
    const uint32_t second = form.version;
    form_set_text(&form, 0, "name");
    assert_int_equal(form.version, second);
    form_set_note(&form, true, "%s: \x1b[31m", "no");
    assert_string_equal(form.note, "no: \\x1b[31m");
    assert_true(form.note_is_error);
    form_set_line(&form, "/%s/", "a\nb\xff");
    assert_string_equal(form.line, "/a\\x0ab\\xff/");
    // A form that follows another one differs from it.
    form_clear(&form);
    assert_int_equal(form.version, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_selection_goes_round),
        cmocka_unit_test(fields_and_choices),
        cmocka_unit_test(texts_have_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
