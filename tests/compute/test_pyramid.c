// Internals of both HistoPyramids: after a run, every node equals the sum of its children, and
// every level sums to the root.
#include "tests/device.h"

#include "compute/compaction/methods/histopyramid.h"
#include "compute/compaction/words.h"

#define LARGEST 300001 // more than the apex takes
#define LEAF    8      // words of a leaf
#define LEVELS  12

// Two streams of the same size in succession: remains of the first must not matter.
static const uint32_t sizes[] = { LARGEST, LARGEST, 262145, 40003, 32769, 32768, 8191, 1021,
                                  257,     256,     33,     10,    5,     3,     2,    1 };

static uint32_t words_in[LARGEST], counts[LARGEST], sums[LARGEST], stored[LARGEST];

// The counts of the nodes of each level, computed from the words; level 0 are the leaves. There is
// room for a complete four, even if only its first node exists.
static uint32_t truth[LEVELS][LARGEST / LEAF + 8], nodes[LEVELS];

static void make_truth(uint32_t count, uint32_t levels)
{
    memset(truth, 0, sizeof truth);
    nodes[0] = (count + LEAF - 1) / LEAF;
    for (uint32_t i = 0; i < count; i++) {
        truth[0][i / LEAF] += !(words_in[i] & WORD_INVALID);
    }
    for (uint32_t n = 1; n <= levels; n++) {
        nodes[n] = (nodes[n - 1] + 3) / 4;
        for (uint32_t i = 0; i < nodes[n - 1]; i++) {
            truth[n][i / 4] += truth[n - 1][i];
        }
    }
}

static void compare(
    const char *name, uint32_t count, uint32_t level, uint32_t node, uint64_t found, uint64_t right)
{
    if (found != right) {
        fail_msg(
            "%s, %u words, level %u, node %u: %llu, not %llu", name, count, level, node,
            (unsigned long long)found, (unsigned long long)right);
    }
}

// Runs, reads list and levels back and compares every node. Returns the number of kept words. With
// `partial`, siblings hold the sums up to each.
static uint32_t check(struct words *words, const char *name, bool partial, uint32_t *list)
{
    struct problem problem = { 0 };
    struct words_result result;
    const struct words_step step = { .method = method_find(name) };
    const struct histopyramid_levels levels =
        histopyramid_levels(histopyramid_leaves(words->count, STREAM_WORDS));
    assert_true(levels.count < LEVELS && levels.fours * 4 <= LARGEST);
    make_truth(words->count, levels.count);
    REQUIRE(words_run(words, &step, &result, &problem));
    REQUIRE(
        transfer_download(&gpu, &words->compaction.levels, 0, stored, levels.fours * 16, &problem));
    REQUIRE(transfer_download(&gpu, &words->list, 0, list, result.kept * 4, &problem));
    const uint32_t *at = stored;
    for (uint32_t n = 1; n <= levels.count; n++) {
        const uint32_t all = (nodes[n] + 3) / 4 * 4;
        uint32_t before = 0;
        uint64_t sum = 0;
        for (uint32_t i = 0; i < all; i++) {
            before = partial && i % 4 ? before : 0;
            compare(name, words->count, n, i, at[i], before + truth[n][i]);
            before += truth[n][i];
            sum += truth[n][i];
        }
        compare(name, words->count, n, all, sum, result.kept);
        at += all;
    }
    assert_int_equal(at - stored, levels.fours * 4);
    return result.kept;
}

static void test_levels_sum_to_the_root(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct words words;
    REQUIRE(words_create(&gpu, &(struct words_params){ .count = LARGEST }, &words, &problem));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (uint32_t i = 0; i < sizes[s]; i++) {
            words_in[i] = i | ((i * 2654435761u >> 9) % 3 == s % 3 ? 0 : WORD_INVALID);
        }
        words.count = sizes[s];
        REQUIRE(
            transfer_upload(&gpu, &words.source, 0, words_in, (uint64_t)words.count * 4, &problem));
        const uint32_t kept = check(&words, "histopyramid", false, counts);
        assert_int_equal(check(&words, "histopyramid-vec4", true, sums), kept);
        // The same search, the same order.
        assert_memory_equal(counts, sums, kept * sizeof *counts);
    }
    words_destroy(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_levels_sum_to_the_root) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
