#version 460
// Chag, pass 3 of 3: reads every range again, evaluates the predicate, and writes the kept elements
// from the range's offset on. Where we differ: the paper's processor is a warp, which may collect
// its output in shared memory, because that hardware writes whole segments of memory. Here the
// processor is a workgroup, and a subgroup writes its elements to neighbouring words in one store.

#include "ranges.glsl"
#define KEPT keep
#include "streaming.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uvec2 range = range_lanes();
    stream_range(range.x, range.y, blocks[gl_WorkGroupID.x]);
}
