// ctest: device long
// Streams with many levels of a scan, with more workgroups than an axis allows, and the longest one
// of single-pass.
#include "tests/stream.h"

// One workgroup more than an axis allows. Methods with several elements per lane have fewer
// workgroups.
#define FOLDED (65535 * GROUP + 1)
#define LEVELS (GROUP * GROUP * GROUP + 1) // a fourth level of the scan

// Two patterns, two runs, every method.
static void test_folded_and_with_four_levels(void **state)
{
    (void)state;
    struct stream_test test;
    stream_open(&test, LEVELS);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        for (int run = 0; run < 2 && !method_refuses(method, &gpu, LEVELS); run++) {
            printf("%s, run %d\n", method->name, run + 1);
            stream_check(&test, method->name, FOLDED, 2, false);
            stream_check(&test, method->name, LEVELS, 50, false);
        }
    }
    stream_close(&test);
}

static void test_longest_of_single_pass(void **state)
{
    (void)state;
    const uint32_t longest = (uint32_t)method_longest(method_find("single-pass"), &traits_cpu);
    struct stream_test test;
    stream_open(&test, longest);
    stream_check(&test, "single-pass", longest, 2, false);
    stream_check(&test, "single-pass", longest, 1, true);
    stream_close(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folded_and_with_four_levels),
        cmocka_unit_test(test_longest_of_single_pass),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
