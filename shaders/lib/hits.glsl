// What a cast leaves of each pixel: its hit, its place in the list of hits, and its mark on the
// tile.
#ifndef LIB_HITS
#define LIB_HITS

#include "append.glsl"
#include "shaders/shared/casting.h"

WRITES(hits, BINDING_HITS, uvec2)
WRITES(hit_list, BINDING_HIT_LIST, uint)
WRITES(tiles, BINDING_TILES, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS) // `spare`: rays whose loops met their bound

// The lane's pixel in its tile: subgroups have small squares, or two of them.
uvec2 pixel_in_tile(uint lane)
{
    return uvec2(lane & 3 | lane >> 2 & 4 | lane >> 3 & 8, lane >> 2 & 3 | lane >> 3 & 4 | lane >> 4 & 8);
}

// Stores the hit of pixel number `at`, if `there` is one. Its ray has `ended`, or its loops met
// their bound. All lanes of the tile take part.
void store_hit(bool there, uint at, uvec2 hit, bool ended)
{
    if (there) {
        hits[at] = hit;
    }
    if (there && !ended) {
        atomicAdd(hit_counts.spare, 1);
    }
    const bool has = hit.y != CAST_NOTHING;
    const uvec4 ballot = subgroup_ballot(has);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    if (sum > 0 && gl_SubgroupInvocationID == 0) {
        tiles[folded_group()] = 1; // as other subgroups of the tile may do, too
    }
    uint first;
    APPEND(hit_counts, sum, first)
    if (has) {
        hit_list[first + before] = at;
    }
}

#endif
