// ctest: plain twin
// Every method of the table, on plain words: the promises of its row hold.
#include "tests/device.h"
#include "tests/streams.h"

#include "compute/compaction/methods/redzone.h"
#include "compute/compaction/words.h"

static uint32_t found[LARGEST + WORDS_MARGIN], again[LARGEST + WORDS_MARGIN];

// The contents of memory must not matter: list, scratch and counter start with garbage.
static void poison(struct words *words)
{
    struct problem problem = { 0 };
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    run_begin(&run, &gpu, cmd, NULL);
    const struct redzone *redzone = compaction_state(&words->compaction, method_find("redzone-1"));
    const struct buffer *const buffers[] = {
        &words->list,
        &words->compaction.masks,
        &words->compaction.blocks,
        &words->compaction.levels,
        &words->compaction.arguments,
        &words->compaction.events,
        &redzone->removals,
        &redzone->orphans,
        &redzone->words,
        &words->counter,
    };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i]->handle) {
            run_fill(&run, buffers[i], 0, buffers[i]->size, POISON);
        }
    }
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
}

static struct words_result
run_once(struct words *words, const struct words_step *step, uint32_t *out)
{
    struct problem problem = { 0 };
    struct words_result result;
    if (words->count > 0 || words->counted) {
        REQUIRE(words_prepare(words, step, &problem));
    }
    poison(words);
    REQUIRE(words_run(words, step, &result, &problem));
    REQUIRE(transfer_download(
        &gpu, &words->list, 0, out, (LARGEST + (uint64_t)WORDS_MARGIN) * 4, &problem));
    return result;
}

// One run, compared. `label` describes the case.
static void
check_run(struct words *words, const struct words_step *step, uint32_t kept, const char *label)
{
    const struct method *method = step->method;
    const struct words_result result = run_once(words, step, found);
    if (result.kept != kept || result.wrapped) {
        fail_msg(
            "%s, %s: kept %u of %u, not %u", method->name, label, result.kept, words->count, kept);
    }
    const uint32_t room = kept < words->capacity ? kept : words->capacity;
    const bool in_place = step->in_place || method->removes;
    const uint32_t in_use = in_place && words->count > room ? words->count : room;
    for (uint32_t i = in_use; i < LARGEST + WORDS_MARGIN; i++) {
        if (found[i] != POISON) {
            fail_msg("%s, %s: list[%u] was written, %u are kept", method->name, label, i, room);
        }
    }
    if (room < kept) {
        return; // the method is free to keep any of them
    }
    if (!method_stable(method)) {
        qsort(found, kept, sizeof *found, by_word);
        qsort(expected, kept, sizeof *expected, by_word);
    }
    for (uint32_t i = 0; i < kept; i++) {
        if (found[i] != expected[i]) {
            fail_msg(
                "%s, %s, %u words: element %u is %#x, expected %#x", method->name, label,
                words->count, i, found[i], expected[i]);
        }
    }
}

static void upload(struct words *words)
{
    struct problem problem = { 0 };
    if (words->count > 0) {
        REQUIRE(transfer_upload(
            &gpu, &words->source, 0, words_in, (uint64_t)words->count * 4, &problem));
    }
}

static void words_open(struct words *words, uint32_t block)
{
    struct problem problem = { 0 };
    REQUIRE(words_create(
        &gpu, &(struct words_params){ .count = LARGEST, .block = block }, words, &problem));
}

static bool runs_here(const struct method *method, uint64_t lanes)
{
    const char *why = method_refuses(method, &gpu, lanes);
    if (why && !method->cpu) {
        printf("%s is left out: %s\n", method->name, why);
    }
    return !why;
}

