#version 460
// Lists the squares of pixels that may see the surface, in any order: those that have a span. A square is its
// column and, in the high half, its row.

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
    const uint square = folded_lane(), across = push.across, all = across * push.down;
    float begin, end;
    const bool sees = square < all && span_of_square(square, all, begin, end);
    const uvec4 ballot = subgroup_ballot(sees);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(squares_counter, sum, first)
    if (sees) {
        squares[first + before] = square % across | square / across << 16;
    }
}
