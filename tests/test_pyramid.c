// Both HistoPyramids from the inside: after a run, every node is what its children say, and every
// level sums to the root.
#include "device.h"

#include "compute/compaction/histopyramid.h"
#include "compute/compaction/histopyramid_vec4.h"
#include "compute/compaction/words.h"

#define LARGEST 65537
#define LEVELS  20

// Two of the same size after another, so that what the first leaves must not matter.
static const uint32_t sizes[] = { LARGEST, LARGEST, 8191, 1021, 257, 256, 33, 10, 5, 3, 2, 1 };

static uint32_t words_in[LARGEST], flat[LARGEST], vec4[LARGEST], stored[LARGEST * 4];

// A level's counts, as the base says: the truth.
struct level {
    uint32_t width, height, counts[LARGEST + 300];
};
static struct level truth[LEVELS];

static uint32_t count_at(const struct level *level, uint32_t x, uint32_t y)
{
    return x < level->width && y < level->height ? level->counts[y * level->width + x] : 0;
}

// The four children's counts, in Z order.
static void children(const struct level *below, uint32_t x, uint32_t y, uint32_t four[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        four[i] = count_at(below, 2 * x + i % 2, 2 * y + i / 2);
    }
}

// Makes all levels over the first `count` words; returns how many, the base included.
static uint32_t make_truth(uint32_t count)
{
    uint32_t side = 1, top = 0;
    while (side * side < count) {
        side++;
    }
    truth[0].width = side;
    truth[0].height = (count + side - 1) / side;
    for (uint32_t i = 0; i < side * truth[0].height; i++) {
        truth[0].counts[i] = i < count && !(words_in[i] & WORD_INVALID);
    }
    // Even a base of one texel has a node above it.
    for (; top == 0 || truth[top].width > 1 || truth[top].height > 1; top++) {
        struct level *here = &truth[top + 1];
        here->width = (truth[top].width + 1) / 2;
        here->height = (truth[top].height + 1) / 2;
        for (uint32_t i = 0; i < here->width * here->height; i++) {
            uint32_t four[4];
            children(&truth[top], i % here->width, i / here->width, four);
            here->counts[i] = four[0] + four[1] + four[2] + four[3];
        }
    }
    return top + 1;
}

// Runs, and reads the levels and the list back; returns how many are kept.
static uint32_t run(struct words *words, const char *name, uint64_t level_words, uint32_t *list)
{
    struct problem problem = { 0 };
    struct words_result result;
    const struct words_step step = { .method = method_find(name) };
    assert_true(level_words * 4 <= sizeof stored);
    REQUIRE(words_run(words, &step, &result, &problem));
    REQUIRE(buffer_download(&gpu, &words->compaction.levels, 0, stored, level_words * 4, &problem));
    REQUIRE(buffer_download(&gpu, &words->list, 0, list, result.kept * 4, &problem));
    return result.kept;
}

static void
compare(const char *name, uint32_t count, uint32_t level, uint64_t found, uint64_t right)
{
    if (found != right) {
        fail_msg(
            "%s, %u words, level %u: %llu, not %llu", name, count, level, (unsigned long long)found,
            (unsigned long long)right);
    }
}

// Level by level from the base on, with even sides; what lies outside is 0.
static void check_flat(struct words *words, uint32_t levels)
{
    const uint64_t size = histopyramid_words(truth[0].width, truth[0].height);
    const uint32_t kept = run(words, "histopyramid", size, flat), *at = stored;
    for (uint32_t n = 0; n < levels; n++) {
        const uint32_t width = (truth[n].width + 1) / 2 * 2, height = (truth[n].height + 1) / 2 * 2;
        uint64_t sum = 0;
        for (uint32_t i = 0; i < width * height; i++) {
            sum += at[i];
            compare(
                "histopyramid", words->count, n, at[i], count_at(&truth[n], i % width, i / width));
        }
        compare("histopyramid, sum", words->count, n, sum, kept);
        at += width * height;
    }
    assert_int_equal(at - stored, size);
}

// Level by level from the first above the base on; each node the sums of its children so far.
static void check_vec4(struct words *words, uint32_t levels)
{
    const struct histopyramid_levels made =
        histopyramid_vec4_levels(truth[0].width, truth[0].height);
    assert_int_equal(made.count, levels - 1);
    const uint32_t kept = run(words, "histopyramid-vec4", made.nodes * 4, vec4), *node = stored;
    for (uint32_t n = 1; n < levels; n++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < truth[n].width * truth[n].height; i++, node += 4) {
            uint32_t four[4], so_far = 0;
            children(&truth[n - 1], i % truth[n].width, i / truth[n].width, four);
            for (uint32_t k = 0; k < 4; k++) {
                so_far += four[k];
                compare("histopyramid-vec4", words->count, n, node[k], so_far);
            }
            sum += node[3];
        }
        compare("histopyramid-vec4, sum", words->count, n, sum, kept);
    }
    assert_int_equal(node - stored, made.nodes * 4);
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
            buffer_upload(&gpu, &words.source, 0, words_in, (uint64_t)words.count * 4, &problem));
        const uint32_t levels = make_truth(words.count);
        check_flat(&words, levels);
        check_vec4(&words, levels);
        // The same search, the same order.
        assert_memory_equal(flat, vec4, truth[levels - 1].counts[0] * sizeof *flat);
    }
    words_destroy(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_levels_sum_to_the_root) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