// All sizes and patterns: out of place, in place if the method can, and into a list that is too
// small. CUBIST_SHARE=1: each size with half of the patterns.
static void try_method(struct words *words, const struct method *method)
{
    char label[100];
    for (int s = 0; s < SIZES; s++) {
        words->count = sizes[s];
        for (int p = 0; p < PATTERNS && !method_refuses(method, &gpu, sizes[s]); p++) {
            if (is_set("CUBIST_SHARE") && (s + p) % 2) {
                continue;
            }
            const uint32_t kept = make_stream(&patterns[p], sizes[s]);
            upload(words);
            snprintf(label, sizeof label, "%s", patterns[p].name);
            words->capacity = LARGEST;
            check_run(words, &(struct words_step){ .method = method }, kept, label);
            if (method->in_place) {
                snprintf(label, sizeof label, "%s, in place", patterns[p].name);
                check_run(
                    words, &(struct words_step){ .method = method, .in_place = true }, kept, label);
            }
            if (kept > 1) {
                snprintf(label, sizeof label, "%s, too little room", patterns[p].name);
                words->capacity = kept - 1 - kept / 3;
                check_run(words, &(struct words_step){ .method = method }, kept, label);
                words->capacity = LARGEST;
            }
        }
    }
}

static void test_sizes_and_patterns(void **state)
{
    (void)state;
    struct words words;
    words_open(&words, 0);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (runs_here(method, 1)) {
            try_method(&words, method);
        }
    }
    words_destroy(&words);
}

// A stream that is longer than a storage buffer or a texel buffer reaches is refused by name.
// As on a GPU, where short streams have fewer lanes per lane of a kernel. One after the other.
static void test_work_per_lane_follows_the_length(void **state)
{
    (void)state;
    static const uint32_t counts[] = { 1000, LARGEST, 1000 };
    const struct traits *const of_device = gpu.traits;
    struct traits traits = *of_device;
    traits.fewest_groups = LARGEST / (256 * traits.most_each);
    gpu.traits = &traits;
    struct words words;
    words_open(&words, 0);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        for (int i = 0; i < 3 && runs_here(method, LARGEST); i++) {
            words.count = counts[i];
            const uint32_t kept = make_stream(&patterns[PATTERNS - 1], counts[i]);
            upload(&words);
            words.capacity = LARGEST;
            check_run(&words, &(struct words_step){ .method = method }, kept, "another length");
            assert_int_equal(words.compaction.each[STREAM_WORDS], i == 1 ? traits.most_each : 1);
        }
    }
    words_destroy(&words);
    gpu.traits = of_device;
}

static void test_too_long_a_stream(void **state)
{
    (void)state;
    const VkPhysicalDeviceLimits real = gpu.properties.limits;
    const struct words_params params = { .count = 1024 };
    struct words words;
    struct problem problem = { 0 };
    gpu.properties.limits.maxStorageBufferRange = 4096;
    assert_false(words_create(&gpu, &params, &words, &problem));
    assert_non_null(strstr(problem.text, "the words would take"));
    assert_non_null(strstr(problem.text, "(maxStorageBufferRange)"));
    gpu.properties.limits = real;
    gpu.properties.limits.maxTexelBufferElements = 1024;
    assert_false(words_create(&gpu, &params, &words, &problem));
    assert_non_null(strstr(problem.text, "(maxTexelBufferElements)"));
    gpu.properties.limits = real;
    REQUIRE(words_create(&gpu, &params, &words, &problem));
    words_destroy(&words);
}

// The word that `rounds` rounds of word_hash map to `hash`.
static uint32_t before_hash(uint32_t hash, uint32_t rounds)
{
    const uint32_t inverse = 0xa5cb9243u;
    assert_int_equal(inverse * 0x85ebca6bu, 1);
    for (uint32_t i = 0; i < rounds; i++) {
        hash = (hash - 1) * inverse;
        hash ^= hash >> 16;
    }
    return hash;
}

