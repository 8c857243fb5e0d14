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
