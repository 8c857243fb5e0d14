#version 460
// Count, scan, compact: pass 1 of 3: writes the masks of the predicate and a count per block.

#include "masks.glsl"

WRITES(blocks, BINDING_BLOCKS, uint)

layout(local_size_x = GROUP) in;

void main()
{
    const uint lanes = stream_lanes();
    const uint lane = folded_lane();
    const uint mask = lane < lanes ? keep(lane) : 0;
    const uint n = bitCount(mask);
    group_offset(ballot_scan(n, LANE_BITS), n);
    if (lane < lanes && FORM != FORM_MARK) {
        masks[lane] = mask;
    }
    if (group_lane() == 0 && folded_group() * GROUP < lanes) {
        blocks[folded_group()] = scan_total;
    }
}
