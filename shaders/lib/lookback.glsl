// Decoupled look-back (Merrill and Garland 2016): a tile publishes its count, then adds up what the tiles
// before it have published, back to one that has published its prefix.
//
// Vulkan does not promise that an earlier tile ever makes progress. So a workgroup that has looked at a tile in
// vain PATIENCE times counts that tile itself and publishes the count (the decoupled fallback of Smith, Levien
// and Owens 2025). It reads the tile's input again, so nobody may write the input meanwhile.
//
// - The word of a tile has 2 bits for its state and 30 bits for a sum. It only grows, by atomicMax, so
//   publishing late or twice does no harm. A single word needs no memory order. 30 bits are enough: there are
//   at most 2^21 bricks and 2^28 words. A volume of 2^30 samples has fewer cells, because no cell starts at the
//   last sample along an axis.
// - The first subgroup looks back; each lane looks at a different tile.
// - A tile that did not find a prefix in its first look publishes the prefix that it has computed for the tile
//   before it. So the distance to a prefix is never much longer than the number of tiles in progress, even if
//   none of the earlier ones has published its own.
//
// The includer declares `blocks`, TILE_WORD(tile), PATIENCE, and count_tile(tile), which counts the kept elements
// of a whole tile and returns the count to all lanes of the workgroup. Its own.drop is that of lookback_own.
#ifndef LIB_LOOKBACK
#define LIB_LOOKBACK

#extension GL_KHR_memory_scope_semantics : require

SHARES(events, BINDING_EVENTS, uint)

// A tile's state: 0: nothing yet; COUNT: its own count; PREFIX: the count up to its end.
const uint KNOWN = 3u << 30, COUNT = 1u << 30, PREFIX = 2u << 30;

const uint NOBODY = 0xffffffffu;

shared uint late, prefix_before;

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
    const uint read = atomicLoad(blocks[TILE_WORD(lane < from ? from - 1 - lane : 0)],
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
    atomicMax(blocks[TILE_WORD(tile)], word);
}

// Publishes the tile's count, `total`, and returns the sum of the counts before the tile. The last tile sets the
// list's length. All lanes of the workgroup take part.
uint look_back_from(uint tile, uint total, bool last)
{
    const bool publishes = own.drop == 0 || tile % own.drop != own.drop - 1;
    if (group_lane() == 0 && publishes) {
        publish(tile, COUNT | total);
    }
    // Look back, by the first subgroup only. The whole workgroup counts a tile that is late.
    uint from = tile, sum = 0, looks = 0, spins = 0, fallbacks = 0;
    bool whole = false;
    while (true) {
        if (gl_SubgroupID == 0) {
            for (uint vain = 0; !whole && vain < PATIENCE;) {
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
        if (last) {
            counter.count = prefix + total;
        }
        if (spins > 0) {
            atomicAdd(events[EVENT_SPINS], spins);
        }
        if (fallbacks > 0) {
            atomicAdd(events[EVENT_FALLBACKS], fallbacks);
        }
    }
    return prefix;
}

#endif
