// What a picture of rays has taken, for the panel.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The stages of a cast, in the order that they run.
enum cast_stage { CAST_STAGE_CAST, CAST_STAGE_POINTS, CAST_STAGE_PICTURE, CAST_STAGES };

struct cast_times {
    const char *caster; // NULL: nothing has been cast
    double iso;
    uint32_t scale;   // a ray is for a square of so many pixels a side
    uint32_t rays[2]; // along x and y
    uint64_t hits;    // rays that met the surface
    double ms[CAST_STAGES];
};

#ifdef __cplusplus
extern "C" {
#endif

extern const char *const cast_stage_names[CAST_STAGES]; // "cast"

double cast_times_sum(const struct cast_times *times);

#ifdef __cplusplus
}
#endif