// The predicate computes as many rounds as it was made for: it refuses the word, and only that one,
// that they map to the key. The key of other rounds is that of a word in the middle of the stream.
static void test_predicate_that_does_work(void **state)
{
    (void)state;
    enum { COUNT = 1000, WORK = 37 };
    struct problem problem = { 0 };
    struct words words;
    REQUIRE(words_create(
        &gpu, &(struct words_params){ .count = COUNT, .work = WORK }, &words, &problem));
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!runs_here(method, COUNT) || method->removes || method->selects) {
            continue;
        }
        for (uint32_t wrong = 0; wrong < 2; wrong++) {
            uint32_t in[COUNT], other = WORK - 1;
            while (before_hash(word_hash(WORD_NEVER, other), WORK) & WORD_INVALID) {
                other--;
            }
            for (uint32_t i = 0; i < COUNT; i++) {
                in[i] = i | (i % 3 ? WORD_INVALID : 0);
            }
            in[501] = before_hash(word_hash(WORD_NEVER, other), WORK);
            words.work = wrong ? other : WORK;
            REQUIRE(transfer_upload(&gpu, &words.source, 0, in, sizeof in, &problem));
            struct words_result result;
            REQUIRE(words_run(&words, &(struct words_step){ .method = method }, &result, &problem));
            if (result.kept != 334 - wrong) {
                fail_msg("%s kept %u of 334, %u", method->name, result.kept, wrong);
            }
        }
    }
    words_destroy(&words);
}

// Of counted words only the device knows how many there are: kernels and scratch are made for more,
// and the words beyond are those of the longer stream before. None is a length, too.
static void test_counted_words(void **state)
{
    (void)state;
    static const uint32_t counts[] = { LARGEST, 4097, 257, 1, 0 };
    static const int some[] = { 1, 7, 0, 10 }; // of the patterns
    struct problem problem = { 0 };
    struct words words;
    REQUIRE(words_create(
        &gpu, &(struct words_params){ .count = LARGEST, .counted = true }, &words, &problem));
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const struct words_step step = { .method = method };
        if (!runs_here(method, LARGEST)) {
            continue;
        }
        // By default those that are dispatched in a way of their own; test_wavefront has the
        // others.
        if (!method->removes && !is_set("CUBIST_WHOLE") && !method->record) {
            continue;
        }
        if (method->removes) {
            assert_false(words_prepare(&words, &step, &problem));
            assert_int_equal(problem.kind, PROBLEM_UNSUPPORTED);
            assert_non_null(strstr(problem.text, method->name));
            continue;
        }
        for (size_t i = 0; i < sizeof counts / sizeof *counts * 4; i++) {
            words.count = counts[i / 4];
            const uint32_t kept = make_stream(&patterns[some[i % 4]], words.count);
            upload(&words);
            check_run(&words, &step, kept, "counted");
        }
    }
    words_destroy(&words);
}

// The same list, byte for byte, 20 times, if the row promises that.
static void test_deterministic_methods_repeat(void **state)
{
    (void)state;
    struct words words;
    words_open(&words, 0);
    make_stream(&patterns[7], LARGEST);
    upload(&words);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!method_deterministic(method) || !runs_here(method, LARGEST)) {
            continue;
        }
        const struct words_step step = { .method = method };
        run_once(&words, &step, again);
        for (int run = 1; run < 20; run++) {
            run_once(&words, &step, found);
            if (memcmp(found, again, sizeof found) != 0) {
                fail_msg("%s: run %d differs from the first", method->name, run + 1);
            }
        }
    }
    words_destroy(&words);
}

// Block sizes other than the default, for methods that have them.
static void test_block_sizes(void **state)
{
    (void)state;
    static const uint32_t blocks[] = { 16, 32, 128, 512, 2048 };
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        struct words words;
        words_open(&words, blocks[b]);
        for (const struct method *method = method_next(NULL); method;
             method = method_next(method)) {
            for (int p = 0; method->blocks && runs_here(method, LARGEST) && p < PATTERNS; p++) {
                for (int s = 7; s < SIZES; s++) {
                    char label[100];
                    snprintf(label, sizeof label, "%s, blocks of %u", patterns[p].name, blocks[b]);
                    words.count = sizes[s];
                    const uint32_t kept = make_stream(&patterns[p], words.count);
                    upload(&words);
                    check_run(&words, &(struct words_step){ .method = method }, kept, label);
                }
            }
        }
        words_destroy(&words);
    }
}

