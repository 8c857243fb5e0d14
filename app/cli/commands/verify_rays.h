// Proves that the device's rays meet the surface where those of the reference do.
#pragma once

#include "app/cli/options.h"

// verify --draw rays. PROBLEM_CHECK if a check failed.
bool verify_rays(const struct options *options, struct problem *problem);
