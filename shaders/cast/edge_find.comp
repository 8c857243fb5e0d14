#version 460
// Lists the pixels at edges: where a ray and one of its neighbours do not both hit the same surface from
// the same side. On one surface three hits in a row are nearly on a line. The pixels of the cast's border are not listed, they are neighbours only.

#include "append.glsl"
#include "ray.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

READS(hits, BINDING_HITS, uvec2)
READS(tiles, BINDING_TILES, uint)
WRITES(edges, BINDING_EDGES_LIST, uint)
COUNTER(edge_counts, BINDING_EDGES_COUNTER) // `spare`: hits of the border

// Whether the middle one of three pixels in a row is at an edge. `unit`: of t in cells.
bool edge_between(uvec2 before, uvec2 at, uvec2 after, float unit)
{
    const bvec3 none = equal(uvec3(before.y, at.y, after.y), uvec3(CAST_NOTHING));
    const float apart = uintBitsToFloat(before.x) + uintBitsToFloat(after.x) - 2.0 * uintBitsToFloat(at.x);
    const bool sides = ((before.y ^ at.y | after.y ^ at.y) & CAST_BACK) != 0;
    return !all(none) && (any(none) || sides || abs(apart) * unit > EDGE_APART);
}

// Whether the tile has a hit, or its neighbour beyond the border.
bool tile_has_hits(uvec2 tile)
{
    const uvec2 count = (uvec2(push.width, push.height) - 1) / CAST_TILE + 1;
    const uvec2 low = max(tile, uvec2(1)) - 1, high = min(tile + 1, count - 1);
    bool has = false;
    for (uint y = low.y; y <= high.y; y++) {
        for (uint x = low.x; x <= high.x; x++) {
            has = has || tiles[y * count.x + x] != 0;
        }
    }
    return has;
}

void main()
{
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const uint at = pixel.y * push.width + pixel.x;
    const uvec2 last = uvec2(push.width, push.height) - 1;
    const bool within = all(greaterThan(pixel, uvec2(0))) && all(lessThan(pixel, last));
    const bool has_hits = tile_has_hits(gl_WorkGroupID.xy);
    bool edge = false;
    if (has_hits && within) {
        const float unit = length(ray_of_pixel(push, pixel).direction);
        const uvec2 hit = hits[at];
        edge = edge_between(hits[at - 1], hit, hits[at + 1], unit) ||
               edge_between(hits[at - push.width], hit, hits[at + push.width], unit);
    }
    if (has_hits && !within && all(lessThanEqual(pixel, last)) && hits[at].y != CAST_NOTHING) {
        atomicAdd(edge_counts.spare, 1);
    }
    const uvec4 ballot = subgroup_ballot(edge);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(edge_counts, sum, first)
    if (edge && first + before < edge_counts.capacity) {
        edges[first + before] = at;
    }
}
