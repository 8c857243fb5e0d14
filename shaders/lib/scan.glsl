// Offsets within a workgroup, for any subgroup size from 4 to 128.
#ifndef LIB_SCAN
#define LIB_SCAN

#include "shaders/shared/extraction.h"

#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

shared uint scan_sums[GROUP / 4]; // per subgroup; subgroups have at least 4 lanes
shared uint scan_total;

// Exclusive sum over the subgroup of n < 2^bits, by ballots of the bits of n: with one bit this is
// the thread offset of InK-Compact (2.1), with more its warp offset (2.2, eq. 3 and 4; the sum
// shifts left by j, and j runs to the top bit: a full warp counts the warp's size).
uint ballot_scan(uint n, uint bits)
{
    uint sum = 0;
    [[unroll]] for (uint j = 0; j < bits; j++) {
        const uvec4 ballot = subgroupBallot((n >> j & 1) != 0);
        sum += subgroupBallotExclusiveBitCount(ballot) << j;
    }
    return sum;
}

// Turns each subgroup's sum (in its last lane: before + n) into the lane's offset in the workgroup;
// scan_total is the workgroup's sum. All lanes of the workgroup take part.
uint group_offset(uint before, uint n)
{
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) {
        scan_sums[gl_SubgroupID] = before + n;
    }
    barrier();
    if (gl_SubgroupID == 0) {
        // The first subgroup scans the sums, a subgroup's worth at a time.
        uint sum = 0;
        for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
            const uint at = first + gl_SubgroupInvocationID;
            const uint mine = at < gl_NumSubgroups ? scan_sums[at] : 0;
            const uint offset = sum + subgroupExclusiveAdd(mine);
            if (at < gl_NumSubgroups) {
                scan_sums[at] = offset;
            }
            sum += subgroupAdd(mine);
        }
        if (gl_SubgroupInvocationID == 0) {
            scan_total = sum;
        }
    }
    barrier();
    return scan_sums[gl_SubgroupID] + before;
}

#endif
