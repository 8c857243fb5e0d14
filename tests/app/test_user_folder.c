// The files that cubist keeps for a person: the oldest go when there are too many.
// ctest: plain
#include "app/base/user_folder.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/scratch.h"

#define MOST 200

static const char *view_path(int number)
{
    char name[60];
    snprintf(name, sizeof name, "views/%016x.cubist.json", (unsigned)number * 0x9e3779b9U);
    return scratch(name);
}

// The files differ in age as `number` does; the youngest is 0.
static void put(const char *path, int number)
{
    const struct timespec times[2] = {
        { .tv_sec = 1000000 - number / 3, .tv_nsec = 500 - number % 3 },
        { .tv_sec = 1000000 - number / 3, .tv_nsec = 500 - number % 3 },
    };
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void the_oldest_goes(void **state)
{
    (void)state;
    static const char *const others[] = { "views/notes.txt", "views/x.cubist.json",
                                          "views/00000000000000000.cubist.json" };
    struct problem problem;
    char *own = strdup(view_path(0));
    assert_true(user_folder_make(own, &problem));
    for (int i = 0; i < 3; i++) {
        put(scratch(others[i]), 100000); // older than all, and of other names
    }
    for (int i = 0; i < MOST; i++) {
        put(view_path(i), i);
        user_folder_prune(own, 16, ".cubist.json", MOST);
    }
    for (int i = 0; i < MOST; i++) {
        assert_true(is_there(view_path(i)));
    }
    put(view_path(MOST), -1); // the youngest
    user_folder_prune(own, 16, ".cubist.json", MOST);
    for (int i = 0; i <= MOST; i++) {
        assert_int_equal(is_there(view_path(i)), i != MOST - 1);
    }
    put(view_path(MOST + 1), -2);
    user_folder_prune(own, 16, ".cubist.json", MOST);
    assert_false(is_there(view_path(MOST - 2)));
    assert_true(is_there(view_path(MOST - 3)));
    for (int i = 0; i < 3; i++) {
        assert_true(is_there(scratch(others[i])));
    }
    user_folder_prune(scratch("none/x"), 16, ".cubist.json", MOST); // no such folder
    free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_goes),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_end();
    return failed;
}
