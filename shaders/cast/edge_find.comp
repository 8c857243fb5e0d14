#version 460
// Finds the pixels at edges, in the squares that may see the surface, and lists their samples that get a ray. A
// pixel is at an edge if it and one of its four neighbours do not both hit the same surface from the same side.
// The samples on the side of such a neighbour get a ray; the others get what the pixel's centre has. The rays
// begin EDGE_BEFORE cells or more before the nearest of the five hits, so they miss any surface before that. If
// one of the five pixels has no hit, the picture's background is probably there: the rays end EDGE_BEFORE cells
// or more behind the farthest hit. Pixels of the cast's border get no samples, they only serve as neighbours.
// With THROUGH_LAYERS, a ray went through several layers and its hit is in the last one. A pixel is then also at an
// edge if its ray and a neighbour's ray met other contours, or other sides of them, on their ways. The rays of its
// samples go through the whole surface.

#include "append.glsl"
#include "cast_texels.glsl"
#include "ray.glsl"
#include "sample_places.glsl"
#include "squares.glsl"

layout(local_size_x_id = CONSTANT_CAST_LANES) in;
layout(push_constant, scalar) uniform Push
{
    cast_push pushed;
};

READS(hits, BINDING_HITS, uvec2)
FETCHES(hits_texels, BINDING_HITS)
WRITES(edges, BINDING_EDGES_LIST, uvec2)
RAISED_COUNTER(edge_counts, BINDING_EDGES_COUNTER)
#ifndef THROUGH_LAYERS
RAISED_COUNTER(hit_counts, BINDING_HIT_COUNTS) // complete; with FOLDS, shade.comp has lanes for samples, too
#endif
#ifdef THROUGH_LAYERS
READS(sums, BINDING_NEXT_RAYS, uint) // LAYERS_WORDS for each pixel
#endif

const float FAR = 3e38;
#ifdef THROUGH_LAYERS
const uint KIND = ~3u;
#else
const uint KIND = ~CELL_MASK; // the bits of a hit's second word in which two surfaces or sides differ
#endif

uvec2 hit_at(uint pixel)
{
    uvec2 hit = CAST_TEXELS != 0 ? texelFetch(hits_texels, int(pixel)).xy : hits[pixel];
#ifdef THROUGH_LAYERS
    hit.y = hit.y == CAST_NOTHING ? CAST_NOTHING : sums[LAYERS_WORDS * pixel + LAYERS_MET];
#endif
    return hit;
}

// Whether a pixel differs from the pixel before it, and from the pixel after it. If all three hit the same
// surface, their t are nearly on a straight line. If not, the pixel differs from the neighbour to which t
// changes more. `unit`: the length in cells of a step of t by 1.
bvec2 differs(uvec2 before, uvec2 at, uvec2 after, float unit)
{
    const bvec3 none = equal(uvec3(before.y, at.y, after.y), uvec3(CAST_NOTHING));
    bvec2 other = notEqual(none.xz, none.yy);
    if (!none.y) {
        const vec2 t = uintBitsToFloat(uvec2(before.x, after.x)) - uintBitsToFloat(at.x);
        const vec2 apart = abs(t) * unit;
        const bool both = !none.x && !none.z;
        const vec2 least = both ? max(vec2(EDGE_APART), apart.yx * 0.5) : vec2(4.0 * EDGE_APART);
        const bool bends = !both || abs(t.x + t.y) * unit > EDGE_APART;
        other.x = other.x || bends && apart.x > least.x || ((before.y ^ at.y) & KIND) != 0;
        other.y = other.y || bends && apart.y > least.y || ((after.y ^ at.y) & KIND) != 0;
    }
    return other;
}

// Where the rays of a pixel's samples begin, as bits of EDGE_BEGIN, and how far they go (EDGE_REACH).
uint way_beside(uvec2 hits[5], float unit)
{
    float nearest = FAR, farthest = -FAR;
    bool open = false;
    [[unroll]] for (uint i = 0; i < 5; i++) {
        const bool none = hits[i].y == CAST_NOTHING;
        const float t = uintBitsToFloat(hits[i].x);
        nearest = min(nearest, mix(t, FAR, none));
        farthest = max(farthest, mix(t, -FAR, none));
        open = open || none;
    }
    // Rounds down. If the number is negative, its upper bits alone would be a later t.
    const uint bits = floatBitsToUint(nearest - EDGE_BEFORE / unit);
    const uint begin = bits + (bits >> 31) * ~EDGE_BEGIN & EDGE_BEGIN;
    const float behind = (farthest - uintBitsToFloat(begin)) * unit / EDGE_BEFORE + 1.0;
    const uint doubled = uint(findMSB(uint(clamp(behind, 1.0, 1e6)))) + 1;
    return begin | (open ? min(doubled, EDGE_TO_END) : EDGE_TO_END) << EDGE_REACH;
}

// The samples that get a ray, as bits. across, down: the neighbours in x, and in y, that the pixel differs
// from.
uint samples_beside(bvec2 across, bvec2 down)
{
    uint among = 0;
    for (uint i = 0; i < SAMPLES; i++) {
        const bvec2 beyond = greaterThan(sample_place(i), uvec2(8));
        const bool beside = (beyond.x ? across.y : across.x) || (beyond.y ? down.y : down.x);
        among |= uint(beside) << i;
    }
    return among;
}

void main()
{
    const cast_push push = pushed; // read before any branch, see shaders/README.md
    const uint capacity = edge_counts.capacity;
    uvec2 pixel;
    const bool there = pixel_of_lane(push.width, push.height, pixel);
    const uint at = pixel.y * push.width + pixel.x;
    const uvec2 size = uvec2(push.width, push.height);
    const uint border = push.border & ~CAST_BY_PIXEL;
    const bool within = there && all(greaterThanEqual(pixel, uvec2(border))) &&
                        all(lessThan(pixel + border, size));
    uint among = 0;
    uint way = 0;
    if (within) {
        const float unit = length(ray_of_pixel(push, pixel).direction);
        const uvec2 hit = hit_at(at), left = hit_at(at - 1), right = hit_at(at + 1);
        const uvec2 above = hit_at(at - push.width), below = hit_at(at + push.width);
        among = samples_beside(differs(left, hit, right, unit), differs(above, hit, below, unit));
#ifdef THROUGH_LAYERS
        way = floatBitsToUint(-FAR) & EDGE_BEGIN | EDGE_TO_END << EDGE_REACH;
#else
        way = way_beside(uvec2[5](hit, left, right, above, below), unit);
#endif
    }
    // The samples of a pixel are stored one after the other.
    const uint own = bitCount(among), before = subgroup_before(own);
    const uint sum = subgroupBroadcast(before + own, gl_SubgroupSize - 1);
    uint first;
    APPEND(edge_counts, sum, first)
    const uint listed = min(first, capacity), raised = min(RAISED_SUM(sum), capacity - listed);
    RAISE_BOTH(edge_counts, listed, raised)
#ifndef THROUGH_LAYERS
    if (FOLDS != 0) {
        RAISE(hit_counts, 0, hit_counts.count + listed, raised)
    }
#endif
    first += before;
    // If the list is full, the last samples get no ray: they get what the centre has.
    const uint room = capacity - min(first, capacity);
    while (bitCount(among) > room) {
        among &= ~(1u << findMSB(among));
    }
    if (among != 0) {
        uint left = among;
        do {
            edges[first++] = uvec2(at, way | uint(findLSB(left)) << EDGE_SAMPLE | among);
            left &= left - 1;
        } while (left != 0);
    }
}
