// What the open dialog lists for a typed text, in which order, and what is selected.
// ctest: plain
#include "app/base/user_folder.h"
#include "app/viewer/forms/form.h"
#include "app/viewer/forms/open_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/scratch.h"

static void texts_name_folders(void **state)
{
    (void)state;
    setenv("HOME", "/home/ada", 1);
    static const struct {
        const char *text, *folder, *lists, *looks_for;
    } cases[] = {
        { "", "/data", "/data", "" },
        { "too", "/data", "/data", "too" },
        { "ct/too", "/data", "/data/ct", "too" },
        { "ct/", "/", "/ct", "" },
        { "/", "/data", "/", "" },
        { "/us", "/data", "/", "us" },
        { "/usr/lib/x", "/data", "/usr/lib", "x" },
        { "~/", "/data", "/home/ada", "" },
        { "~/a/b", "/data", "/home/ada/a", "b" },
        { "~b/c", "/data", "/data/~b", "c" },
        { "~", "/data", "/data", "~" },
        { "../", "/data", "/data/..", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char lists[100];
        const char *looks_for;
        assert_true(
            open_list_where(cases[i].text, cases[i].folder, lists, sizeof lists, &looks_for));
        assert_string_equal(lists, cases[i].lists);
        assert_string_equal(looks_for, cases[i].looks_for);
    }
    char lists[8];
    const char *looks_for;
    assert_false(open_list_where("/longer/than/that", "/", lists, sizeof lists, &looks_for));
    char above[20];
    open_list_parent("/a/b", above, sizeof above);
    assert_string_equal(above, "/a");
    open_list_parent("/a", above, sizeof above);
    assert_string_equal(above, "/");
    open_list_parent("/", above, sizeof above);
    assert_string_equal(above, "/");
}

// The labels, joined by blanks; the selected one in brackets.
static const char *labels(const struct form *form)
{
    static char text[2000];
    size_t at = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < form->row_count; i++) {
        const bool selected = (int)i == form->selected;
        at += (size_t)snprintf(
            text + at, sizeof text - at, "%s%s%s%s", i ? " " : "", selected ? "[" : "",
            form->rows[i].label, selected ? "]" : "");
    }
    return text;
}

static void folders_then_volumes(void **state)
{
    (void)state;
    struct form form = { .selected = -1 };
    static const char *const folders[] = { "d", "d/tooth", "d/ct", "d/.git" };
    static const char *const files[] = { "d/tooth10.nrrd", "d/tooth9.nrrd",      "d/a.raw",
                                         "d/notes.txt",    "d/.x.nrrd",          "d/B.nii",
                                         "d/my tooth.vti", "d/head.cubist.json", "d/head.json" };
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        assert_int_equal(mkdir(scratch(folders[i]), 0700), 0);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        scratch_write(files[i], "12345", 5);
    }
    char lists[4096];
    snprintf(lists, sizeof lists, "%s", scratch("d"));
    assert_true(open_list_fill(&form, lists, "", NULL));
    assert_string_equal(
        labels(&form),
        "../ ct/ tooth/ [B.nii] a.raw head.cubist.json my tooth.vti tooth9.nrrd tooth10.nrrd");
    assert_string_equal(form.rows[1].value, scratch("d/ct"));
    assert_int_equal(form.rows[1].kind, OPEN_FOLDER);
    assert_int_equal(form.rows[3].kind, OPEN_FILE);
    assert_string_equal(form.rows[3].detail, "5 bytes");
    assert_true(open_list_fill(&form, lists, "TOOTH1", NULL));
    assert_string_equal(labels(&form), "[tooth10.nrrd]");
    assert_true(open_list_fill(&form, lists, "t", NULL));
    assert_string_equal(
        labels(&form), "ct/ [tooth/] head.cubist.json my tooth.vti tooth9.nrrd tooth10.nrrd");
    assert_true(open_list_fill(&form, lists, ".", NULL));
    assert_string_equal(
        labels(&form),
        "[.git/] B.nii a.raw head.cubist.json my tooth.vti tooth9.nrrd tooth10.nrrd");
    // The case decides between two names.
    assert_int_equal(mkdir(scratch("d/ct/headsq"), 0700), 0);
    scratch_write("d/ct/HeadMR.nii", "1", 1);
    snprintf(lists, sizeof lists, "%s", scratch("d/ct"));
    assert_true(open_list_fill(&form, lists, "Head", NULL));
    assert_string_equal(labels(&form), "headsq/ [HeadMR.nii]");
    assert_true(open_list_fill(&form, lists, "head", NULL));
    assert_string_equal(labels(&form), "[headsq/] HeadMR.nii");
    assert_true(open_list_fill(&form, lists, "none", NULL));
    assert_string_equal(labels(&form), "");
    assert_int_equal(form.selected, -1);
    assert_false(open_list_fill(&form, "/no/such/folder", "", NULL));
    assert_true(form.note_is_error);
    form_clear(&form);
}

