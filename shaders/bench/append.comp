#version 460
// Unordered compaction by atomics: one for each kept element, or, with PER_SUBGROUP or PER_GROUP,
// one for those of a subgroup or of a workgroup (Bakunas-Milanowski et al. 2017). All else is
// equal: a lane has one element.

#include "append.glsl"
#include "stream.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    const bool kept = keep_if(lane, lane < stream_lanes()) != 0;
    uint at = 0;
#if defined(PER_GROUP) || defined(PER_SUBGROUP)
    const uvec4 ballot = subgroup_ballot(kept);
    const uint sum = subgroupBallotBitCount(ballot);
#ifdef PER_GROUP
    APPEND_GROUP(counter, 0, sum, at)
#else
    if (gl_SubgroupInvocationID == 0) {
        APPEND_ALONE(counter, sum, at)
    }
    subgroup_join();
    at = subgroupShuffle(at, 0);
#endif
    at += subgroupBallotExclusiveBitCount(ballot);
#else
    if (kept) {
        APPEND_ALONE(counter, 1, at)
    }
#endif
    if (kept && at < push.capacity) {
        put_element(at, element(lane));
    }
}
