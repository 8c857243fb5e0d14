#version 460
// Lists the bricks that the isovalue meets, in any order, for masks.comp and spans.comp.

#include "append.glsl"
#include "contours.glsl"
#include "lanes.glsl"
#include "many.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    masks_push push;
};

READS(ranges, BINDING_RANGES, uvec2)
WRITES(bricks, BINDING_BRICKS, uint)
RAISED_COUNTER(bricks_counter, BINDING_BRICKS_COUNTER)

void main()
{
    const uint brick = folded_lane(), key = contours.list[push.contour].iso.key;
    bool meets = false;
    if (brick < push.bricks) {
        const uvec2 range = ranges[brick];
        meets = range.x < key && key <= range.y;
        if (CAST_MANY != 0) {
            for (uint i = 1; i < contours.count; i++) {
                const uint other = contours.list[i].iso.key;
                meets = meets || range.x < other && other <= range.y;
            }
        }
    }
    const uvec4 ballot = subgroup_ballot(meets);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(bricks_counter, sum, first)
    RAISE(bricks_counter, 0, first, RAISED_SUM(sum))
    RAISE(bricks_counter, 1, first, RAISED_SUM(sum))
    if (meets) {
        bricks[first + before] = brick;
    }
}
