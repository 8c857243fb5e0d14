#version 460
// InK-Compact (Hughes et al. 2013, 2.3): order-preserving compaction inside the kernel that
// evaluates the predicate. Blocks are grouped into sections of 32. The block of a section that
// finishes last is its controller: it scans the block counts and moves the section's elements to
// their final positions.
//
// With MASKED it is OfK-Compact (section 4): the same in a kernel of its own, over masks that another
// kernel has written.
//
// Where we differ:
// - The paper's controller waits in a loop for the previous section. Vulkan does not promise that
//   such a loop ends. Here no workgroup waits. Each section has a word with the bits "ready" (all
//   its blocks are staged) and "reached" (its prefix is known), which are set by atomicOr. The
//   workgroup that sets the second of these bits knows that both hold, and continues. A controller
//   that finishes before its prefix is known leaves.
// - The workgroup that continues passes the prefix on along the ready sections. It does not copy
//   their blocks, because one workgroup could end up with all of the copying. ink_settle.comp moves
//   these blocks.
// - The staging buffer has one bit per element, not the element.
// - Blocks are numbered by a ticket, in the order in which they really start.

#include "outputs.glsl"
#include "shaders/shared/ink_compact.h"

// One mask per lane.
#ifdef MASKED
READS(masks, BINDING_MASKS, uint)
#else
SHARES(masks, BINDING_MASKS, uint)
#endif
SHARES(blocks, BINDING_BLOCKS, uint) // words: see INK_TICKET

layout(local_size_x = GROUP) in;

shared uint ticket, seen, known;
shared uint block_offset[SECTION];

// Stages 1 to 4 for an output.
void compact_output(uint which, uint block, uint staged, uint lanes, uint block_count)
{
    const uint section_count = (block_count + SECTION - 1) / SECTION;
    const uint sections = INK_OUTPUT_SECTIONS(which, section_count);
    const uint counts = INK_OUTPUT_COUNTS(which, OUTPUTS, section_count, block_count);

    // Stage 1: count the block's elements. Their masks are stored already.
    const uint n = bitCount(output_mask(which, staged));
    group_offset(ballot_scan(n, LANE_BITS), n);
    if (group_lane() == 0) {
        blocks[counts + block] = scan_total;
    }
    group_barrier();

    // Stage 2: the last block of the section becomes its controller.
    const uint section = block / SECTION;
    const uint first_block = section * SECTION;
    const uint section_blocks = min(block_count - first_block, uint(SECTION));
    if (group_lane() == 0) {
        memoryBarrierBuffer(); // orders what this workgroup has stored
        seen = atomicAdd(blocks[sections + section * INK_SECTION_WORDS + 1], 1);
        memoryBarrierBuffer(); // orders what the section's other workgroups have stored
    }
    group_barrier();
    if (seen + 1 != section_blocks) {
        return;
    }
    const uint mine = group_lane() < section_blocks
                          ? blocks[counts + first_block + group_lane()]
                          : 0;
    const uint offset = group_offset(subgroup_before(mine), mine);
    if (group_lane() < SECTION) {
        block_offset[group_lane()] = offset;
    }
    const uint section_total = scan_total;

    // Stage 3: check whether the section's prefix is known.
    if (group_lane() == 0) {
        atomicExchange(blocks[sections + section * INK_SECTION_WORDS + 2], section_total);
        memoryBarrierBuffer();
        seen = section == 0 ? INK_REACHED : atomicOr(blocks[sections + section * INK_SECTION_WORDS + 0], INK_READY);
        memoryBarrierBuffer();
        if ((seen & INK_REACHED) != 0) {
            known = section == 0 ? output_begin(which) : atomicAdd(blocks[sections + section * INK_SECTION_WORDS + 3], 0);
            atomicOr(blocks[sections + section * INK_SECTION_WORDS + 0], INK_COPIED);
        }
    }
    barrier();
    if ((seen & INK_REACHED) == 0) {
        return;
    }
    const uint prefix = known;

    // Pass the prefix on while sections are ready.
    uint next_prefix = prefix + section_total;
    for (uint next = section + 1; next <= section_count; next++) {
        if (next == section_count) {
            if (group_lane() == 0) {
                output_end(which, next_prefix);
            }
            break;
        }
        if (group_lane() == 0) {
            atomicExchange(blocks[sections + next * INK_SECTION_WORDS + 3], next_prefix);
        }
        memoryBarrierBuffer();
        barrier();
        if (group_lane() == 0) {
            seen = atomicOr(blocks[sections + next * INK_SECTION_WORDS + 0], INK_REACHED);
        }
        barrier();
        if ((seen & INK_READY) == 0) {
            break;
        }
        memoryBarrierBuffer();
        if (group_lane() == 0) {
            known = atomicAdd(blocks[sections + next * INK_SECTION_WORDS + 2], 0);
        }
        barrier();
        next_prefix += known;
    }

    // Stage 4: move the section's elements.
    for (uint k = 0; k < section_blocks; k++) {
        const uint at = (first_block + k) * GROUP + group_lane();
        const uint bits = at < lanes ? output_mask(which, masks[at]) : 0;
        const uint m = bitCount(bits);
        const uint place = group_offset(ballot_scan(m, LANE_BITS), m);
        emit_output(which, bits, at, at < lanes, prefix + block_offset[k] + place);
        barrier();
    }
}

void main()
{
    const uint lanes = stream_lanes();
    const uint block_count = (lanes + GROUP - 1) / GROUP;
    if (group_lane() == 0) {
        ticket = atomicAdd(blocks[INK_TICKET], 1);
    }
    barrier();
    const uint block = ticket;
    if (block >= block_count) {
        return; // a workgroup that only the fold added
    }

    const uint lane = block * GROUP + group_lane();
#ifdef MASKED
    const uint mask = lane < lanes ? masks[lane] : 0;
#else
    const uint mask = keep_if(lane, lane < lanes);
    if (lane < lanes) {
        masks[lane] = mask;
    }
#endif
    for (uint which = 0; which < COMPACTED; which++) {
        compact_output(which, block, mask, lanes, block_count);
    }
#ifdef STREAM_HITS
    if (COMPACTED < OUTPUTS) {
        const bool has = output_mask(1, mask) != 0;
        list_hit(has, has ? pixel_of_ray(lane) : 0);
    }
#endif
}
