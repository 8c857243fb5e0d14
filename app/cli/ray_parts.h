// Rays through the volume of a session, in one part or in several; and which casters take --method
// and --rounds: those in rounds, between which a method compacts.
#pragma once

#include "app/cli/session.h"
#include "compute/casting/casting.h"

// Adds what rays by these casters need to params->reserve, the memory that parts leave free, and
// sets params->layers where the volume will have several parts. `pixels` are cast at a time, of
// `samples` each. Where nothing fits, session_parts says so.
void ray_parts_plan(
    struct gpu *gpu, const struct caster *const *casters, uint32_t count,
    const struct method *method, uint32_t pixels, uint32_t samples, struct parts_params *params);

// Makes the casting: of the whole volume if it is on the device as one part (parts_whole). The
// cubes must outlive it.
bool ray_parts_open(
    struct session *session, const struct cubes *cubes, const struct caster *caster,
    uint32_t pixels, uint32_t samples, struct casting *casting, struct problem *problem);

// PROBLEM_USAGE: one of the two was given, and this caster compacts nothing. NULL: any caster.
bool ray_rounds_allowed(
    const struct options *options, const struct caster *caster, struct problem *problem);
