// Rays through the volume of a session, in one part or in several. Also checks which casters take
// --method and --rounds: those that work in rounds, because a method compacts between rounds.
#pragma once

#include "app/cli/session.h"
#include "compute/casting/casting.h"

// Adds the memory for rays by these casters to params->reserve, the memory that parts leave free.
// Sets params->layers if the volume will have several parts. `pixels` are cast at a time, with
// `samples` each. If nothing fits, session_parts reports it.
void ray_parts_plan(
    struct gpu *gpu, const struct caster *const *casters, uint32_t count,
    const struct method *method, uint32_t pixels, uint32_t samples, struct parts_params *params);

// Creates the casting: of the whole volume if the device has it as one part (parts_whole),
// otherwise of parts. The cubes must outlive the casting.
bool ray_parts_open(
    struct session *session, const struct cubes *cubes, const struct caster *caster,
    uint32_t pixels, uint32_t samples, struct casting *casting, struct problem *problem);

// PROBLEM_USAGE: --method or --rounds was given, and the caster compacts nothing. NULL: any caster.
bool ray_rounds_allowed(
    const struct options *options, const struct caster *caster, struct problem *problem);
