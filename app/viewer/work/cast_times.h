// What a picture of rays has taken, for the panel.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The stages of a cast, in the order that they run.
// The caster's own work first, then what all casters have.
enum cast_stage {
    CAST_STAGE_PREPARE, // boxes over what the isovalue meets; in rounds, the rays that meet the
                        // volume
    CAST_STAGE_MARCH,
    CAST_STAGE_COMPACTION, // of casters in rounds
    CAST_STAGE_TAIL,       // the same: what is left after the rounds
    CAST_STAGE_POINTS,
    CAST_STAGE_PICTURE,
    CAST_STAGES
};

#define CAST_TIMES_ROUNDS 32 // at most; later ones are not kept

struct cast_times {
    const char *caster; // NULL: nothing has been cast
    double iso;
    uint32_t scale; // a ray is for a square of so many pixels a side
    bool shadow;
    uint32_t rays[2]; // along x and y
    // Casters in rounds: rays that go into each round, and at last those that are left after them;
    // and what the rounds took, with their compaction.
    uint32_t round_count; // 0: there are no rounds
    uint64_t in_round[CAST_TIMES_ROUNDS + 1];
    double round_ms[CAST_TIMES_ROUNDS + 1];
    uint64_t cast; // rays with those around each band, which rounds have, too
    uint64_t hits; // rays that met the surface
    double ms[CAST_STAGES];
};

#ifdef __cplusplus
extern "C" {
#endif

extern const char *const cast_stage_names[CAST_STAGES]; // "prepare"

double cast_times_sum(const struct cast_times *times);

struct stopwatch;
struct cast_rounds;

// Adds what the stages of a frame with a cast took: ms[0..timer->count).
void cast_times_add_stages(
    struct cast_times *times, const struct stopwatch *timer, const double *ms);

// Adds the rays of its rounds, and what these took. Rounds after CAST_TIMES_ROUNDS count as what is
// left.
void cast_times_add_rounds(
    struct cast_times *times, const struct cast_rounds *rounds, const struct stopwatch *timer,
    const double *ms);

// Adds a band's rows, rays, hits and times to those of the picture.
void cast_times_add(struct cast_times *times, const struct cast_times *band);

#ifdef __cplusplus
}
#endif
