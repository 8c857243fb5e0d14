#version 460
// Chag, pass 3 of 3: every range again, predicate and all, from its offset on. Where we differ: the
// paper's processor is a warp, which may stage its output in shared memory for the sake of memory
// that writes whole segments only; here it is a workgroup, and a subgroup's elements go to
// neighbouring words in one store.

#include "ranges.glsl"
#define KEPT keep
#include "streaming.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uvec2 range = range_lanes();
    stream_range(range.x, range.y, own.blocks.at[gl_WorkGroupID.x]);
}
