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

// Raises the first or the second (`which`: 0 or 1) arguments of a RAISED_COUNTER, so that they reach the n
// elements from `first` on. Each element is raised for by one lane. Where none begins a step of x, the lane
// of an earlier one raises x enough.
#define RAISE(counter, which, first, n)                                                            \
    {                                                                                              \
        const uint shift = counter.shift##which, rest = (1u << shift) - 1;                         \
        const uint steps = (first) + (n) + rest >> shift;                                          \
        if (steps != (first) + rest >> shift) {                                                    \
            atomicMax(counter.x##which, steps);                                                    \
        }                                                                                          \
    }

// The number of elements that a lane raises for after APPEND: the first one for all of its subgroup.
#define RAISED_SUM(sum) (gl_SubgroupInvocationID == 0 ? sum : 0)

// The same for lists of hits and of samples: passes that cast rays have their own arguments where their
// workgroups have another size.
#define RAISE_BOTH(counter, first, n)                                                              \
    RAISE(counter, 0, first, n)                                                                    \
    if (CAST_LANES != GROUP) {                                                                     \
        RAISE(counter, 1, first, n)                                                                \
    }

#endif
