#include "app/viewer/cast_times.h"

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
    for (int i = 0; i < CAST_STAGES; i++) {
        times->ms[i] += band->ms[i];
    }
    times->round_count =
        times->round_count > band->round_count ? times->round_count : band->round_count;
    for (uint32_t i = 0; i <= times->round_count; i++) {
        times->in_round[i] += band->in_round[i];
    }
}
