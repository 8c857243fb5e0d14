// Room at the end of a list for what a subgroup has, in any order.
#ifndef LIB_APPEND
#define LIB_APPEND

#include "buffers.glsl"
#include "scan.glsl"
#include "shaders/shared/extraction.h"

void append_check(ListCounter counter, uint old, uint n)
{
    if (old + n < old) {
        counter.wrapped = 1;
    }
}

// Appends four counts that all of the subgroup's lanes know, by one atomic: the first index of each.
uvec4 append_each(ListCounter counter, uvec4 counts)
{
    const uint sum = counts.x + counts.y + counts.z + counts.w;
    uint base = 0;
    if (gl_SubgroupInvocationID == 0 && sum != 0) {
        base = atomicAdd(counter.count, sum);
        append_check(counter, base, sum);
    }
    base = subgroupShuffle(base, 0);
    return base + uvec4(0, counts.x, counts.x + counts.y, sum - counts.w);
}

#endif
