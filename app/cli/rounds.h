// Which casters of rays take --method and --rounds: those in rounds, between which a method
// compacts.
#pragma once

#include "app/cli/options.h"

// PROBLEM_USAGE: one of the two was given, and this caster compacts nothing. NULL: any caster.
bool rounds_allowed(
    const struct options *options, const struct caster *caster, struct problem *problem);
