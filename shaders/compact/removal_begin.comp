#version 460
// First pass on a list that is kept from run to run: its length is that after the
// previous run.

#include "arguments.glsl"
#include "redzone.glsl"

WRITES_ARGUMENTS(list_arguments, BINDING_LIST_ARGUMENTS)

layout(local_size_x = GROUP) in;

void main()
{
    if (group_lane() == 0) {
        const uint n = kept[0];
        counter.count = n;
        list_arguments[0] = arguments_for(lanes_for(n, REMOVAL_LANES));
    }
}
