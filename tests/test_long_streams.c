// ctest: device long
// Streams of many levels of a scan, of more groups than an axis has, and the longest of
// single-pass.
#include "stream.h"

#define FOLDED (65535 * GROUP + 1)         // one group more than an axis has
#define LEVELS (GROUP * GROUP * GROUP + 1) // a fourth level of the scan

static void test_folded_and_with_four_levels(void **state)
{
    (void)state;
    static const char *const names[] = { "scan-scatter-hs", "scan-scatter-bl", "chag",
                                         "chag-ballot" };
    struct stream_test test;
    stream_open(&test, LEVELS);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        stream_check(&test, names[i], FOLDED, 2, false);
        stream_check(&test, names[i], LEVELS, 1, false);
        stream_check(&test, names[i], LEVELS, 50, false);
    }
    stream_close(&test);
}

static void test_longest_of_single_pass(void **state)
{
    (void)state;
    const uint32_t longest = (uint32_t)method_find("single-pass")->largest;
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
