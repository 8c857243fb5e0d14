#include "app/viewer/methods/step_history.h"

#include "compute/extraction/extraction.h"

_Static_assert(METHODS_MOST <= STEP_HISTORY_METHODS, "each method has times");

static const uint32_t REPEATS = 3; // most in a row: each of the two surfaces may have grown

const char *const step_stage_names[STEP_STAGES] = {
    "bricks", "classify", "cells", "removals", "vertices", "triangles", "finish",
};

static const enum step_stage stages[STAGE_KINDS] = {
    [STAGE_BRICK_REMOVALS] = STEP_REMOVALS,
    [STAGE_BRICKS] = STEP_BRICKS,
    [STAGE_CLASSIFY] = STEP_CLASSIFY,
    [STAGE_CELL_REMOVALS] = STEP_REMOVALS,
    [STAGE_CELLS] = STEP_CELLS,
    [STAGE_VERTICES] = STEP_VERTICES,
    [STAGE_TRIANGLES] = STEP_TRIANGLES,
    [STAGE_FINISH] = STEP_FINISH,
};

struct step_time step_time_of(const struct extraction_result *result, uint32_t key)
{
    struct step_time out = { .iso = result->iso, .key = key };
    for (uint32_t i = 0; i < result->stage_count; i++) {
        const enum stage_kind kind = result->stages[i].kind;
        if (kind >= STAGE_BRICK_REMOVALS && kind <= STAGE_FINISH) {
            out.ms[stages[kind]] += (float)result->stage_ms[i];
        }
    }
    return out;
}

void step_kept_add(struct step_kept *times, const struct step_time *time)
{
    times->kept[times->next] = *time;
    times->next = (times->next + 1) % STEP_HISTORY_KEPT;
    times->count += times->count < STEP_HISTORY_KEPT;
}

double step_time_compaction(const struct step_time *time)
{
    double sum = 0;
    for (uint32_t s = 0; s < STEP_STAGES; s++) {
        sum += step_stage_compacts(s) ? (double)time->ms[s] : 0;
    }
    return sum;
}

// The first run of a kernel, and the first use of memory, make a step slow. Such a step does not
// count and is repeated. A method that removes elements from its last list would find nothing to
// remove in the repeated step, so a later step is timed in its place.
bool step_history_take(
    struct step_history *times, const struct extraction_result *result, uint32_t key, bool fresh,
    bool timed)
{
    const uint32_t row = method_row(result->method);
    const bool removes = result->method->removes;
    const struct compaction_events *events = &result->cells_events;
    if (result->moved) {
        return false;
    }
    if (!times->of[row].warm || fresh) {
        times->of[row].warm = true;
        return !removes && times->of[row].repeats++ < REPEATS;
    }
    times->of[row].timed = true;
    times->of[row].repeats = 0;
    if (timed && (!removes || events->removed + events->entered > 0)) {
        const struct step_time time = step_time_of(result, key);
        step_kept_add(&times->of[row], &time);
    }
    return false;
}

bool step_history_awaits(const struct step_history *times, uint32_t row)
{
    return times->of[row].warm && !times->of[row].timed;
}

// The step that was added `age` steps ago; 0: the newest one.
static const struct step_time *step_history_ago(const struct step_kept *times, uint32_t age)
{
    return &times->kept[(times->next + STEP_HISTORY_KEPT - 1 - age) % STEP_HISTORY_KEPT];
}

struct step_summary step_kept_at(const struct step_kept *times, uint32_t key)
{
    struct step_summary out = { .key = key };
    double compaction[STEP_HISTORY_KEPT], whole[STEP_HISTORY_KEPT];
    double stage[STEP_STAGES][STEP_HISTORY_KEPT];
    for (uint32_t age = 0; age < times->count; age++) {
        const struct step_time *time = step_history_ago(times, age);
        if (time->key != key) {
            continue;
        }
        const uint32_t n = out.steps++;
        out.iso = n == 0 ? time->iso : out.iso;
        compaction[n] = step_time_compaction(time);
        whole[n] = 0;
        for (uint32_t s = 0; s < STEP_STAGES; s++) {
            stage[s][n] = (double)time->ms[s];
            whole[n] += stage[s][n];
        }
    }
    if (out.steps > 0) {
        out.compaction = timings_of(compaction, out.steps);
        out.whole = timings_of(whole, out.steps);
        for (uint32_t s = 0; s < STEP_STAGES; s++) {
            out.stage_ms[s] = timings_of(stage[s], out.steps).median_ms;
        }
    }
    return out;
}

struct step_summary step_history_at(const struct step_history *times, uint32_t row, uint32_t key)
{
    return step_kept_at(&times->of[row], key);
}

struct step_summary step_history_newest(const struct step_history *times, uint32_t row)
{
    if (times->of[row].count == 0) {
        return (struct step_summary){ 0 };
    }
    return step_history_at(times, row, step_history_ago(&times->of[row], 0)->key);
}
