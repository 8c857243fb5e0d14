// What a cast stores for a pixel: its hit, its entry in the list of hits, and the mark on its tile.
#ifndef LIB_HITS
#define LIB_HITS

#include "append.glsl"
#include "ray.glsl"
#include "shaders/shared/casting.h"

WRITES(hits, BINDING_HITS, uvec2)
WRITES(hit_list, BINDING_HIT_LIST, uint)
WRITES(tiles, BINDING_TILES, uint)
RAISED_COUNTER(hit_counts, BINDING_HIT_COUNTS) // `spare`: number of rays whose loops reached their limit

// Appends pixel number `at` to the list of hits if the lane `has` a hit. All lanes of the workgroup
// take part. Returns whether the subgroup has a hit.
bool list_hit(bool has, uint at)
{
    const uvec4 ballot = subgroup_ballot(has);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(hit_counts, sum, first)
    RAISE_BOTH(hit_counts, first, RAISED_SUM(sum))
    if (has) {
        hit_list[first + before] = at;
    }
    return sum > 0;
}

// Stores the hit of pixel number `at`, if the lane has a pixel (`there`). If the ray has not `ended`,
// its loops have reached their limit, and it is counted. All lanes of the tile must call it.
void store_hit(bool there, uint at, uvec2 hit, bool ended)
{
    if (there) {
        hits[at] = hit;
    }
    if (there && !ended) {
        atomicAdd(hit_counts.spare, 1);
    }
    const bool any = list_hit(hit.y != CAST_NOTHING, at);
    if (any && gl_SubgroupInvocationID == 0) {
        tiles[folded_group()] = 1; // other subgroups of the tile may write the same
    }
}

#endif
