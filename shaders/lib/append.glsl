// Allocates room at the end of a list for the elements of a subgroup, in any order.
#ifndef LIB_APPEND
#define LIB_APPEND

#include "buffers.glsl"
#include "scan.glsl"

// Allocates room for `sum` elements of the subgroup by one atomic. Sets `base`, in all lanes, to
// the index of the first one.
#define APPEND(counter, sum, base)                                                                 \
    {                                                                                              \
        base = 0;                                                                                  \
        if (gl_SubgroupInvocationID == 0 && sum != 0) {                                            \
            base = atomicAdd(counter.count, sum);                                                  \
            if (base + sum < base) {                                                               \
                counter.wrapped = 1;                                                               \
            }                                                                                      \
        }                                                                                          \
        subgroup_join();                                                                           \
        base = subgroupShuffle(base, 0);                                                           \
    }

#endif
