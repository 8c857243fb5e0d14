#version 460
// Single pass with decoupled look-back (Merrill and Garland 2016): a tile counts its kept elements
// and publishes the count. Then it adds up what the tiles before it have published, back to a tile
// that has published its prefix.
//
// Vulkan does not promise that an earlier tile ever makes progress. So a workgroup that has looked
// at a tile in vain a few times counts that tile itself and publishes the count (the decoupled
// fallback of Smith, Levien and Owens 2025). It reads the tile's input again, so nobody may write
// the input meanwhile.
//
// Where we differ, or decide:
// - Tiles are numbered by a ticket: a tile only looks at tiles that have started.
// - The word of a tile has 2 bits for its state and 30 bits for a sum. It only grows, by atomicMax,
//   so publishing late or twice does no harm. A single word needs no memory order. 30 bits are
//   enough: there are at most 2^21 bricks and 2^28 words. A volume of 2^30 samples has fewer cells,
//   because no cell starts at the last sample along an axis.
// - The first subgroup looks back; each lane looks at a different tile.
// - A tile that did not find a prefix in its first look publishes the prefix that it has computed
//   for the tile before it. So the distance to a prefix is never much longer than the number of
//   tiles in progress, even if none of the earlier ones has published its own.

#include "shaders/shared/lookback.h"
#define OWN lookback_own
#include "stream.glsl"

#extension GL_KHR_memory_scope_semantics : require

SHARES(blocks, BINDING_BLOCKS, uint) // words: see LOOKBACK_TICKET
SHARES(events, BINDING_EVENTS, uint)

layout(local_size_x = GROUP) in;

const uint PER_LANE = LANE_ELEMENTS == 1 ? EACH : 1;
const uint TILE = GROUP * PER_LANE; // lanes of the stream per tile

// A tile's state: 0: nothing yet; COUNT: its own count; PREFIX: the count up to its end.
const uint KNOWN = 3u << 30, COUNT = 1u << 30, PREFIX = 2u << 30;

const uint NOBODY = 0xffffffffu;

shared uint ticket, late, prefix_before;
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

// One look of a subgroup at the tiles before `from`. `tiles`: how many have published without a
// gap. `sum`: the sum of their words. `whole`: the earliest of them has published its prefix.
struct Look {
    uint sum, tiles;
    bool whole;
};

Look look_back(uint from)
{
    // Before tile 0 the prefix is 0. Lanes without a tile read a word that they do not use, so that
    // the subgroup stays converged.
    const uint lane = gl_SubgroupInvocationID;
    const uint read = atomicLoad(blocks[LOOKBACK_TILES + (lane < from ? from - 1 - lane : 0)],
                                 gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    const uint word = lane < from ? read : PREFIX;
    const uvec4 knows = subgroup_ballot((word & KNOWN) == PREFIX);
    const uvec4 silent = subgroup_ballot((word & KNOWN) == 0);
    const uint first_prefix = knows == uvec4(0) ? gl_SubgroupSize : subgroupBallotFindLSB(knows);
    const uint first_silent = silent == uvec4(0) ? gl_SubgroupSize : subgroupBallotFindLSB(silent);
    Look look;
    look.whole = first_prefix < first_silent;
    look.tiles = look.whole ? first_prefix + 1 : first_silent;
    const uint mine = lane < look.tiles ? word & ~KNOWN : 0;
    subgroup_join();
    look.sum = subgroupAdd(mine);
    return look;
}

void publish(uint tile, uint word)
{
    atomicMax(blocks[LOOKBACK_TILES + tile], word);
}

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
    const bool publishes = own.drop == 0 || tile % own.drop != own.drop - 1;
    if (group_lane() == 0 && publishes) {
        publish(tile, COUNT | total);
    }

    // Look back, by the first subgroup only. The whole workgroup counts a tile that is late.
    uint from = tile, sum = 0, looks = 0, spins = 0, fallbacks = 0;
    bool whole = false;
    while (true) {
        if (gl_SubgroupID == 0) {
            for (uint vain = 0; !whole && vain < own.patience;) {
                const Look look = look_back(from);
                sum += look.sum;
                from -= min(look.tiles, from);
                whole = look.whole;
                vain = look.tiles == 0 ? vain + 1 : 0;
                spins += uint(look.tiles == 0);
                looks += uint(look.tiles != 0);
            }
            if (gl_SubgroupInvocationID == 0) {
                late = whole ? NOBODY : from - 1;
                prefix_before = sum;
            }
        }
        barrier();
        const uint helped = late;
        if (helped == NOBODY) {
            break;
        }
        const uint count = count_tile(helped);
        if (group_lane() == 0) {
            publish(helped, COUNT | count);
            fallbacks++;
        }
        barrier();
    }
    const uint prefix = prefix_before;
    if (group_lane() == 0) {
        if (publishes) {
            publish(tile, PREFIX | prefix + total);
        }
        if (looks > 1) {
            publish(tile - 1, PREFIX | prefix);
        }
        if (tile == tile_count - 1) {
            counter.count = prefix + total;
        }
        if (spins > 0) {
            atomicAdd(events[EVENT_SPINS], spins);
        }
        if (fallbacks > 0) {
            atomicAdd(events[EVENT_FALLBACKS], fallbacks);
        }
    }
    [[unroll]] for (uint row = 0; row < PER_LANE; row++) {
        emit(masks[row], elements[row], prefix + offsets[row]);
    }
}
