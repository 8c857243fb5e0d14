#version 460
// Writes the dispatch arguments for a complete list.

#include "buffers.glsl"
#include "arguments.glsl"
#include "shaders/shared/extraction.h"

COUNTER(counter, BINDING_COUNTER)
WRITES_ARGUMENTS(arguments, BINDING_ARGUMENTS)

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    arrange_push push;
};

void main()
{
    if (group_lane() != 0) {
        return;
    }
    // The number of lanes is below 2^32, so a fold over two axes is enough: most lists need one lane per
    // element. Bricks need 32 at most, and there are at most 2^21 of them. The squares of a picture of rays
    // need a lane per pixel.
    const uint all = list_length(counter) * push.lanes;
    arguments[0] = arguments_for(lanes_for(all, max(push.each, 1)));
}
