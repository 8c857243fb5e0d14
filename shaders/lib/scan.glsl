// Prefix sums within a subgroup and a workgroup, for any subgroup size from 4 to 128.
#ifndef LIB_SCAN
#define LIB_SCAN

#include "lanes.glsl"
#include "shaders/shared/compaction.h"
#include "shaders/shared/extraction.h"

#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require

shared uint scan_sums[GROUP / 4]; // sum of each subgroup; subgroups have at least 4 lanes
shared uint scan_total;

// Loops over powers of two are written out, because compilers do not unroll them. Steps that are
// larger than the subgroup multiply by 0 instead of using an `if`: llvmpipe masks assignments
// inside an `if`, but the compiler removes multiplications by a constant 0.
#define SUBGROUP_STEPS_UP(step)   step(1) step(2) step(4) step(8) step(16) step(32) step(64)
#define SUBGROUP_STEPS_DOWN(step) step(64) step(32) step(16) step(8) step(4) step(2) step(1)

// A ballot; may be called after branches.
uvec4 subgroup_ballot(bool of)
{
    subgroup_join();
    return subgroupBallot(of);
}

// Sum of n over the subgroup's lanes before this one; may be called after branches. Uses shuffles
// where they are faster (SHUFFLES).
layout(constant_id = CONSTANT_SHUFFLES) const uint SHUFFLES = 0;
#define SUBGROUP_ADD(reach)                                                                        \
    sum += subgroupShuffle(sum, lane - reach) *                                                    \
           (uint(reach < gl_SubgroupSize) * uint(lane >= reach));
#define SUBGROUP_BEFORE(type)                                                                      \
    type subgroup_before(type n)                                                                   \
    {                                                                                              \
        subgroup_join();                                                                           \
        const uint lane = gl_SubgroupInvocationID;                                                 \
        type sum = n;                                                                              \
        if (SHUFFLES == 0) {                                                                       \
            sum = subgroupInclusiveAdd(n);                                                         \
        } else {                                                                                   \
            SUBGROUP_STEPS_UP(SUBGROUP_ADD)                                                        \
        }                                                                                          \
        return sum - n;                                                                            \
    }
SUBGROUP_BEFORE(uint)
SUBGROUP_BEFORE(uvec4)

// The lanes of the subgroup have consecutive shares of a range. A lane's share begins at its
// `before`. Returns the lane whose share contains `at`; may be called after branches.
#define SUBGROUP_SEEK(reach)                                                                       \
    owner += uint(subgroupShuffle(before, owner + reach) <= at) *                                  \
             (uint(reach < gl_SubgroupSize) * reach);
uint subgroup_owner(uint before, uint at)
{
    subgroup_join();
    uint owner = 0;
    SUBGROUP_STEPS_DOWN(SUBGROUP_SEEK)
    return owner;
}

// Exclusive sum over the subgroup of n < 2^bits. With one bit it uses a ballot: the thread offset
// of InK-Compact (2.1). With more bits it uses subgroup_before; with FORM_BALLOTS it uses a ballot
// per bit, as the paper's warp offset (2.2, eq. 3 and 4). 15 bits are enough for the sum of a
// subgroup: at most 128 lanes have 128 elements each.
layout(constant_id = CONSTANT_FORM) const uint FORM = FORM_PLAIN;
#define BALLOT_BIT(bit) sum += subgroupBallotExclusiveBitCount(subgroup_ballot((n >> bit & 1) != 0)) << bit;
uint bits_before(uint n)
{
    uint sum = 0;
    BALLOT_BIT(0) BALLOT_BIT(1) BALLOT_BIT(2) BALLOT_BIT(3) BALLOT_BIT(4) BALLOT_BIT(5) BALLOT_BIT(6)
    BALLOT_BIT(7) BALLOT_BIT(8) BALLOT_BIT(9) BALLOT_BIT(10) BALLOT_BIT(11) BALLOT_BIT(12)
    BALLOT_BIT(13) BALLOT_BIT(14)
    return sum;
}

uint ballot_scan(uint n, uint bits)
{
    if (bits == 1) {
        return subgroupBallotExclusiveBitCount(subgroup_ballot(n != 0));
    }
    return FORM == FORM_BALLOTS ? bits_before(n) : subgroup_before(n);
}

// group_offset: the lane's offset in the workgroup. `before` is its offset in the subgroup. Sets
// scan_total to the workgroup's sum. All lanes of the workgroup take part. It has two halves. After
// group_scan lane 0 knows scan_total. group_scanned must come after a barrier.
void group_scan(uint before, uint n)
{
    subgroup_wait(); // so that all lanes have read the sum of an earlier call
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) {
        scan_sums[gl_SubgroupID] = before + n;
    }
    barrier();
    if (gl_SubgroupID == 0) {
        // The first subgroup scans the sums, as many at a time as it has lanes.
        uint sum = 0;
        for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
            const uint at = first + gl_SubgroupInvocationID;
            const uint mine = at < gl_NumSubgroups ? scan_sums[at] : 0;
            const uint offset = sum + ballot_scan(mine, 15);
            sum = subgroupBroadcast(offset + mine, gl_SubgroupSize - 1);
            if (at < gl_NumSubgroups) {
                scan_sums[at] = offset;
            }
        }
        if (gl_SubgroupInvocationID == 0) {
            scan_total = sum;
        }
    }
}

uint group_scanned(uint before)
{
    return scan_sums[gl_SubgroupID] + before;
}

uint group_offset(uint before, uint n)
{
    group_scan(before, n);
    barrier();
    return group_scanned(before);
}

#endif
