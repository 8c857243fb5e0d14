// Internals of decoupled look-back: the words of the tiles after a run, on a stream that takes
// several looks, with and without tiles that publish nothing.
#include "tests/device.h"

#include "compute/compaction/words.h"
#include "shaders/shared/lookback.h"

#define EACH  16 // lanes of the stream per lane
#define TILE  (GROUP * EACH)
#define TILES 300
#define COUNT (TILE * (TILES - 1) + 77)

static uint32_t words_in[COUNT], found[COUNT], state_of[LOOKBACK_TILES + TILES];

// Tiles with very different counts; some are empty.
static bool keeps(uint32_t i)
{
    return (i / TILE) % 7 != 3 && (i * 2654435761u >> 8) % (1 + i / TILE % 5) == 0;
}

static void open_words(struct words *words, uint32_t patience)
{
    struct problem problem = { 0 };
    static struct traits traits; // tiles of the same size on every device
    traits = *gpu.traits;
    traits.most_each = EACH;
    traits.fewest_groups = 0;
    traits.patience = patience;
    gpu.traits = &traits;
    REQUIRE(words_create(&gpu, &(struct words_params){ .count = COUNT }, words, &problem));
    for (uint32_t i = 0; i < COUNT; i++) {
        words_in[i] = i | (keeps(i) ? 0 : WORD_INVALID);
    }
    REQUIRE(transfer_upload(&gpu, &words->source, 0, words_in, sizeof words_in, &problem));
}

// Runs once and returns the events. The list must be exact, and every word must be valid for its
// tile or empty.
static struct compaction_events try_drop(struct words *words, uint32_t drop)
{
    struct problem problem = { 0 };
    struct words_result result;
    const struct words_step step = { .method = method_find("lookback"), .drop = drop };
    REQUIRE(words_run(words, &step, &result, &problem));
    REQUIRE(transfer_download(&gpu, &words->list, 0, found, sizeof found, &problem));
    REQUIRE(
        transfer_download(&gpu, &words->compaction.blocks, 0, state_of, sizeof state_of, &problem));
    uint32_t kept = 0, prefixes = 0;
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const uint32_t before = kept;
        for (uint32_t i = tile * TILE; i < COUNT && i < (tile + 1) * TILE; i++) {
            if (keeps(i) && found[kept++] != i) {
                fail_msg("drop %u: element %u is %u, not %u", drop, kept - 1, found[kept - 1], i);
            }
        }
        const uint32_t word = state_of[LOOKBACK_TILES + tile], knows = word >> 30;
        const uint32_t sum = knows == 2 ? kept : knows == 1 ? kept - before : 0;
        prefixes += knows == 2;
        const bool posts = drop == 0 || tile % drop != drop - 1;
        if (knows == 3 || (word & 0x3fffffff) != sum || (posts && knows != 2)) {
            fail_msg(
                "drop %u: tile %u says %u, %u; kept are %u and %u before", drop, tile, knows,
                word & 0x3fffffff, kept - before, before);
        }
    }
    // Even if no tile publishes: tiles that looked far have published a prefix.
    assert_true(prefixes > 0);
    assert_int_equal(result.kept, kept);
    assert_true(state_of[LOOKBACK_TICKET] >= TILES);
    return result.events;
}

static void test_tiles_tell_the_truth(void **state)
{
    (void)state;
    struct words words;
    open_words(&words, traits_cpu.patience);
    for (uint32_t drop = 0; drop < 24; drop++) {
        if (drop == 12) {
            words_destroy(&words);
            open_words(&words, traits_gpu.patience);
        }
        const struct compaction_events events = try_drop(&words, drop % 12);
        // Every tile that publishes nothing, except the last one, must be counted by another one,
        // after as many looks as it has patience.
        assert_true(events.fallbacks >= (drop % 12 ? (TILES - 1) / (drop % 12) : 0));
        assert_true(events.spins >= gpu.traits->patience * events.fallbacks);
        assert_int_equal(events.removed | events.entered, 0);
    }
    words_destroy(&words);
}

// Events belong to a run: a method without events returns zeros.
static void test_events_are_of_this_run(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct words words;
    open_words(&words, traits_cpu.patience);
    assert_true(try_drop(&words, 1).fallbacks > 0);
    struct words_result result;
    const struct words_step step = { .method = method_find("ink-collate") };
    REQUIRE(words_run(&words, &step, &result, &problem));
    assert_int_equal(result.events.fallbacks | result.events.spins, 0);
    words_destroy(&words);
}

// The word of a tile cannot hold 2^30: such a stream is refused, with the reason.
static void test_too_long(void **state)
{
    (void)state;
    const struct method *method = method_find("lookback");
    assert_null(method_refuses(method, &gpu, 1u << 28));
    assert_null(method_refuses(method, &gpu, (1u << 30) - 1));
    assert_non_null(strstr(method_refuses(method, &gpu, 1u << 30), "state"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_tell_the_truth),
        cmocka_unit_test(test_events_are_of_this_run),
        cmocka_unit_test(test_too_long),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
