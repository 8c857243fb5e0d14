// ctest: plain twin
// The block methods: the properties of each, in blocks of every size, and both forms.
#include "tests/device.h"

#include "compute/compaction/words.h"
#include "compute/extraction/internal.h"

#define COUNT 10007 // a prime: the last block is never full
#define MOST  2048

static const uint32_t blocks[] = { 16, 32, 64, 128, 256, 512, 1024, 2048 };
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static uint32_t stream[COUNT], expected[COUNT], found[COUNT + WORDS_MARGIN];

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)random_state * n >> 32);
}

static bool valid(uint32_t word)
{
    return (word & WORD_INVALID) == 0;
}

// A random stream with so many kept elements in a thousand.
static void make_random(uint32_t per_mille)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        stream[i] = i * 7 + 3;
        stream[i] |= random_below(1000) < per_mille ? 0 : WORD_INVALID;
    }
}

// A stream in which all blocks have the same pattern.
static void make_alike(const bool *keep, uint32_t block)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        stream[i] = i * 7 + 3;
        stream[i] |= keep[i % block] ? 0 : WORD_INVALID;
    }
}

static uint32_t filter(void)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (valid(stream[i])) {
            expected[kept++] = stream[i];
        }
    }
    return kept;
}

// Fills everything that a run might rely on with garbage.
static void poison(struct words *words)
{
    struct problem problem = { 0 };
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    run_begin(&run, &gpu, cmd, NULL);
    const struct buffer *const buffers[] = {
        &words->list,
        &words->compaction.masks,
        &words->compaction.blocks,
        &words->compaction.levels,
    };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i]->handle) {
            run_fill(&run, buffers[i], 0, buffers[i]->size, 0xdeadbeef);
        }
    }
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
}

// Runs the stream; the list is in `found`.
static struct words_result run_stream(struct words *words, const struct words_step *step)
{
    struct problem problem = { 0 };
    struct words_result result;
    REQUIRE(words_prepare(words, step, &problem));
    poison(words);
    REQUIRE(transfer_upload(&gpu, &words->source, 0, stream, sizeof stream, &problem));
    REQUIRE(words_run(words, step, &result, &problem));
    REQUIRE(transfer_download(&gpu, &words->list, 0, found, sizeof found, &problem));
    return result;
}

// The same, and compares with `expected`, in order, up to the list's capacity. Nothing may be
// written beyond it.
static void check(struct words *words, const struct words_step *step, uint32_t kept)
{
    const struct words_result result = run_stream(words, step);
    const uint32_t block = words->compaction.block;
    const char *form = step->concatenate ? "concatenated" : "straight";
    if (result.kept != kept) {
        fail_msg(
            "%s, blocks of %u, %s: kept %u, not %u", step->method->name, block, form, result.kept,
            kept);
    }
    for (uint32_t i = 0; i < COUNT + WORDS_MARGIN; i++) {
        const uint32_t right = i < kept && i < words->capacity ? expected[i] : 0xdeadbeef;
        if (found[i] != right) {
            fail_msg(
                "%s, blocks of %u, %s: element %u is %#x, not %#x", step->method->name, block, form,
                i, found[i], right);
        }
    }
}

static void words_open(struct words *words, uint32_t block)
{
    struct problem problem = { 0 };
    REQUIRE(words_create(
        &gpu, &(struct words_params){ .count = COUNT, .block = block }, words, &problem));
}

// Algorithm 2 of the Jumping Jack paper, on the host: makes `expected`. *longest is the longest
// chain of jumps.
static uint32_t jump(uint32_t block, uint32_t *longest)
{
    uint32_t kept = 0;
    *longest = 0;
    for (uint32_t first = 0; first < COUNT; first += block) {
        uint32_t mas[MOST], invalid = 0, jumps_of_all = 0;
        for (uint32_t i = 0; i < block; i++) {
            invalid += first + i >= COUNT || !valid(stream[first + i]);
            mas[i] = block - invalid;
        }
        const uint32_t v = mas[block - 1];
        for (uint32_t i = 0; i < v; i++) {
            uint32_t at = i, jumps = 0;
            while (first + at >= COUNT || !valid(stream[first + at])) {
                at = mas[at];
                jumps++;
            }
            *longest = jumps > *longest ? jumps : *longest;
            jumps_of_all += jumps;
            expected[kept++] = stream[first + at];
        }
        assert_true(jumps_of_all <= block - v);
    }
    return kept;
}

