#version 460
// Single pass with decoupled look-back (Merrill and Garland 2016): a tile counts its kept elements
// and publishes the count. Then it adds up what the tiles before it have published, back to a tile
// that has published its prefix: see lib/lookback.glsl.
//
// Where we differ: tiles are numbered by a ticket, so a tile only looks at tiles that have started.

#include "shaders/shared/lookback.h"
#define OWN lookback_own
#include "stream.glsl"

SHARES(blocks, BINDING_BLOCKS, uint) // words: see LOOKBACK_TICKET

layout(local_size_x = GROUP) in;

const uint PER_LANE = LANE_ELEMENTS == 1 ? EACH : 1;
const uint TILE = GROUP * PER_LANE; // lanes of the stream per tile

const uint PATIENCE = 4; // vain looks before the workgroup counts the tile itself
#define TILE_WORD(tile) (LOOKBACK_TILES + (tile))

shared uint ticket;
shared uint row_sums[PER_LANE * (GROUP / 4)]; // per row of a tile and subgroup: a sum

// Number of kept elements of a whole tile. All lanes of the workgroup take part.
uint count_tile(uint tile)
{
    uint n = 0;
    for (uint row = 0; row < PER_LANE; row++) {
        n += bitCount(keep(tile * TILE + row * GROUP + group_lane()));
    }
    group_offset(subgroup_before(n), n);
    return scan_total;
}

#include "lookback.glsl"

void main()
{
    const uint lanes = stream_lanes();
    const uint tile_count = (lanes + TILE - 1) / TILE;
    if (group_lane() == 0) {
        ticket = atomicAdd(blocks[LOOKBACK_TICKET], 1);
    }
    barrier();
    const uint tile = ticket;
    if (tile >= tile_count) {
        return; // a workgroup that only the fold added
    }

    // Count the tile's kept elements. A tile consists of rows of GROUP lanes, so that a subgroup
    // reads and writes neighbouring words.
    const uint first = tile * TILE + group_lane();
    uint masks[PER_LANE], elements[PER_LANE];
    [[unroll]] for (uint row = 0; row < PER_LANE; row++) {
        const uint lane = first + row * GROUP;
        masks[row] = elements[row] = 0;
        if (lane < lanes) {
            masks[row] = keep(lane);
            elements[row] = element(lane);
        }
    }
    uint offsets[PER_LANE];
    if (PER_LANE == 1) {
        const uint n = bitCount(masks[0]);
        offsets[0] = group_offset(ballot_scan(n, LANE_BITS), n);
    } else {
        [[unroll]] for (uint row = 0; row < PER_LANE; row++) {
            const uvec4 kept = subgroup_ballot(masks[row] != 0);
            offsets[row] = subgroupBallotExclusiveBitCount(kept);
            if (gl_SubgroupInvocationID == 0) {
                row_sums[row * gl_NumSubgroups + gl_SubgroupID] = subgroupBallotBitCount(kept);
            }
        }
        barrier();
        const uint sums = PER_LANE * gl_NumSubgroups;
        const uint each = (sums + GROUP - 1) / GROUP;
        const uint mine = group_lane() * each;
        uint n = 0;
        for (uint i = mine; i < min(mine + each, sums); i++) {
            n += row_sums[i];
        }
        uint sum = group_offset(subgroup_before(n), n);
        for (uint i = mine; i < min(mine + each, sums); i++) {
            const uint next = sum + row_sums[i];
            row_sums[i] = sum;
            sum = next;
        }
        barrier();
        [[unroll]] for (uint row = 0; row < PER_LANE; row++) {
            offsets[row] += row_sums[row * gl_NumSubgroups + gl_SubgroupID];
        }
    }
    const uint total = scan_total;
    const uint prefix = look_back_from(tile, total, tile == tile_count - 1);
    [[unroll]] for (uint row = 0; row < PER_LANE; row++) {
        emit(masks[row], elements[row], prefix + offsets[row]);
    }
}
