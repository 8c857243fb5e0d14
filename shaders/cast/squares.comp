#version 460
// Lists the squares of pixels that may see the surface, in any order: those that have a span.

#include "append.glsl"
#include "lanes.glsl"
#include "spans.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    squares_push push;
};

WRITES(squares, BINDING_SQUARES, uint)
COUNTER(squares_counter, BINDING_SQUARES_COUNTER)

void main()
{
    const uint square = folded_lane();
    float begin, end;
    const bool sees = square < push.squares && span_of_square(square, push.squares, begin, end);
    const uvec4 ballot = subgroup_ballot(sees);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(squares_counter, sum, first)
    if (sees) {
        squares[first + before] = square;
    }
}