// Kept elements among the first v places of their block do not move.
static void check_unmoved_prefix(uint32_t block)
{
    for (uint32_t first = 0, start = 0; first < COUNT; first += block) {
        uint32_t v = 0;
        for (uint32_t i = first; i < first + block && i < COUNT; i++) {
            v += valid(stream[i]);
        }
        for (uint32_t i = 0; i < v; i++) {
            if (valid(stream[first + i])) {
                assert_int_equal(found[start + i], stream[first + i]);
            }
        }
        start += v;
    }
}

static void test_jumping_jack_leaves_the_prefix(void **state)
{
    (void)state;
    static const uint32_t densities[] = { 2, 20, 300, 500, 800, 990 };
    const struct method *method = method_find("jumping-jack");
    for (int b = 0; b < BLOCKS; b++) {
        struct words words;
        words_open(&words, blocks[b]);
        for (size_t d = 0; d < sizeof densities / sizeof *densities; d++) {
            uint32_t longest;
            make_random(densities[d]);
            const uint32_t kept = jump(blocks[b], &longest);
            check(&words, &(struct words_step){ .method = method }, kept);
            check_unmoved_prefix(blocks[b]);
        }
        words_destroy(&words);
    }
}

// The longest possible chain: one kept element, in the middle.
static void test_jumping_jack_jumps_far_enough(void **state)
{
    (void)state;
    for (int b = 0; b < BLOCKS; b++) {
        struct words words;
        words_open(&words, blocks[b]);
        bool keep[MOST] = { 0 };
        keep[blocks[b] / 2] = true;
        make_alike(keep, blocks[b]);
        uint32_t longest;
        const uint32_t kept = jump(blocks[b], &longest);
        assert_int_equal(longest, blocks[b] - 1);
        check(&words, &(struct words_step){ .method = method_find("jumping-jack") }, kept);
        words_destroy(&words);
    }
}

// The paper's algorithm for the summed run lengths: runs by recursive doubling (algorithm 2), only
// those at a run's start, and their prefix sum.
static void sum_run_lengths(const bool *keep, uint32_t block, uint32_t *sums)
{
    static uint32_t lengths[MOST], before[MOST];
    for (uint32_t i = 0; i < block; i++) {
        lengths[i] = !keep[i];
    }
    for (uint32_t offset = 1; offset < block; offset *= 2) {
        memcpy(before, lengths, sizeof before);
        for (uint32_t i = 0; i + offset < block; i++) {
            if (before[i] == offset) {
                lengths[i] += before[i + offset];
            }
        }
    }
    for (uint32_t i = 0, sum = 0; i < block; i++) {
        sum += i == 0 || lengths[i - 1] == 0 ? lengths[i] : 0;
        sums[i] = sum;
    }
}

// Algorithm 1 on that: the most turns that an output takes.
static uint32_t turns_of(const bool *keep, uint32_t block)
{
    static uint32_t sums[MOST];
    sum_run_lengths(keep, block, sums);
    uint32_t most = 0;
    for (uint32_t i = 0, v = block - sums[block - 1]; i < v; i++) {
        uint32_t d = sums[i], next = sums[i + d], turns = 0;
        while (d != next) {
            d = sums[i + next];
            next = sums[i + d];
            turns++;
        }
        assert_true(keep[i + d] && i + d < block);
        most = turns > most ? turns : most;
    }
    return most;
}

// Runs of invalid elements, each shorter than the one before, with a kept element after each: the
// search passes them one by one. Returns the turns, for the length of the first run that takes the
// most.
static uint32_t make_steep(bool *keep, uint32_t block)
{
    uint32_t most = 0;
    for (uint32_t longest = 1; longest * longest <= 2 * block; longest++) {
        bool other[MOST];
        for (uint32_t i = 0, run = longest, at = 0; i < block; i++) {
            other[i] = at++ == run;
            if (other[i]) {
                run -= run > 1;
                at = 0;
            }
        }
        const uint32_t turns = turns_of(other, block);
        if (turns > most) {
            memcpy(keep, other, sizeof other);
            most = turns;
        }
    }
    return most;
}

