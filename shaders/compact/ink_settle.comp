#version 460
// The pass after ink_compact.comp: moves the blocks of sections whose controller left too
// early to know the prefix, and counts what it moves. One workgroup per block; most have nothing to do.

#include "masks.glsl"
#include "outputs.glsl"
#include "shaders/shared/ink_compact.h"

READS(blocks, BINDING_BLOCKS, uint)
#ifndef STREAM_WORKING // streams of rays have no events
SHARES(events, BINDING_EVENTS, uint)
#endif

layout(local_size_x = GROUP) in;

void settle_output(uint which, uint block, uint lanes, uint block_count)
{
    const uint section_count = (block_count + SECTION - 1) / SECTION, section = block / SECTION;
    const uint words = INK_OUTPUT_SECTIONS(which, section_count) + section * INK_SECTION_WORDS;
    if ((blocks[words] & INK_COPIED) != 0) {
        return;
    }
    const uint counts = INK_OUTPUT_COUNTS(which, OUTPUTS, section_count, block_count);
    uint before = blocks[words + 3];
    for (uint k = section * SECTION; k < block; k++) {
        before += blocks[counts + k];
    }
    const uint lane = block * GROUP + group_lane();
    const uint mask = lane < lanes ? output_mask(which, mask_at(lane)) : 0;
    const uint n = bitCount(mask);
    const uint offset = group_offset(ballot_scan(n, LANE_BITS), n);
    emit_output(which, mask, lane, lane < lanes, before + offset);
#ifndef STREAM_WORKING
    if (group_lane() == 0) {
        atomicAdd(events[EVENT_LATE], scan_total);
    }
#endif
}

void main()
{
    const uint lanes = stream_lanes(), block_count = (lanes + GROUP - 1) / GROUP;
    const uint block = folded_group();
    if (block >= block_count) {
        return;
    }
    for (uint which = 0; which < COMPACTED; which++) {
        settle_output(which, block, lanes, block_count);
    }
}
