#include "app/viewer/work/cast_times.h"

#include "compute/casting/wavefront.h"
#include "compute/gpu/stopwatch.h"

#include <stddef.h>

const char *const cast_stage_names[CAST_STAGES] = {
    "prepare", "march", "compaction", "tail", "points", "picture",
};

double cast_times_sum(const struct cast_times *times)
{
    double sum = 0;
    for (int i = 0; i < CAST_STAGES; i++) {
        sum += times->ms[i];
    }
    return sum;
}

void cast_times_add(struct cast_times *times, const struct cast_times *band)
{
    times->rays[1] += band->rays[1];
    times->hits += band->hits;
    times->cast += band->cast;
    for (int i = 0; i < CAST_STAGES; i++) {
        times->ms[i] += band->ms[i];
    }
    times->round_count =
        times->round_count > band->round_count ? times->round_count : band->round_count;
    for (uint32_t i = 0; i <= times->round_count; i++) {
        times->in_round[i] += band->in_round[i];
        times->round_ms[i] += band->round_ms[i];
    }
}

void cast_times_add_stages(
    struct cast_times *times, const struct stopwatch *timer, const double *ms)
{
    static const struct {
        enum stage_kind kind;
        enum cast_stage stage;
    } rows[] = {
        { STAGE_UPDATE, CAST_STAGE_PREPARE },  { STAGE_GENERATE, CAST_STAGE_PREPARE },
        { STAGE_MARCH, CAST_STAGE_MARCH },     { STAGE_COMPACTION, CAST_STAGE_COMPACTION },
        { STAGE_TRAVERSE, CAST_STAGE_MARCH },  { STAGE_INTERSECT, CAST_STAGE_MARCH },
        { STAGE_TAIL, CAST_STAGE_TAIL },       { STAGE_POINTS, CAST_STAGE_POINTS },
        { STAGE_PICTURE, CAST_STAGE_PICTURE },
    };
    for (uint32_t i = 0; i < timer->count; i++) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            if (timer->stages[i].kind == rows[k].kind) {
                times->ms[rows[k].stage] += ms[i];
            }
        }
    }
}

// A round begins with the march, or with the traversal to the next leaf, and ends before the next
// round. The compaction of pixels before the first round belongs to no round.
void cast_times_add_rounds(
    struct cast_times *times, const struct cast_rounds *rounds, const struct stopwatch *timer,
    const double *ms)
{
    const uint32_t count = rounds->count < CAST_TIMES_ROUNDS ? rounds->count : CAST_TIMES_ROUNDS;
    times->round_count = count;
    for (uint32_t i = 0; i <= count; i++) {
        times->in_round[i] += rounds->rays[i];
    }
    uint32_t round = 0; // counted from 1
    for (uint32_t i = 0; i < timer->count; i++) {
        const enum stage_kind kind = timer->stages[i].kind;
        round += kind == STAGE_MARCH || kind == STAGE_TRAVERSE;
        const bool of_round = kind == STAGE_MARCH || kind == STAGE_TRAVERSE ||
                              kind == STAGE_INTERSECT || kind == STAGE_COMPACTION;
        if (kind == STAGE_TAIL || (of_round && round > count)) {
            times->round_ms[count] += ms[i];
        } else if (of_round && round > 0) {
            times->round_ms[round - 1] += ms[i];
        }
    }
}
