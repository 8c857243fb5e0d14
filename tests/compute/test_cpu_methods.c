// ctest: share
// The methods of the table that run on the CPU: the promises of their rows hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/compaction/compaction.h"
#include "compute/compaction/cpu.h"
#include "tests/streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 64 // words beyond the end, which must not change

static uint32_t source[LARGEST], found[LARGEST + MARGIN], again[LARGEST + MARGIN];
static uint32_t removals[LARGEST], removed[LARGEST + MARGIN];
static uint32_t scratch[LARGEST / 4 + 1];

// How a run gets the words to drop, and where it works.
enum { TOLD_BY_WORDS, LIST_UP, LIST_DOWN, LIST_MIXED, TOLD_WAYS };
struct way {
    int told;
    bool in_place;
    uint32_t threads;
};

// The positions of the words to drop, in the order of that way, and the words without marks.
static uint32_t make_list(uint32_t count, int told)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        source[i] = words_in[i] & ~(told == TOLD_BY_WORDS ? 0 : WORD_INVALID);
        if (told != TOLD_BY_WORDS && words_in[i] & WORD_INVALID) {
            removals[k++] = i;
        }
    }
    for (uint32_t i = 0; i < k; i++) {
        const uint32_t other = told == LIST_DOWN ? k - 1 - i : told == LIST_MIXED ? hash(i) % k : i;
        if (told == LIST_MIXED || i < other) {
            const uint32_t removal = removals[i];
            removals[i] = removals[other];
            removals[other] = removal;
        }
    }
    return k;
}

// One run into `out`, which holds garbage before.
static uint32_t
run_once(const struct method *method, uint32_t count, const struct way *way, uint32_t *out)
{
    const uint32_t k = make_list(count, way->told);
    memcpy(removed, removals, k * sizeof *removals);
    for (uint32_t i = 0; i < count + MARGIN; i++) {
        out[i] = POISON;
    }
    for (uint32_t i = k; i < k + MARGIN; i++) {
        removed[i] = POISON;
    }
    memset(scratch, 0xa5, count);
    if (way->in_place) {
        memcpy(out, source, count * sizeof *out);
    }
    struct cpu_run run = {
        .in = way->in_place ? out : source,
        .out = out,
        .count = count,
        .removals = removed,
        .removal_count = k,
        .scratch = scratch,
        .threads = way->threads,
        .ms = { -1, -1, -1 },
    };
    const uint32_t kept = method->cpu(&run);
    for (int phase = 0; phase < CPU_PHASES; phase++) {
        assert_true(run.ms[phase] >= 0);
    }
    for (uint32_t i = k; i < k + MARGIN; i++) {
        assert_int_equal(removed[i], POISON);
    }
    return kept;
}

static void check_run(
    const struct method *method, const struct pattern *pattern, uint32_t count,
    const struct way *way)
{
    char label[128];
    snprintf(
        label, sizeof label, "%s, %u words, %s, told by %d, %u threads%s", method->name, count,
        pattern->name, way->told, way->threads, way->in_place ? ", in place" : "");
    const uint32_t must_keep = make_stream(pattern, count);
    const uint32_t kept = run_once(method, count, way, found);
    if (kept != must_keep) {
        fail_msg("%s: kept %u, not %u", label, kept, must_keep);
    }
    for (uint32_t i = method->in_place ? count : kept; i < count + MARGIN; i++) {
        if (found[i] != POISON) {
            fail_msg("%s: wrote [%u], %u are kept", label, i, kept);
        }
    }
    // Elements that stay in the list keep their places.
    for (uint32_t i = 0; method->removes && i < kept; i++) {
        if (!(words_in[i] & WORD_INVALID) && found[i] != words_in[i]) {
            fail_msg("%s: moved [%u], which could have stayed", label, i);
        }
    }
    if (!method_stable(method)) {
        qsort(found, kept, sizeof *found, by_word);
        qsort(expected, kept, sizeof *expected, by_word);
    }
    for (uint32_t i = 0; i < kept; i++) {
        if (found[i] != expected[i]) {
            fail_msg("%s: [%u] is %#x, expected %#x", label, i, found[i], expected[i]);
        }
    }
}

static bool can(const struct method *method, const struct way *way)
{
    return method->cpu && (method->in_place || !way->in_place) &&
           (!method->removes || way->told != TOLD_BY_WORDS);
}

// One thread, four, and more than can be. CUBIST_WHOLE=1: other numbers, too.
static void test_sizes_and_patterns(void **state)
{
    (void)state;
    static const uint32_t threads[] = { 1, 2, 3, 4, 5, 0, CPU_THREADS + 1 };
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        for (size_t t = 0; t < sizeof threads / sizeof *threads;
             t += getenv("CUBIST_WHOLE") ? 1 : 3) {
            for (int way = 0; way < 2 * TOLD_WAYS; way++) {
                const struct way how = { way / 2, way % 2, threads[t] };
                for (int s = 0; can(method, &how) && s < SIZES; s++) {
                    // Starting more threads than the machine has is slow.
                    for (int p = 0; p < PATTERNS && (how.threads <= 5 || sizes[s] == 257); p++) {
                        check_run(method, &patterns[p], sizes[s], &how);
                    }
                }
            }
        }
    }
}

// The same words in the same order, 20 times, for any number of threads, if the row promises that.
static void test_deterministic_methods_repeat(void **state)
{
    (void)state;
    make_stream(&patterns[7], LARGEST);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        struct way way = { .told = LIST_MIXED, .threads = 1 };
        if (!can(method, &way) || !method_deterministic(method)) {
            continue;
        }
        const uint32_t kept = run_once(method, LARGEST, &way, again);
        for (int run = 1; run < 20; run++) {
            way.threads = 1 + (uint32_t)run % 5;
            assert_int_equal(run_once(method, LARGEST, &way, found), kept);
            if (memcmp(found, again, kept * sizeof *found) != 0) {
                fail_msg("%s: run %d with %u threads differs", method->name, run + 1, way.threads);
            }
        }
    }
}

// The rows: a method runs on the CPU or on the device, never on both.
static void test_rows(void **state)
{
    (void)state;
    int count = 0;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (method->cpu) {
            count++;
            assert_null(method->passes[0].name);
            assert_null(method->record);
            assert_non_null(strstr(method_unavailable(method, NULL), "CPU"));
            assert_non_null(strstr(method_refuses(method, NULL, 1), "CPU"));
        }
    }
    assert_int_equal(count, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_sizes_and_patterns),
        cmocka_unit_test(test_deterministic_methods_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
