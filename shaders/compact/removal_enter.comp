#version 460
// For a list that is kept from run to run: appends the elements that the stream keeps now and did
// not keep before (Bontes & Gain 2024, 4.6: add first, then remove). One lane per lane of the
// stream. `now`: the mask of each lane, all 0 at first. `before`: the masks of the previous run.
// Both have a mask for every possible lane, even if it is not in the stream now.

#include "append.glsl"
#include "stream.glsl"

WRITES(now, BINDING_NOW, uint)
READS(before, BINDING_BEFORE, uint)

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    const uint mask = lane < stream_lanes() ? keep(lane) : 0;
    uint first = 0, enters = 0;
    if (mask != 0) {
        first = element(lane);
        const uint at = first / LANE_ELEMENTS;
        enters = mask & ~before[at];
        now[at] = mask;
    }
    const uint n = bitCount(enters);
    const uint before = ballot_scan(n, LANE_BITS);
    uint at;
    APPEND_GROUP(counter, before, n, at)
    emit(enters, first, at);
}
