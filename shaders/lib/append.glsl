// Appends n elements per lane to a list, in any order: the first index for this lane.
#ifndef LIB_APPEND
#define LIB_APPEND

#include "buffers.glsl"
#include "scan.glsl"
#include "shaders/shared/extraction.h"

layout(constant_id = CONSTANT_APPEND) const uint APPEND_BY_GROUP = 1;

shared uint append_base;

void append_check(ListHead head, uint old, uint n)
{
    if (old + n < old) {
        head.wrapped = 1;
    }
}

// All lanes of the workgroup take part.
uint append(ListHead head, uint n)
{
    const uint before = subgroupExclusiveAdd(n);
    if (APPEND_BY_GROUP == 0) {
        const uint total = subgroupAdd(n);
        uint base = 0;
        if (subgroupElect()) {
            base = atomicAdd(head.count, total);
            append_check(head, base, total);
        }
        return subgroupBroadcastFirst(base) + before;
    }
    const uint offset = group_offset(before, n);
    if (gl_LocalInvocationIndex == 0) {
        append_base = atomicAdd(head.count, scan_total);
        append_check(head, append_base, scan_total);
    }
    barrier();
    return append_base + offset;
}

#endif
