#version 460
// InK-Compact (Hughes et al. 2013, 2.3): order-preserving compaction inside the kernel that
// evaluates the predicate. Blocks are grouped into sections of 32. The block of a section that
// finishes last is its controller: it scans the block counts and moves the section's elements to
// their final positions.
//
// With MASKED it is OfK-Compact (section 4): the same, in a kernel of its own, over masks that another
// kernel has written.
//
// Where we differ:
// - The paper's controller waits in a loop for the previous section. Vulkan does not promise that
//   such a loop ends. Here it waits for a few turns. Then it counts the late section itself, by
//   decoupled look-back. Rays move on in their predicate, so nobody can count for another block: for
//   them there is ink_handoff.comp.
// - The staging buffer has one bit per element, not the element.
// - Blocks are numbered by a ticket, in the order in which they really start.
// - A subgroup moves whole blocks, so it needs no barriers.

#include "shaders/shared/ink_compact.h"
#include "shaders/shared/lookback.h"
#define OWN lookback_own
#include "stream.glsl"

SHARES(blocks, BINDING_BLOCKS, uint) // words: see INK_TICKET

// One mask per lane.
#ifdef MASKED
READS(masks, BINDING_MASKS, uint)
#define KEPT(lane, there) ((there) ? masks[lane] : 0)
#else
SHARES(masks, BINDING_MASKS, uint)
#define KEPT(lane, there) keep_if(lane, there)
#endif

layout(local_size_x = GROUP) in;

shared uint ticket, seen, block_sum;
shared uint block_offset[SECTION]; // of the section's elements before the block
shared uint block_state[SECTION];  // of a late section: what its blocks have published

uint block_count = 0, section_count = 0;

uint section_word(uint section, uint word)
{
    return INK_SECTIONS + section * INK_SECTION_WORDS + word;
}

uint block_word(uint block)
{
    return INK_SECTIONS + section_count * INK_SECTION_WORDS + block;
}

uint subgroup_sum(uint n)
{
    subgroup_join();
    return LANE_BITS > 1 ? subgroupAdd(n) : subgroupBallotBitCount(subgroup_ballot(n != 0));
}

// Number of blocks of a section.
uint section_blocks(uint section)
{
    return min(block_count - section * SECTION, uint(SECTION));
}

// Scans the counts of a section whose blocks have all counted: sets block_offset. Returns the section's count.
uint scan_section(uint section)
{
    const uint k = group_lane();
    const uint mine = k < section_blocks(section) ? blocks[block_word(section * SECTION + k)] - 1 : 0;
    const uint offset = group_offset(subgroup_before(mine), mine);
    if (k < SECTION) {
        block_offset[k] = offset;
    }
    barrier();
    return scan_total;
}

// Moves the elements of a section that scan_section has scanned, to list[prefix] and on.
void move_section(uint section, uint prefix)
{
    const uint lanes = stream_lanes();
    for (uint k = gl_SubgroupID; k < section_blocks(section); k += gl_NumSubgroups) {
        const uint block = (section * SECTION + k) * GROUP;
        uint to = prefix + block_offset[k];
        for (uint first = 0; first < GROUP; first += gl_SubgroupSize) {
            const uint at = block + first + gl_SubgroupInvocationID;
            const bool there = at < lanes;
            const uint bits = there ? masks[at] : 0;
            const uint n = bitCount(bits), before = ballot_scan(n, LANE_BITS);
            const uint sum = subgroupShuffle(before + n, gl_SubgroupSize - 1);
            emit(bits, there ? element(at) : 0, to + before);
            to += sum;
        }
    }
}

const uint PATIENCE = 64; // vain looks before the workgroup counts a section itself: about a block's time
#define TILE_WORD(section) section_word(section, 0)

// Number of kept elements of an earlier section. Counts the blocks that have not published theirs.
uint count_tile(uint section)
{
    if (group_lane() < SECTION) {
        const uint word = atomicLoad(blocks[block_word(section * SECTION + group_lane())],
                                     gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        block_state[group_lane()] = own.drop == 0 ? word : 0;
    }
    barrier();
    uint n = 0;
    for (uint k = 0; k < SECTION; k++) {
        const uint word = block_state[k];
        if (word == 0) {
            n += bitCount(KEPT((section * SECTION + k) * GROUP + group_lane(), true));
        } else if (group_lane() == 0) {
            n += word - 1;
        }
    }
    group_offset(subgroup_before(n), n);
    return scan_total;
}

#include "lookback.glsl"

// By the controller of a section: waits for the section's prefix, and moves its elements.
void finish_section(uint section, uint total)
{
    move_section(section, look_back_from(section, total, section + 1 == section_count));
}

void main()
{
    const uint lanes = stream_lanes();
    block_count = (lanes + GROUP - 1) / GROUP;
    section_count = (block_count + SECTION - 1) / SECTION;
    if (group_lane() == 0) {
        ticket = atomicAdd(blocks[INK_TICKET], 1);
        block_sum = 0;
    }
    barrier();
    const uint block = ticket;
    if (block >= block_count) {
        return; // a workgroup that only the fold added
    }

    // Stage 1: count the block's elements and store their masks.
    const uint lane = block * GROUP + group_lane();
    const uint mask = KEPT(lane, lane < lanes);
    const uint n = bitCount(mask), sum = subgroup_sum(n);
    if (gl_SubgroupInvocationID == 0) {
        atomicAdd(block_sum, sum);
    }
#ifndef MASKED
    if (lane < lanes) {
        masks[lane] = mask;
    }
#endif
    group_barrier();

    // Stage 2: the last block of the section becomes its controller.
    const uint section = block / SECTION;
    if (group_lane() == 0) {
        atomicExchange(blocks[block_word(block)], block_sum + 1);
        memoryBarrierBuffer(); // orders what this workgroup has stored
        seen = atomicAdd(blocks[section_word(section, 1)], 1);
        memoryBarrierBuffer(); // orders what the section's other workgroups have stored
    }
    group_barrier();
    if (seen + 1 != section_blocks(section)) {
        return;
    }

    // Stages 3 and 4: learn the section's prefix, and move its elements.
    finish_section(section, scan_section(section));
}
