// The lanes of a workgroup: their numbers, and how they share the work.
#ifndef LIB_LANES
#define LIB_LANES

#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require

#include "shaders/shared/extraction.h"

// How much work a lane has (compute/gpu/traits.h).
layout(constant_id = CONSTANT_CLASSIFY_ROWS) const uint CLASSIFY_ROWS = 4;
layout(constant_id = CONSTANT_VERTICES_EACH) const uint VERTICES_EACH = 4;
layout(constant_id = CONSTANT_TRIANGLES_CELLS) const uint TRIANGLES_CELLS = 8;
layout(constant_id = CONSTANT_SHARED_FOURS) const uint SHARED_FOURS = GROUP;
layout(constant_id = CONSTANT_EACH) const uint EACH = 16;
layout(constant_id = CONSTANT_CAST_LANES) const uint CAST_LANES = GROUP;
layout(constant_id = CONSTANT_FOLDS) const uint FOLDS = 0;
layout(constant_id = CONSTANT_LANES_APART) const uint LANES_APART = 1;

// The lane's number in the workgroup. The lanes of a subgroup have consecutive numbers; Vulkan does not
// promise that of gl_LocalInvocationIndex.
uint group_lane()
{
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

// Brings the lanes of a subgroup together again after a branch, which Vulkan does not promise by itself. So
// call it between a branch and the next operation of the subgroup: tests/compute/test_reflect.py checks
// that. It orders no memory. On most devices it takes no instruction. But llvmpipe of Mesa 25.0 takes it
// for a barrier of the workgroup, and gives wrong results where subgroups reach different numbers of them.
// Lanes of llvmpipe never run apart, so there it is left out.
void subgroup_join()
{
    if (LANES_APART != 0) {
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, 0, gl_SemanticsRelaxed);
    }
}

// Like subgroup_join. Also, what lanes stored in shared memory before is visible to all after.
void subgroup_wait()
{
    if (LANES_APART != 0) {
        subgroupBarrier();
    }
}

// Waits for all lanes of the workgroup. What they stored before, in buffers too, is visible after it.
void group_barrier()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                   gl_StorageSemanticsShared | gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease);
}

// The workgroup's number in a dispatch that is folded over x and y.
uint folded_group()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// The lane's number in a dispatch that is folded over x and y.
uint folded_lane()
{
    return folded_group() * GROUP + group_lane();
}

// The same where a workgroup has CAST_LANES lanes.
uint cast_lane()
{
    return folded_group() * CAST_LANES + group_lane();
}

// For passes whose subgroups share the work of their lanes' rows. A workgroup has SHARED_FOURS groups of
// four rows, and each subgroup an equal share of them. Returns the lane's group of four rows, or NO_FOUR.
const uint NO_FOUR = 0xffffffffu;

uint shared_four()
{
    const uint share = max(SHARED_FOURS / gl_NumSubgroups, 1);
    const uint mine = gl_SubgroupID * share + gl_SubgroupInvocationID;
    return gl_SubgroupInvocationID < share && mine < SHARED_FOURS
               ? folded_group() * SHARED_FOURS + mine
               : NO_FOUR;
}

#endif
