// The times and counts of a picture of rays, for the panel.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The stages of a cast, in the order that they run. The last two are the same for all casters; the
// others are the caster's own work.
enum cast_stage {
    CAST_STAGE_PREPARE, // updates the boxes over what the isovalue meets; casters in rounds also
                        // find the rays that meet the volume
    CAST_STAGE_MARCH,
    CAST_STAGE_COMPACTION, // only of casters in rounds
    CAST_STAGE_TAIL,       // only of casters in rounds: the rays that are left after the rounds
    CAST_STAGE_POINTS,
    CAST_STAGE_PICTURE,
    CAST_STAGES
};

#define CAST_TIMES_ROUNDS 32 // most rounds that are stored

struct cast_times {
    const char *caster; // NULL: nothing has been cast
    double iso;
    uint32_t scale; // side in pixels of the square that a ray is for
    bool shadow;
    uint32_t rays[2]; // number of rays along x and y
    // Of casters in rounds. in_round: the rays that go into each round. round_ms: the time of each
    // round with its compaction. The entry after the last round is for the rays that are left.
    uint32_t round_count; // 0: there are no rounds
    uint64_t in_round[CAST_TIMES_ROUNDS + 1];
    double round_ms[CAST_TIMES_ROUNDS + 1];
    uint64_t cast; // rays, including those in the border around each band; in_round has these, too
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

// Adds the times of a frame's stages: ms[0..timer->count).
void cast_times_add_stages(
    struct cast_times *times, const struct stopwatch *timer, const double *ms);

// Sets the number of rounds, and adds their rays and times. Rounds after CAST_TIMES_ROUNDS count as
// the rays that are left.
void cast_times_add_rounds(
    struct cast_times *times, const struct cast_rounds *rounds, const struct stopwatch *timer,
    const double *ms);

// Adds a band's rows, rays, hits and times to `times`, which are of the picture.
void cast_times_add(struct cast_times *times, const struct cast_times *band);

#ifdef __cplusplus
}
#endif
