// What a picture of rays has taken: by stages, by rounds, and band by band.
// ctest: plain
#include "app/viewer/work/cast_times.h"
#include "compute/casting/wavefront.h"
#include "compute/gpu/stopwatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void times_of(
    const enum stage_kind *kinds, uint32_t count, const struct cast_rounds *rounds,
    struct cast_times *out)
{
    struct stopwatch timer = { .count = count };
    double ms[STOPWATCH_STAGES], power = 1;
    for (uint32_t i = 0; i < count; i++, power *= 2) {
        timer.stages[i] = (struct stage){ .kind = kinds[i] };
        ms[i] = power;
    }
    cast_times_add_stages(out, &timer, ms);
    cast_times_add_rounds(out, rounds, &timer, ms);
}

static void a_round_has_its_march_and_compaction(void **state)
{
    (void)state;
    static const enum stage_kind kinds[] = {
        STAGE_EXTRACTION, STAGE_UPDATE,     STAGE_GENERATE, STAGE_COMPACTION,
        STAGE_MARCH,      STAGE_COMPACTION, STAGE_MARCH,    STAGE_COMPACTION,
        STAGE_TAIL,       STAGE_POINTS,     STAGE_PICTURE,  STAGE_PANEL,
    };
    const struct cast_rounds rounds = { .count = 2, .rays = { 100, 30, 4 } };
    struct cast_times times = { 0 };
    times_of(kinds, sizeof kinds / sizeof *kinds, &rounds, &times);
    assert_true(times.ms[CAST_STAGE_PREPARE] == 2 + 4);
    assert_true(times.ms[CAST_STAGE_MARCH] == 16 + 64);
    assert_true(times.ms[CAST_STAGE_COMPACTION] == 8 + 32 + 128);
    assert_true(times.ms[CAST_STAGE_PICTURE] == 1024);
    assert_true(cast_times_sum(&times) == 2046);
    assert_true(times.round_ms[0] == 16 + 32 && times.round_ms[1] == 64 + 128);
    assert_true(times.round_ms[2] == 256);
    assert_true(times.in_round[0] == 100 && times.in_round[1] == 30 && times.in_round[2] == 4);

    struct cast_times picture = { .rays = { 10, 0 } };
    times.hits = 7;
    times.cast = 120;
    times.rays[1] = 5;
    cast_times_add(&picture, &times);
    cast_times_add(&picture, &times);
    assert_true(picture.round_count == 2 && picture.in_round[2] == 8 && picture.hits == 14);
    assert_true(picture.rays[0] == 10 && picture.rays[1] == 10 && picture.cast == 240);
    assert_true(picture.round_ms[1] == 2 * (64 + 128) && cast_times_sum(&picture) == 4092);
}

static void a_round_through_boxes_has_two_passes(void **state)
{
    (void)state;
    static const enum stage_kind kinds[] = {
        STAGE_GENERATE,   STAGE_COMPACTION, STAGE_TRAVERSE,   STAGE_COMPACTION, STAGE_INTERSECT,
        STAGE_COMPACTION, STAGE_TRAVERSE,   STAGE_COMPACTION, STAGE_INTERSECT,  STAGE_COMPACTION,
    };
    const struct cast_rounds rounds = { .count = 2, .rays = { 9, 8, 7 } };
    struct cast_times times = { 0 };
    times_of(kinds, sizeof kinds / sizeof *kinds, &rounds, &times);
    assert_true(times.round_ms[0] == 4 + 8 + 16 + 32);
    assert_true(times.round_ms[1] == 64 + 128 + 256 + 512);
    assert_true(times.round_ms[2] == 0);
}

// What is beyond the last round that is kept counts as left.
static void many_rounds(void **state)
{
    (void)state;
    enum stage_kind kinds[CAST_TIMES_ROUNDS + 2];
    for (int i = 0; i < CAST_TIMES_ROUNDS + 2; i++) {
        kinds[i] = STAGE_MARCH;
    }
    const struct cast_rounds rounds = { .count = CAST_TIMES_ROUNDS + 2 };
    struct cast_times times = { 0 };
    times_of(kinds, CAST_TIMES_ROUNDS + 2, &rounds, &times);
    assert_int_equal(times.round_count, CAST_TIMES_ROUNDS);
    double sum = 0;
    for (int i = 0; i <= CAST_TIMES_ROUNDS; i++) {
        sum += times.round_ms[i];
    }
    assert_true(sum == times.ms[CAST_STAGE_MARCH]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_has_its_march_and_compaction),
        cmocka_unit_test(a_round_through_boxes_has_two_passes),
        cmocka_unit_test(many_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
