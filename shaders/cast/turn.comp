#version 460
// Runs between two rounds: the list that was written becomes the one that is read. Stores the list's
// length and the dispatch arguments for it.

#include "arguments.glsl"
#include "buffers.glsl"
#include "shaders/shared/casting.h"

COUNTER(counter, BINDING_COUNTER)
COUNTER(words_counter, BINDING_WORDS_COUNTER)
WRITES_ARGUMENTS(arguments, BINDING_ARGUMENTS)
WRITES(rounds, BINDING_ROUNDS, uint)

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    turn_push push;
};

void main()
{
    if (group_lane() != 0) {
        return;
    }
    const uint rays = list_length(counter);
    words_counter.count = rays;
    words_counter.capacity = rays;
    counter.count = 0;
    rounds[push.round] = rays;
    arguments[0] = arguments_for(rays);
}
