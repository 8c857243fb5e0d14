// What the last steps of each method took, stage by stage. A step is warm if it is not the first
// one of its method and no buffer was allocated for it; only warm steps count.
//
// The compaction of a step goes by the isovalue's key (struct atlas_iso): between two values that
// samples can have, all isovalues have the same active cells. So a time counts for all isovalues
// with its key.
#pragma once

#include "app/base/timings.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct extraction_result;

enum step_stage {
    STEP_BRICKS,
    STEP_CLASSIFY,
    STEP_CELLS,
    STEP_REMOVALS, // the lists of what to remove, for bricks and cells; 0 unless the method removes
    STEP_VERTICES,
    STEP_TRIANGLES,
    STEP_FINISH,
    STEP_STAGES,
};
extern const char *const step_stage_names[STEP_STAGES];

// Whether the stage is the method's own work. The others are the same work for every method.
static inline bool step_stage_compacts(enum step_stage stage)
{
    return stage == STEP_BRICKS || stage == STEP_CELLS || stage == STEP_REMOVALS;
}

struct step_time {
    double iso;
    uint32_t key;
    float ms[STEP_STAGES];
};

// The times of a complete step on the device.
struct step_time step_time_of(const struct extraction_result *result, uint32_t key);

#define STEP_HISTORY_METHODS 40 // rows of the methods' table, at most
#define STEP_HISTORY_KEPT    32 // steps of a method

// Zero-initialised: nothing is known.
struct step_history {
    struct {
        bool warm;            // its first step is done
        bool timed;           // a step that counts was made, even if there was no time to get
        uint32_t repeats;     // steps, one after the other, that were repeated for their time
        uint32_t count, next; // of `kept`; the next one replaces the oldest
        struct step_time kept[STEP_HISTORY_KEPT];
    } of[STEP_HISTORY_METHODS];
};

// A step is complete. Keeps its times if they count, and if the device measures any (`timed`). True
// if the step should be made again to measure it.
bool step_history_take(
    struct step_history *times, const struct extraction_result *result, uint32_t key, bool fresh,
    bool timed);

// Whether the method has made a first step, but none that counts.
bool step_history_awaits(const struct step_history *times, uint32_t row);

void step_history_add(struct step_history *times, uint32_t row, const struct step_time *time);

// Steps of one method with one key.
struct step_summary {
    uint32_t steps; // 0: there were none, and the other members are 0
    double iso;     // of the newest one
    uint32_t key;
    struct timings compaction;    // the stages of the method's own work
    struct timings whole;         // all stages
    double stage_ms[STEP_STAGES]; // medians
};

struct step_summary step_history_at(const struct step_history *times, uint32_t row, uint32_t key);
// The steps with the newest key of this method.
struct step_summary step_history_newest(const struct step_history *times, uint32_t row);

#ifdef __cplusplus
}
#endif
