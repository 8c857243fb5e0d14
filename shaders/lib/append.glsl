// Appends n elements per lane to a list, in any order: the first index for this lane.
#ifndef LIB_APPEND
#define LIB_APPEND

#include "buffers.glsl"
#include "scan.glsl"
#include "shaders/shared/extraction.h"

shared uint append_base;

void append_check(ListHead head, uint old, uint n)
{
    if (old + n < old) {
        head.wrapped = 1;
    }
}

// One atomic per workgroup: on llvmpipe, and more so on a GPU, better than one per subgroup. All
// lanes of the workgroup take part.
uint append(ListHead head, uint n)
{
    const uint before = subgroupExclusiveAdd(n);
    const uint offset = group_offset(before, n);
    if (gl_LocalInvocationIndex == 0) {
        append_base = atomicAdd(head.count, scan_total);
        append_check(head, append_base, scan_total);
    }
    barrier();
    return append_base + offset;
}

// The same for a subgroup, by an atomic of its own, and four counts that all of its lanes know: the
// first index of each.
uvec4 append_each(ListHead head, uvec4 counts)
{
    const uint sum = counts.x + counts.y + counts.z + counts.w;
    uint base = 0;
    if (gl_SubgroupInvocationID == 0 && sum != 0) {
        base = atomicAdd(head.count, sum);
        append_check(head, base, sum);
    }
    base = subgroupShuffle(base, 0);
    return base + uvec4(0, counts.x, counts.x + counts.y, sum - counts.w);
}

#endif
