#include "compute/compaction/subgroups.h"

#include "shaders/shared/glue.h"

#include <stdio.h>

bool subgroups_offered(const struct gpu *gpu, uint32_t size, struct problem *problem)
{
    if (size == 0) {
        return true;
    }
    const uint32_t least = gpu->subgroup_least, most = gpu->subgroup_most;
    if (least == 0) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "subgroup size %u: this device does not let kernels request a size; leave it out",
            size);
    }
    if (size < least || size > most || (size & (size - 1)) != 0) {
        char offered[64];
        snprintf(
            offered, sizeof offered, least == most ? "%u only" : "the powers of two from %u to %u",
            least, most);
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "subgroup size %u: this device offers %s", size, offered);
    }
    if (GROUP / size > gpu->subgroups_most) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "subgroup size %u: a workgroup of %u lanes would have %u subgroups, this device allows "
            "%u; take a size of %u or more",
            size, GROUP, GROUP / size, gpu->subgroups_most, GROUP / gpu->subgroups_most);
    }
    return true;
}
