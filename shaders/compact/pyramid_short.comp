#version 460
// HistoPyramid of a short stream: one workgroup does everything from the base to the outputs. On a
// CPU, separate dispatches would take longer than their work.

#define READS_BACK
#include "arguments.glsl"
#include "pyramid.glsl"

#ifdef STREAM_BRICKS
WRITES_ARGUMENTS(halo_arguments, BINDING_HALO_ARGUMENTS)
#endif

layout(local_size_x_id = CONSTANT_APEX) in;

void main()
{
    const uint lanes = gl_WorkGroupSize.x, last = own.last, room = own.leaves;
    const uint lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    const uint nodes = fours_of(stream_leaves(), 0);
    for (uint from = 0; from < nodes; from += lanes) {
        make_base(from + lane);
    }
    group_barrier();
    const uint top = make_levels(1, last, 0, lanes);
    const uint total = nodes > 0 ? sum_of(top) : 0;
    const uint outputs = min(total, push.capacity);
    if (group_lane() == 0) {
        counter.count = total;
#ifdef STREAM_BRICKS
        halo_arguments[0] = arguments_for(halo_lanes(outputs));
#endif
    }
    for (uint key = lane; key < outputs; key += lanes) {
        put_element(key, lowest(look_into(look_up(key, last, top, room))));
    }
}
