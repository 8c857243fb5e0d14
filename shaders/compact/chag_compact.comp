#version 460
// Chag, pass 3 of 3: reads every range again, evaluates the predicate and writes the kept elements
// from the range's offset on. Where we differ: the paper's processor is a warp, which may stage its
// output in shared memory, because that hardware writes whole segments of memory. Here it is a
// workgroup, and the elements of a subgroup go to neighbouring words in one store.

#include "ranges.glsl"
#define KEPT keep
#include "streaming.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uvec2 range = range_lanes();
    stream_range(range.x, range.y, blocks[gl_WorkGroupID.x]);
}
