// ctest: plain
// Dispatch arguments for lists of any length: enough workgroups, folded only if necessary, and no
// surplus rows of workgroups.
#include "tests/device.h"

#include "compute/compaction/words.h"

static void test_groups_fold(void **state)
{
    (void)state;
    static const struct {
        uint32_t count, lanes, each, x, y;
    } rows[] = {
        { 0, 1, 1, 0, 1 },
        { 1, 1, 1, 1, 1 },
        { GROUP, 1, 1, 1, 1 },
        { GROUP + 1, 1, 1, 2, 1 },
        { 2 * GROUP, 1, 2, 1, 1 },
        { 2 * GROUP + 1, 1, 2, 2, 1 },
        { 4, HALO_ROWS, 1, 1, 1 },
        { 65535u * GROUP, 1, 1, 65535, 1 },
        { 65535u * GROUP + 1, 1, 1, 65535, 2 },
        { 2 * 65535u * GROUP, 1, 1, 65535, 2 },
        { 2 * 65535u * GROUP + 1, 1, 1, 65535, 3 },
        { UINT32_MAX, 1, 1, 65535, 257 },
    };
    struct problem problem = { 0 };
    struct words words;
    REQUIRE(words_create(&gpu, &(struct words_params){ .count = 1 }, &words, &problem));
    struct buffer counter = { 0 }, arguments = { 0 };
    REQUIRE(buffer_create(
        &gpu, &(struct buffer_params){ "counter", 16, BUFFER_DEVICE }, &counter, &problem));
    REQUIRE(buffer_create(
        &gpu, &(struct buffer_params){ "arguments", 16, BUFFER_DEVICE }, &arguments, &problem));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct list_counter list = { .count = rows[i].count, .capacity = UINT32_MAX };
        uint32_t found[4];
        REQUIRE(transfer_upload(&gpu, &counter, 0, &list, sizeof list, &problem));
        VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
        assert_non_null(cmd);
        struct run run;
        run_begin(&run, &gpu, cmd, NULL);
        const struct binding table[BINDINGS] = {
            [BINDING_COUNTER] = { &counter },
            [BINDING_ARGUMENTS] = { &arguments },
        };
        run_dispatch(
            &run, words.compaction.arrange, table,
            &(struct arrange_push){ .lanes = rows[i].lanes, .each = rows[i].each }, 1, 1, 1);
        REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
        REQUIRE(transfer_download(&gpu, &arguments, 0, found, sizeof found, &problem));
        assert_int_equal(found[0], rows[i].x);
        assert_int_equal(found[1], rows[i].y);
        assert_int_equal(found[2], 1);
    }
    buffer_destroy(&gpu, &arguments);
    buffer_destroy(&gpu, &counter);
    words_destroy(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_groups_fold) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
