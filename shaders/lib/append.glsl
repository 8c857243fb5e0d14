// Allocates room at the end of a list, in any order.
#ifndef LIB_APPEND
#define LIB_APPEND

#include "buffers.glsl"
#include "scan.glsl"

// 1: the subgroups of a workgroup allocate together (compute/gpu/traits.h).
layout(constant_id = CONSTANT_GROUP_APPENDS) const uint GROUP_APPENDS = 0;

shared uint append_first; // where the workgroup's elements begin

// Adds to the length of a list, by one lane. Sets `first` to the length before.
#define APPEND_ALONE(counter, sum, first)                                                          \
    {                                                                                              \
        first = sum != 0 ? atomicAdd(counter.count, sum) : 0;                                      \
        if (first + sum < first) {                                                                 \
            atomicOr(counter.wrapped, 1);                                                          \
        }                                                                                          \
    }

// Allocates room for a workgroup by one atomic: for `n` elements of each lane, of which `before`
// are the subgroup's before it; or for each subgroup, with `before` 0 and `n` its sum. Sets `base`
// to the index of the first one of the lane, or subgroup. scan_total is the workgroup's sum. All
// lanes of the workgroup take part.
#define APPEND_GROUP(counter, before, n, base)                                                     \
    {                                                                                              \
        group_scan(before, n);                                                                     \
        if (group_lane() == 0) {                                                                   \
            APPEND_ALONE(counter, scan_total, append_first)                                        \
        }                                                                                          \
        barrier();                                                                                 \
        base = append_first + group_scanned(before);                                               \
    }

// Allocates room for `sum` elements of each subgroup, by one atomic per subgroup or per workgroup.
// Sets `base` to the index of the subgroup's first one. All lanes of the workgroup take part.
#define APPEND(counter, sum, base)                                                                 \
    if (GROUP_APPENDS != 0) {                                                                      \
        APPEND_GROUP(counter, 0, sum, base)                                                        \
    } else {                                                                                       \
        base = 0;                                                                                  \
        if (gl_SubgroupInvocationID == 0) {                                                        \
            APPEND_ALONE(counter, sum, base)                                                       \
        }                                                                                          \
        subgroup_join();                                                                           \
        base = subgroupShuffle(base, 0);                                                           \
    }

#endif
