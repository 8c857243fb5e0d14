// The times of the last steps of each method, stage by stage. A step is warm if it is not the first
// one of its method and no buffer was allocated for it; only warm steps count.
//
// All isovalues between two neighbouring values of samples have the same active cells, and the same
// key (struct atlas_iso). So a time counts for all isovalues with its key.
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
#define STEP_HISTORY_KEPT    32 // steps that are stored for a method

// The steps of one method. Zero-initialised: there are none.
struct step_kept {
    bool warm;            // the method's first step is done
    bool timed;           // a step that counts was made, even if its time was not stored
    uint32_t repeats;     // steps in a row that were repeated to measure them
    uint32_t count, next; // of `kept`: how many it has, and where the next one goes
    struct step_time kept[STEP_HISTORY_KEPT];
};

// Zero-initialised: there are no steps.
struct step_history {
    struct step_kept of[STEP_HISTORY_METHODS];
};

// Notes a complete step. Stores its times if they count and the device measures times (`timed`).
// `fresh`: a buffer was allocated for it. True: the step should be made again to measure it.
bool step_history_take(
    struct step_history *times, const struct extraction_result *result, uint32_t key, bool fresh,
    bool timed);

// Whether the method has made a first step, but none that counts.
bool step_history_awaits(const struct step_history *times, uint32_t row);

void step_kept_add(struct step_kept *times, const struct step_time *time);
// Milliseconds of the stages that are the method's own work.
double step_time_compaction(const struct step_time *time);

// The times of one method's steps with one key.
struct step_summary {
    uint32_t steps; // number of steps; 0: all times are 0
    double iso;     // of the newest step
    uint32_t key;
    struct timings compaction;    // the stages of the method's own work
    struct timings whole;         // all stages
    double stage_ms[STEP_STAGES]; // median of each stage
};

struct step_summary step_kept_at(const struct step_kept *times, uint32_t key);
struct step_summary step_history_at(const struct step_history *times, uint32_t row, uint32_t key);
// The steps with the newest key of this method.
struct step_summary step_history_newest(const struct step_history *times, uint32_t row);

#ifdef __cplusplus
}
#endif
