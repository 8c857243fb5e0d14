#version 460
// Count, scan, compact: pass 3 of 3: writes the kept elements to their final positions. It
// reads from pass 1's masks which elements are kept. The form FORM_MARK has no masks, so it evaluates the
// predicate a second time.

#include "masks.glsl"

READS(blocks, BINDING_BLOCKS, uint)

layout(local_size_x = GROUP) in;

void main()
{
    const uint lanes = stream_lanes();
    const uint lane = folded_lane();
    const uint mask = lane >= lanes ? 0 : FORM == FORM_MARK ? keep(lane) : mask_at(lane);
    const uint n = bitCount(mask);
    const uint offset = group_offset(ballot_scan(n, LANE_BITS), n);
    const bool any = folded_group() * GROUP < lanes; // not a workgroup that only the fold added
    const uint before = any ? blocks[folded_group()] : 0;
    emit(mask, lane < lanes ? element(lane) : 0, before + offset);
}
