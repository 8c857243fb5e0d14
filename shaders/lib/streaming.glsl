// One workgroup reads a range of lanes and writes the kept elements in order, from a given index of
// the list on. It reads a stretch per iteration, with ballots and a running offset. Every lane
// reads its elements of a stretch before any is written, and no element is written at or after the
// position that is read next. So the list may be the stream's own source.
//
// Include it after defining KEPT(lane): a mask of the lane's elements that are kept.
#ifndef LIB_STREAMING
#define LIB_STREAMING

#include "stream.glsl"
#include "scan.glsl"

#extension GL_EXT_control_flow_attributes : require

// A subgroup has ITEMS consecutive rows of a stretch. So it computes the offsets within these rows
// alone, and shares only one sum with the other subgroups.
const uint ITEMS = STRETCH / GROUP;

shared uint stretch_sums[2][GROUP / 4]; // per subgroup; iterations use the two arrays in turn
shared uint stretch_total;

// The first subgroup replaces the sums of all subgroups by offsets, in at most 4 iterations (for
// subgroups of 4 lanes).
void stretch_scan(uint side)
{
    uint sum = 0;
    for (uint first = 0; first < gl_NumSubgroups; first += 4 * gl_SubgroupSize) {
        [[unroll]] for (uint k = 0; k < 4; k++) {
            const uint at = first + k * gl_SubgroupSize + gl_SubgroupInvocationID;
            const uint mine = at < gl_NumSubgroups ? stretch_sums[side][at] : 0;
            const uint offset = sum + subgroup_before(mine);
            sum = subgroupBroadcast(offset + mine, gl_SubgroupSize - 1);
            if (at < gl_NumSubgroups) {
                stretch_sums[side][at] = offset;
            }
        }
    }
    if (gl_SubgroupInvocationID == 0) {
        stretch_total = sum;
    }
}

// Writes the elements of all items, in at most 8 iterations for 32 elements per lane.
void stretch_emit(uint masks[ITEMS], uint elements[ITEMS], uint offsets[ITEMS], uint at)
{
    if (LANE_ELEMENTS == 1) {
        [[unroll]] for (uint item = 0; item < ITEMS; item++) {
            emit(masks[item], elements[item], at + offsets[item]);
        }
        return;
    }
    const uint capacity = push.capacity;
    bool more = true;
    while (more) {
        more = false;
        [[unroll]] for (uint item = 0; item < ITEMS; item++) {
            [[unroll]] for (uint step = 0; step < 4; step++) {
                if (masks[item] != 0 && at + offsets[item] < capacity) {
                    list[at + offsets[item]] = elements[item] + findLSB(masks[item]);
                }
                masks[item] &= masks[item] - 1;
                offsets[item]++;
            }
            more = more || masks[item] != 0;
        }
    }
}

bool streaming_wrapped = false; // true if the running offset passed 2^32

// Reads the lanes `first` to `end` - 1 and writes from list[at] on. Returns the offset after the
// range. All lanes of the workgroup take part, with the same arguments.
uint stream_range(uint first, uint end, uint at)
{
    for (uint turn = 0; first < end; turn++) {
        const uint row = first + gl_SubgroupID * gl_SubgroupSize * ITEMS + gl_SubgroupInvocationID;
        uint masks[ITEMS], elements[ITEMS], offsets[ITEMS];
        uint sum = 0;
        [[unroll]] for (uint item = 0; item < ITEMS; item++) {
            const uint lane = row + item * gl_SubgroupSize;
            masks[item] = elements[item] = 0;
            if (lane < end) {
                masks[item] = KEPT(lane);
                elements[item] = element(lane);
            }
            const uint n = bitCount(masks[item]);
            offsets[item] = sum + ballot_scan(n, LANE_BITS);
            sum = subgroupBroadcast(offsets[item] + n, gl_SubgroupSize - 1);
        }
        if (gl_SubgroupInvocationID == 0) {
            stretch_sums[turn % 2][gl_SubgroupID] = sum;
        }
        group_barrier();
        if (gl_SubgroupID == 0) {
            stretch_scan(turn % 2);
        }
        barrier();
        const uint next = at + stretch_total;
        stretch_emit(masks, elements, offsets, at + stretch_sums[turn % 2][gl_SubgroupID]);
        streaming_wrapped = streaming_wrapped || next < at;
        at = next;
        first += STRETCH;
    }
    return at;
}

#endif
