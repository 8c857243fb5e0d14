// Tests which bricks the isovalue meets, and lists them, in any order, for masks.comp and spans.comp.
#ifndef LIB_MET_BRICKS
#define LIB_MET_BRICKS

#include "append.glsl"
#include "contours.glsl"
#include "lanes.glsl"
#include "many.glsl"

layout(push_constant, scalar) uniform Push
{
    masks_push push;
};

READS(ranges, BINDING_RANGES, uvec2)
WRITES(bricks, BINDING_BRICKS, uint)
RAISED_COUNTER(bricks_counter, BINDING_BRICKS_COUNTER)

// Lists this brick if the isovalue meets it, and returns whether it does. All lanes of the workgroup take part.
bool list_met(uint brick)
{
    const uint key = contours.list[push.contour].iso.key;
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
    return meets;
}

#endif
