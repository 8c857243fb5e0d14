// ctest: long
// 10,000 random steps of each kind, as in test_drag.c.
#include "drags.h"

static void test_ten_thousand_steps(void **state)
{
    (void)state;
    drag_of_each_kind(10000, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ten_thousand_steps) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
