#include "app/bench/turns.h"

#include "app/base/progress.h"

#include <stdlib.h>

bool turns_create(
    uint32_t count, uint32_t series, uint32_t repeat, struct turns *out, struct problem *problem)
{
    *out = (struct turns){ count, series, repeat, NULL };
    out->ms = calloc((size_t)count * series * repeat, sizeof *out->ms);
    return out->ms || problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the timings");
}

void turns_destroy(struct turns *turns)
{
    free(turns->ms);
    *turns = (struct turns){ 0 };
}

bool turns_run(uint32_t count, uint32_t repeat, turn *run, void *user, struct problem *problem)
{
    for (uint32_t round = 0; round <= repeat; round++) {
        for (uint32_t i = 0; i < count; i++) {
            if (!run(user, i, round, problem) || !progress_go_on(problem)) {
                return false;
            }
        }
    }
    return true;
}

void turns_put(struct turns *turns, uint32_t i, uint32_t series, uint32_t round, double ms)
{
    if (round > 0 && round <= turns->repeat) {
        turns_of(turns, i, series)[round - 1] = ms;
    }
}

double *turns_of(const struct turns *turns, uint32_t i, uint32_t series)
{
    return turns->ms + ((size_t)series * turns->count + i) * turns->repeat;
}

struct timings turns_timings(const struct turns *turns, uint32_t i, uint32_t series)
{
    return timings_of(turns_of(turns, i, series), turns->repeat);
}