// If workgroups wait for others, these may be late for ever: the results stay exact.
static void test_waiting_is_never_needed(void **state)
{
    (void)state;
    struct words words;
    words_open(&words, 0);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        for (uint32_t drop = 1; method->waits && !method->selects && drop < 4; drop++) {
            const uint32_t kept = make_stream(&patterns[7], LARGEST);
            upload(&words);
            check_run(&words, &(struct words_step){ .method = method, .drop = drop }, kept, "drop");
            const struct words_step step = { .method = method, .drop = drop };
            const struct words_result result = run_once(&words, &step, found);
            assert_true(result.events.fallbacks > 0);
        }
    }
    words_destroy(&words);
}

// Stream order inside a block, and no block inside another one, if the row promises no more.
static void test_order_within_blocks(void **state)
{
    (void)state;
    struct words words;
    words_open(&words, 0);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (method->order != ORDER_WITHIN_BLOCKS || !runs_here(method, LARGEST)) {
            continue;
        }
        for (int p = 0; p < PATTERNS; p++) {
            static bool seen[LARGEST / GROUP + 1];
            memset(seen, 0, sizeof seen);
            const uint32_t kept = make_stream(&patterns[p], LARGEST);
            upload(&words);
            run_once(&words, &(struct words_step){ .method = method }, found);
            for (uint32_t i = 0; i < kept; i++) {
                const uint32_t at = place_of(found[i]), block = at / GROUP;
                if (i > 0 && place_of(found[i - 1]) / GROUP == block) {
                    assert_true(at > place_of(found[i - 1]));
                } else if (seen[block]) {
                    fail_msg("%s, %s: block %u is torn", method->name, patterns[p].name, block);
                }
                seen[block] = true;
            }
        }
    }
    words_destroy(&words);
}

// A stream of the row's largest length works; a longer one is refused.
static void test_largest(void **state)
{
    (void)state;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!method->largest || method_unavailable(method, &gpu)) {
            continue;
        }
        assert_non_null(method_refuses(method, &gpu, method->largest + 1));
        if (method->largest >= LARGEST) {
            continue; // test_sizes_and_patterns tests up to that length
        }
        struct words words;
        words_open(&words, 0);
        words.count = (uint32_t)method->largest;
        const uint32_t kept = make_stream(&patterns[7], words.count);
        upload(&words);
        check_run(&words, &(struct words_step){ .method = method }, kept, "its largest");
        words_destroy(&words);
    }
}

// A device that lacks what a row needs: a reason is given, and nothing is created.
static void test_a_device_with_little_shared_memory(void **state)
{
    (void)state;
    const VkPhysicalDeviceLimits real = gpu.properties.limits;
    struct words words;
    words_open(&words, 0);
    int lacking = 0;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (method->shared == 0) {
            continue;
        }
        struct problem problem = { 0 };
        gpu.properties.limits.maxComputeSharedMemorySize = method->shared;
        assert_null(method_unavailable(method, &gpu));
        gpu.properties.limits.maxComputeSharedMemorySize = method->shared - 1;
        assert_non_null(method_unavailable(method, &gpu));
        assert_false(words_prepare(&words, &(struct words_step){ .method = method }, &problem));
        assert_int_equal(problem.kind, PROBLEM_UNSUPPORTED);
        assert_non_null(strstr(problem.text, method_unavailable(method, &gpu)));
        lacking++;
    }
    assert_true(lacking > 0);
    gpu.properties.limits = real;
    words_destroy(&words);
}

// The rows themselves.
static void test_rows(void **state)
{
    (void)state;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        assert_true(strlen(method->summary) > 10 && strlen(method->paper) > 10);
        assert_ptr_equal(method_find(method->name), method);
    }
    assert_null(method_find("no such method"));
    assert_non_null(method_default());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_sizes_and_patterns),
        cmocka_unit_test(test_work_per_lane_follows_the_length),
        cmocka_unit_test(test_too_long_a_stream),
        cmocka_unit_test(test_predicate_that_does_work),
        cmocka_unit_test(test_counted_words),
        cmocka_unit_test(test_deterministic_methods_repeat),
        cmocka_unit_test(test_block_sizes),
        cmocka_unit_test(test_waiting_is_never_needed),
        cmocka_unit_test(test_order_within_blocks),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_a_device_with_little_shared_memory),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
