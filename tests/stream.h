// Streams of plain words that are too long for test_compaction.c: makes, compacts and compares
// them.
#pragma once

#include "tests/device.h"

#include "compute/compaction/words.h"

struct stream_test {
    struct words words;
    uint32_t *in, *expected, *found;
};

static inline void stream_open(struct stream_test *test, uint32_t count)
{
    struct problem problem = { 0 };
    const size_t bytes = (count + (size_t)WORDS_MARGIN) * sizeof(uint32_t);
    test->in = malloc(bytes);
    test->expected = malloc(bytes);
    test->found = malloc(bytes);
    assert_true(test->in && test->expected && test->found);
    REQUIRE(words_create(&gpu, &(struct words_params){ .count = count }, &test->words, &problem));
}

static inline void stream_close(struct stream_test *test)
{
    words_destroy(&test->words);
    free(test->in);
    free(test->expected);
    free(test->found);
}

static inline int by_word(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Compacts the first `count` words with any method; about one word in `one_in` is kept, at random.
static inline void stream_check(
    struct stream_test *test, const char *name, uint32_t count, uint32_t one_in, bool in_place)
{
    struct problem problem = { 0 };
    struct words *words = &test->words;
    uint32_t kept = 0, bits = count;
    for (uint32_t i = 0; i < count; i++) {
        bits = bits * 1664525u + 1013904223u;
        test->in[i] = (bits >> 8) % one_in ? i | WORD_INVALID : i;
        if (!(test->in[i] & WORD_INVALID)) {
            test->expected[kept++] = test->in[i];
        }
    }
    words->count = words->capacity = count;
    REQUIRE(transfer_upload(&gpu, &words->source, 0, test->in, (uint64_t)count * 4, &problem));
    const struct words_step step = { .method = method_find(name), .in_place = in_place };
    struct words_result result;
    assert_non_null(step.method);
    REQUIRE(words_run(words, &step, &result, &problem));
    if (result.kept != kept) {
        fail_msg("%s, %u words: kept %u, not %u", name, count, result.kept, kept);
    }
    REQUIRE(transfer_download(&gpu, &words->list, 0, test->found, (uint64_t)kept * 4, &problem));
    if (!method_stable(step.method)) {
        // The words were made in ascending order.
        qsort(test->found, kept, sizeof *test->found, by_word);
    }
    for (uint32_t i = 0; i < kept; i++) {
        if (test->found[i] != test->expected[i]) {
            fail_msg(
                "%s, %u words%s: element %u is %#x, expected %#x", name, count,
                in_place ? " in place" : "", i, test->found[i], test->expected[i]);
        }
    }
}
