// A scan in device memory, level by level. Level 0 are the lanes of the stream: their counts come
// from `masks`, their offsets stand in `levels`. Above, level k has a sum per GROUP entries of
// level k - 1, all in `blocks`, where the scan turns them into offsets.
#ifndef LIB_SCAN_LEVELS
#define LIB_SCAN_LEVELS

#include "buffers.glsl"
#include "shaders/shared/scan_scatter.h"
#define OWN scan_scatter_own
#include "masks.glsl"

#extension GL_EXT_control_flow_attributes : require

const uint STEPS = 8; // log2 of GROUP

// Where a level's entries start in `blocks`, and how many there are. Room is for push.lanes, whose
// number the host knows; the stream may have fewer.
struct ScanLevel
{
    uint offset, entries;
};

ScanLevel scan_level_above(ScanLevel level, uint number, uint room)
{
    return ScanLevel(number == 0 ? 0 : level.offset + room, (level.entries + GROUP - 1) / GROUP);
}

// The level that the pass works on, and the one above it.
ScanLevel scan_here, scan_above;

void scan_levels_find()
{
    uint room = push.lanes;
    scan_here = ScanLevel(0, stream_lanes());
    scan_above = scan_level_above(scan_here, 0, room);
    for (uint number = 1; number <= own.level; number++) {
        room = (room + GROUP - 1) / GROUP;
        scan_here = scan_above;
        scan_above = scan_level_above(scan_here, number, room);
    }
}

uint scan_read(uint i)
{
    if (i >= scan_here.entries) {
        return 0;
    }
    return own.level == 0 ? bitCount(mask_at(i)) : own.blocks.at[scan_here.offset + i];
}

void scan_write(uint i, uint offset)
{
    if (i < scan_here.entries) {
        if (own.level == 0) {
            own.levels.at[i] = offset;
        } else {
            own.blocks.at[scan_here.offset + i] = offset;
        }
    }
}

// The sum of a block: an entry of the level above, or at the top the total.
void scan_sum(uint block, uint sum)
{
    if (own.top == 0) {
        own.blocks.at[scan_above.offset + block] = sum;
    } else {
        push.counter.count = sum;
    }
}

// Sums pass 2^32 at the top only: below it blocks hold at most 2^29, which is 32 in each of 256^3
// lanes. Then some entry does that takes the offset past 2^32.
void scan_check(uint offset, uint n)
{
    if (own.top != 0 && offset + n < offset) {
        push.counter.wrapped = 1;
    }
}

#endif
