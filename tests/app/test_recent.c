// The list of the volumes that were opened last.
// ctest: plain
#include "app/base/user_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/scratch.h"

static void in_its_own_folder(const char *name)
{
    assert_int_equal(setenv("XDG_STATE_HOME", scratch(name), 1), 0);
}

static const char *put(int number)
{
    char name[32];
    snprintf(name, sizeof name, "v%d.nrrd", number);
    return scratch_write(name, "x", 1);
}

static void add(const char *path)
{
    struct problem problem;
    if (!recent_add(path, &problem)) {
        fail_msg("%s", problem.text);
    }
}

static void newest_first_and_once(void **state)
{
    (void)state;
    struct recent recent;
    in_its_own_folder("deep/er/state"); // the folders are made
    recent_load(&recent);
    assert_int_equal(recent.count, 0);
    for (int i = 0; i < 30; i++) {
        add(put(i));
    }
    recent_load(&recent);
    assert_int_equal(recent.count, RECENT_MOST);
    struct stat st;
    assert_int_equal(stat(scratch("deep/er/state/cubist/recent"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    for (int i = 0; i < RECENT_MOST; i++) {
        char name[32];
        snprintf(name, sizeof name, "/v%d.nrrd", 29 - i);
        assert_non_null(strstr(recent.paths[i], name));
        assert_int_equal(recent.paths[i][0], '/');
    }
    char *sixth = strdup(recent.paths[5]);
    recent_free(&recent);
    add(sixth);
    recent_load(&recent);
    assert_int_equal(recent.count, RECENT_MOST);
    assert_string_equal(recent.paths[0], sixth);
    assert_string_not_equal(recent.paths[5], sixth);
    free(sixth);
    recent_free(&recent);
}

static void files_that_are_gone(void **state)
{
    (void)state;
    struct recent recent;
    in_its_own_folder("gone");
    char *kept = strdup(put(1)), *gone = strdup(put(2));
    add(kept);
    add(gone);
    unlink(gone);
    recent_load(&recent);
    assert_int_equal(recent.count, 1);
    assert_string_equal(recent.paths[0], kept);
    recent_free(&recent);
    add(kept);
    scratch_write("v2.nrrd", "x", 1); // it comes back
    recent_load(&recent);
    assert_int_equal(recent.count, 2);
    assert_string_equal(recent.paths[1], gone);
    recent_free(&recent);
    add(scratch("nothing")); // nothing to keep
    free(kept);
    free(gone);
}

static void strange_names_and_lists(void **state)
{
    (void)state;
    struct recent recent;
    struct problem problem;
    in_its_own_folder("strange");
    add(scratch_write("two\nlines.nrrd", "x", 1));
    recent_load(&recent);
    assert_int_equal(recent.count, 0);
    add(scratch_write("\xff \x1b[31m.nrrd", "x", 1));
    recent_load(&recent);
    assert_int_equal(recent.count, 1);
    recent_free(&recent);
    // A list that cubist did not write: only absolute paths of what is there count.
    char *real = strdup(put(3)), *text = NULL;
    assert_true(asprintf(&text, "v3.nrrd\n\n%s\n/nowhere/at/all\n%s", real, real) > 0);
    scratch_write("strange/cubist/recent", text, strlen(text));
    recent_load(&recent);
    assert_int_equal(recent.count, 1);
    assert_string_equal(recent.paths[0], real);
    recent_free(&recent);
    free(text);
    // Where it cannot be written.
    scratch_write("file", "x", 1);
    in_its_own_folder("file");
    assert_false(recent_add(real, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    recent_load(&recent);
    assert_int_equal(recent.count, 0);
    free(real);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_first_and_once),
        cmocka_unit_test(files_that_are_gone),
        cmocka_unit_test(strange_names_and_lists),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_end();
    return failed;
}
