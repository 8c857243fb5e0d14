// Allocates room at the end of a list for the elements of a subgroup, in any order.
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

// Allocates room for four counts, which all lanes of the subgroup know, by one atomic. Returns the
// first index of each.
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
