#version 460
// InK-Collate (Hughes et al. 2013, 2.4): compaction inside the kernel that evaluates the predicate.
// Order holds within a workgroup's block; blocks take their place as they finish, with one atomic
// each. No scratch, no second pass.

#include "append.glsl"
#include "stream.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    const bool there = lane < stream_lanes();
    const uint mask = there ? keep(lane) : 0;
    const uint n = bitCount(mask);
    // Thread and warp offset by ballots, block offset (eq. 5) by the atomic.
    const uint offset = group_offset(ballot_scan(n, LANE_BITS), n);
    if (gl_LocalInvocationIndex == 0) {
        append_base = atomicAdd(push.head.count, scan_total);
        append_check(push.head, append_base, scan_total);
    }
    barrier();
    emit(mask, there ? element(lane) : 0, append_base + offset);
}