static void recent_ones_on_top(void **state)
{
    (void)state;
    struct form form = { .selected = -1 };
    struct recent recent = { 0 };
    assert_int_equal(mkdir(scratch("e"), 0700), 0);
    assert_int_equal(mkdir(scratch("slices"), 0700), 0);
    scratch_write("e/inside.nrrd", "x", 1);
    recent_append(&recent, scratch("slices"));
    for (int i = 1; i <= 9; i++) {
        char name[32];
        snprintf(name, sizeof name, "r%d.nrrd", i);
        recent_append(&recent, scratch_write(name, "x", 1));
    }
    char lists[4096];
    snprintf(lists, sizeof lists, "%s", scratch("e"));
    assert_true(open_list_fill(&form, lists, "", &recent));
    assert_string_equal(labels(&form), "[slices] r1.nrrd r2.nrrd r3.nrrd r4.nrrd ../ inside.nrrd");
    assert_int_equal(form.rows[0].kind, OPEN_SLICES);
    assert_non_null(strstr(form.rows[1].detail, "recent, /"));
    assert_true(open_list_fill(&form, lists, "r9", &recent));
    assert_string_equal(labels(&form), "[r9.nrrd]");
    snprintf(lists, sizeof lists, "%s", scratch("e/.."));
    assert_true(open_list_fill(&form, lists, "r9", &recent));
    assert_string_equal(labels(&form), "[r9.nrrd] r9.nrrd");
    open_list_parent(recent.paths[1], lists, sizeof lists); // listed once where it is
    assert_true(open_list_fill(&form, lists, "r9", &recent));
    assert_string_equal(labels(&form), "[r9.nrrd]");
    recent_free(&recent);
    form_clear(&form);
}

// Lists the folder for the text, selects the row with this label, and completes it.
static const char *completed(const char *text, const char *lists, const char *label)
{
    static struct form form;
    static char out[FORM_TEXT];
    form = (struct form){ .selected = -1, .field_count = 1 };
    form_set_text(&form, 0, text);
    assert_true(open_list_fill(&form, lists, "", NULL));
    form.selected = -1;
    for (uint32_t i = 0; i < form.row_count; i++) {
        form.selected = strcmp(form.rows[i].label, label) == 0 ? (int)i : form.selected;
    }
    const bool fine = open_list_complete(&form, lists, out, sizeof out);
    form_clear(&form);
    return fine ? out : NULL;
}

static void rows_complete_the_text(void **state)
{
    (void)state;
    char lists[4096], above[4096];
    assert_int_equal(mkdir(scratch("f"), 0700), 0);
    assert_int_equal(mkdir(scratch("f/g"), 0700), 0);
    scratch_write("f/a.nrrd", "x", 1);
    scratch_write("f/\xff.nrrd", "x", 1);
    snprintf(lists, sizeof lists, "%s", scratch("f"));
    assert_string_equal(completed("", lists, "a.nrrd"), "a.nrrd");
    assert_string_equal(completed("", lists, "g/"), "g/");
    assert_string_equal(completed("../f/a", lists, "a.nrrd"), "../f/a.nrrd");
    // The folder above is no name in this one.
    open_list_parent(lists, above, sizeof above);
    strcat(above, "/");
    assert_string_equal(completed("", lists, "../"), above);
    assert_string_equal(completed("../f/", lists, "../"), above);
    assert_string_equal(completed("x", "/tmp", "../"), "/");
    assert_null(completed("", lists, "\\xff.nrrd")); // no text has such a byte
    assert_null(completed("", lists, "none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_name_folders),
        cmocka_unit_test(folders_then_volumes),
        cmocka_unit_test(recent_ones_on_top),
        cmocka_unit_test(rows_complete_the_text),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_end();
    return failed;
}
