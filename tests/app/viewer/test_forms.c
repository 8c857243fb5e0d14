// What a form does with the clicks and the texts of one frame, without a window.
// ctest: plain
#include "app/viewer/forms/forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/scratch.h"

static struct forms forms;

static void clicks(void **state)
{
    (void)state;
    static const struct volume_params given;
    const struct form_answer click = { .row = 7, .focus = -1 };
    const struct form_answer twice = { .row = 7, .focus = -1, .accepts = true };
    struct form_wish wish = { 0 };
    const struct raw_file file = { .path = strdup("x"), .bytes = 1 << 24 };
    assert_true(forms_ask_raw(&forms, file, &given));
    assert_true(forms.form.row_count > 7);
    forms_answer(&forms, &click, &wish);
    assert_int_equal(forms.form.selected, 7);
    assert_int_equal(wish.kind, FORM_NONE);
    forms_answer(&forms, &twice, &wish);
    assert_int_equal(wish.kind, FORM_RAW);
    assert_true(wish.accepted);
    assert_memory_equal(wish.volume.dim, forms.raw.guesses[7].dim, sizeof wish.volume.dim);
    assert_int_equal(wish.volume.type, forms.raw.guesses[7].type);
    assert_int_equal(forms.kind, FORM_NONE);
    forms_end(&forms);
    forms.raw.file.path = NULL;
}

// A click counts for the rows that were there when it was made.
static void clicks_on_rows_that_are_gone(void **state)
{
    (void)state;
    const struct form_answer both = { .typed = true, .row = 7, .focus = -1, .accepts = true };
    const struct form_answer button = { .typed = true, .row = -1, .focus = -1, .accepts = true };
    struct form_wish wish = { 0 };
    char path[FORM_TEXT];
    setenv("XDG_STATE_HOME", scratch("state"), 1); // no recent files
    assert_int_equal(mkdir(scratch("e"), 0700), 0);
    for (int i = 0; i < 9; i++) {
        char name[32];
        snprintf(name, sizeof name, "e/row%d.nrrd", i);
        snprintf(path, sizeof path, "%s", scratch_write(name, "x", 1));
    }
    forms_open(&forms, path, NULL);
    assert_true(forms.form.row_count > 7);
    snprintf(forms.form.fields[0].text, FORM_TEXT, "row8");
    forms_answer(&forms, &both, &wish);
    assert_int_equal(forms.form.row_count, 1);
    assert_int_equal(forms.form.selected, 0);
    assert_false(forms.open.moved);
    assert_int_equal(wish.kind, FORM_NONE);
    assert_int_equal(forms.kind, FORM_OPEN);
    forms_answer(&forms, &button, &wish); // which is meant for the new text
    assert_int_equal(wish.kind, FORM_OPEN);
    assert_string_equal(wish.path, path);
    assert_int_equal(forms.kind, FORM_NONE);
    forms_end(&forms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clicks),
        cmocka_unit_test(clicks_on_rows_that_are_gone),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_end();
    return failed;
}
