#version 460
// HistoPyramid, small levels: one workgroup reduces the levels up to own.last. The last sum is the
// total, which gives the dispatch arguments of the traversal.

#define READS_BACK
#include "arguments.glsl"
#include "pyramid.glsl"

WRITES_ARGUMENTS(arguments, BINDING_ARGUMENTS) // dispatch arguments of the traversal
#ifdef STREAM_BRICKS
WRITES_ARGUMENTS(halo_arguments, BINDING_HALO_ARGUMENTS)
#endif
#ifdef STREAM_CELLS
WRITES_ARGUMENTS(cells_arguments, BINDING_CELLS_ARGUMENTS)
#endif

layout(local_size_x_id = CONSTANT_APEX) in;

void main()
{
    const uint top = make_levels(own.level, own.last, own.top, gl_WorkGroupSize.x);
    if (group_lane() == 0) {
        const uint total = stream_leaves() > 0 ? sum_of(top) : 0;
        counter.count = total;
        const uint outputs = min(total, push.capacity);
        arguments[0] = arguments_for(lanes_for(outputs, EACH));
#ifdef STREAM_BRICKS
        halo_arguments[0] = arguments_for(halo_lanes(outputs));
#endif
#ifdef STREAM_CELLS
        cells_arguments[0] = arguments_for(cells_lanes(outputs));
#endif
    }
}
