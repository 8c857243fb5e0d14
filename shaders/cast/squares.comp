#version 460
// Lists the squares of pixels that may see the surface, in any order: those that have a span. An entry has
// the square's column and, in the high half, its row. The span of each listed square is widened by the span
// for all squares (shaders/shared/casting.h).

#include "append.glsl"
#include "lanes.glsl"
#include "shaders/shared/casting.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    squares_push push;
};

BUFFER(restrict, spans, BINDING_SPANS, uvec2) // a lane writes its own span; all read the last one
WRITES(squares, BINDING_SQUARES, uint)
RAISED_COUNTER(squares_counter, BINDING_SQUARES_COUNTER)

void main()
{
    const uint square = folded_lane(), across = push.across, all = across * push.down;
    uvec2 span = uvec2(SPAN_NONE);
    if (square < all) {
        span = min(spans[square], spans[all]);
    }
    const bool sees = span.x != SPAN_NONE;
    const uvec4 ballot = subgroup_ballot(sees);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(squares_counter, sum, first)
    RAISE(squares_counter, 0, first, RAISED_SUM(sum))
    if (sees) {
        spans[square] = span;
        squares[first + before] = square % across | square / across << 16;
    }
}
