// A scan in device memory, level by level. Level 0 has the lanes of the stream: their counts come
// from `masks`, their offsets are written to `levels`. Level k has one sum per GROUP entries of
// level k - 1. The sums of all levels are in `blocks`, where the scan replaces them by offsets.
#ifndef LIB_SCAN_LEVELS
#define LIB_SCAN_LEVELS

#include "shaders/shared/scan_scatter.h"
#define OWN scan_scatter_own
#include "masks.glsl"

#extension GL_EXT_control_flow_attributes : require

SHARES(blocks, BINDING_BLOCKS, uint) // levels 1 and above
SHARES(levels, BINDING_LEVELS, uint) // level 0: per lane, the offset of its elements

const uint STEPS = 8; // log2 of GROUP

// Where the entries of a level start in `blocks`, and how many there are. Memory is allocated for
// push.lanes, which the host knows; the stream may have fewer lanes.
struct ScanLevel
{
    uint offset, entries;
};

ScanLevel scan_level_above(ScanLevel level, uint number, uint room)
{
    return ScanLevel(number == 0 ? 0 : level.offset + room, (level.entries + GROUP - 1) / GROUP);
}

// The level that the pass works on, and the next level.
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
    return own.level == 0 ? bitCount(mask_at(i)) : blocks[scan_here.offset + i];
}

void scan_write(uint i, uint offset)
{
    if (i < scan_here.entries) {
        if (own.level == 0) {
            levels[i] = offset;
        } else {
            blocks[scan_here.offset + i] = offset;
        }
    }
}

// Writes the sum of a block: at the last level the total, otherwise an entry of the level above.
void scan_sum(uint block, uint sum)
{
    if (own.top == 0) {
        blocks[scan_above.offset + block] = sum;
    } else {
        counter.count = sum;
    }
}

// Only at the last level can a sum exceed 2^32: on lower levels a block holds at most 2^29, 32 for
// each of 256^3 lanes. Detects the entry whose addition makes the offset wrap.
void scan_check(uint offset, uint n)
{
    if (own.top != 0 && offset + n < offset) {
        atomicOr(counter.wrapped, 1);
    }
}

#endif
