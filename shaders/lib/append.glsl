// Allocates space at the end of a list, in any order.
#ifndef LIB_APPEND
#define LIB_APPEND

#include "buffers.glsl"
#include "scan.glsl"

// 1: the subgroups of a workgroup allocate together (compute/gpu/traits.h).
layout(constant_id = CONSTANT_GROUP_APPENDS) const uint GROUP_APPENDS = 0;

shared uint append_first; // where the workgroup's elements begin

// Adds `sum` to the length of a list, by one lane. Sets `first` to the length before that.
#define APPEND_ALONE(counter, sum, first)                                                          \
    {                                                                                              \
        first = sum != 0 ? atomicAdd(counter.count, sum) : 0;                                      \
        if (first + sum < first) {                                                                 \
            atomicOr(counter.wrapped, 1);                                                          \
        }                                                                                          \
    }

// Allocates space for a workgroup by one atomic. Either each lane has `n` elements, and `before`
// counts those of the earlier lanes of its subgroup; or each subgroup has `n` elements, and
// `before` is 0. Sets `base` to the index of the first element of the lane, or of the subgroup, and
// scan_total to the workgroup's sum. All lanes of the workgroup take part.
#define APPEND_GROUP(counter, before, n, base)                                                     \
    {                                                                                              \
        group_scan(before, n);                                                                     \
        if (group_lane() == 0) {                                                                   \
            APPEND_ALONE(counter, scan_total, append_first)                                        \
        }                                                                                          \
        barrier();                                                                                 \
        base = append_first + group_scanned(before);                                               \
    }

// Allocates space for `sum` elements of each subgroup, by one atomic per subgroup or per workgroup.
// Sets `base` to the index of the subgroup's first element. All lanes of the workgroup take part.
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
