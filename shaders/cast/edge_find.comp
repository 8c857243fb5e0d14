#version 460
// Lists the pixels at edges: where a ray and one of its neighbours do not both hit the same surface from
// the same side. The pixels of the cast's border are not listed, they are neighbours only.

#include "append.glsl"
#include "ray.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

READS(hits, BINDING_HITS, uvec2)
READS(tiles, BINDING_TILES, uint)
READS(points, BINDING_POINTS, vec3)
WRITES(edges, BINDING_EDGES_LIST, uint)
COUNTER(edge_counts, BINDING_EDGES_COUNTER)

bool differ(uint at, uint next)
{
    const uint a = hits[at].y, b = hits[next].y;
    if (a == CAST_NOTHING || b == CAST_NOTHING) {
        return a != b;
    }
    const vec3 way = points[2 * next] - points[2 * at];
    const float off = abs(dot(way, points[2 * at + 1])), back = abs(dot(way, points[2 * next + 1]));
    return ((a ^ b) & CAST_BACK) != 0 || min(off, back) > EDGE_APART;
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
    bool edge = false;
    if (tile_has_hits(gl_WorkGroupID.xy) && all(greaterThan(pixel, uvec2(0))) &&
        all(lessThan(pixel + 1, uvec2(push.width, push.height)))) {
        edge = differ(at, at - 1) || differ(at, at + 1) || differ(at, at - push.width) ||
               differ(at, at + push.width);
    }
    const uvec4 ballot = subgroup_ballot(edge);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(edge_counts, sum, first)
    if (edge && first + before < edge_counts.capacity) {
        edges[first + before] = at;
    }
}