static void test_rlz_climbs_far_enough(void **state)
{
    (void)state;
    static const uint32_t most[BLOCKS] = { 2, 3, 5, 7, 11, 15, 22, 31 };
    for (int b = 0; b < BLOCKS; b++) {
        struct words words;
        words_open(&words, blocks[b]);
        bool keep[MOST];
        assert_int_equal(make_steep(keep, blocks[b]), most[b]);
        make_alike(keep, blocks[b]);
        check(&words, &(struct words_step){ .method = method_find("rlz") }, filter());
        words_destroy(&words);
    }
}

// Separately compacted blocks, when concatenated, give the same list; if the list is too small, its
// beginning.
static void test_concatenation_is_the_same(void **state)
{
    (void)state;
    static const uint32_t densities[] = { 0, 10, 500, 1000 };
    for (int b = 0; b < BLOCKS; b++) {
        struct words words;
        words_open(&words, blocks[b]);
        for (const struct method *method = method_next(NULL); method;
             method = method_next(method)) {
            for (size_t d = 0; method->blocks && d < sizeof densities / sizeof *densities; d++) {
                make_random(densities[d]);
                uint32_t longest;
                const uint32_t kept = method_stable(method) ? filter() : jump(blocks[b], &longest);
                struct words_step step = { .method = method };
                check(&words, &step, kept);
                step.concatenate = true;
                check(&words, &step, kept);
                words.capacity = kept / 2;
                check(&words, &step, kept);
                words.capacity = COUNT;
            }
        }
        words_destroy(&words);
    }
}

static void check_stages(const struct words_result *result, const char *const *names)
{
    for (uint32_t i = 0; i < result->stage_count; i++) {
        assert_non_null(names[i]);
        assert_string_equal(result->stages[i].name, names[i]);
    }
    assert_null(names[result->stage_count]);
}

static void test_stages(void **state)
{
    (void)state;
    struct words words;
    words_open(&words, 0);
    make_random(500);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (method->blocks) {
            struct words_step step = { .method = method, .stages = true };
            struct words_result result = run_stream(&words, &step);
            check_stages(&result, (const char *[]){ "count", "scan", "search", NULL });
            step.concatenate = true;
            result = run_stream(&words, &step);
            const bool tree = strcmp(method->name, "binary-tree") == 0;
            const char *const table = tree ? "reduction" : "prefix sum";
            check_stages(
                &result, (const char *[]){ "count", "scan", table, "search", "concatenate", NULL });
        }
    }
    words_destroy(&words);
}

// Invalid block sizes are refused with the reason.
static void test_other_sizes_are_refused(void **state)
{
    (void)state;
    static const uint32_t bad[] = { 1, 8, 24, 255, 4096, UINT32_MAX };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        struct words words;
        words_open(&words, bad[b]);
        for (const struct method *method = method_next(NULL); method;
             method = method_next(method)) {
            struct problem problem = { 0 };
            const struct words_step step = { .method = method };
            if (method->blocks) {
                assert_false(words_prepare(&words, &step, &problem));
                assert_int_equal(problem.kind, PROBLEM_USAGE);
                assert_non_null(strstr(problem.text, "power of two from 16 to 2048"));
            }
        }
        words_destroy(&words);
    }
}

// Active cells, whose number only the device knows, in blocks of every size.
static void test_cells(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_generate("sphere", (uint32_t[]){ 70, 41, 33 }, VOLUME_UINT8, &volume, &problem));
    struct cell_list cells;
    struct mesh mesh;
    REQUIRE(reference_extract(&volume, 100, &cells, &mesh, &problem));
    for (int b = 0; b < BLOCKS; b++) {
        struct bench bench;
        bench_open(&bench, &volume, &(struct atlas_params){ 0 });
        bench.extraction->compaction.block = blocks[b];
        for (const struct method *method = method_next(NULL); method;
             method = method_next(method)) {
            if (method->blocks) {
                compare_step(&bench, &volume, 100, method, &cells, &mesh);
            }
        }
        bench_close(&bench);
    }
    cell_list_destroy(&cells);
    mesh_destroy(&mesh);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jumping_jack_leaves_the_prefix),
        cmocka_unit_test(test_jumping_jack_jumps_far_enough),
        cmocka_unit_test(test_rlz_climbs_far_enough),
        cmocka_unit_test(test_concatenation_is_the_same),
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_other_sizes_are_refused),
        cmocka_unit_test(test_cells),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
