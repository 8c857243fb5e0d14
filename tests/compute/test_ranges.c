// ctest: device
// Methods that divide a stream into ranges of stretches, at the limits of these ranges.
#include "tests/stream.h"

static void test_ends_of_ranges(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {
        STRETCH - 1,          STRETCH, STRETCH + 1,
        RANGES * STRETCH - 1, // a stretch for every range
        RANGES * STRETCH,
        RANGES * STRETCH + 1, // two, and none for half of them
    };
    struct stream_test test;
    stream_open(&test, RANGES * STRETCH + 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        stream_check(&test, "chag", sizes[i], 2, false);
        stream_check(&test, "chag-ballot", sizes[i], 2, false);
        stream_check(&test, "single-pass", sizes[i], 2, false);
        stream_check(&test, "single-pass", sizes[i], 2, true);
    }
    // All words are kept: writes follow closely behind reads.
    stream_check(&test, "single-pass", RANGES * STRETCH, 1, true);
    stream_close(&test);
}

static void test_single_pass_says_when_a_stream_is_too_long(void **state)
{
    (void)state;
    const struct method *method = method_find("single-pass");
    struct gpu other = gpu;
    other.traits = &traits_cpu;
    const uint64_t longest = method_longest(method, &traits_cpu);
    assert_true(longest > 0);
    assert_null(method_refuses(method, &other, longest));
    assert_non_null(method_refuses(method, &other, longest + 1));
    other.traits = &traits_gpu;
    assert_null(method_refuses(method, &other, UINT32_MAX));
    // A limit of the algorithm holds on every device.
    const struct method *lookback = method_find("lookback");
    assert_int_equal(method_longest(lookback, &traits_gpu), lookback->largest);
    assert_non_null(method_refuses(lookback, &other, lookback->largest + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_of_ranges),
        cmocka_unit_test(test_single_pass_says_when_a_stream_is_too_long),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
