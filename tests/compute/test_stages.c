// The stages of timers: each has a name of its own, under which reports show its time.
// ctest: plain
#include "compute/gpu/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void every_stage_has_its_name(void **state)
{
    (void)state;
    for (int i = 0; i < STAGE_KINDS; i++) {
        const struct stage stage = stage_of((enum stage_kind)i);
        assert_int_equal(stage.kind, i);
        assert_non_null(stage.name);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(stage.name, stage_of((enum stage_kind)k).name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage_has_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
