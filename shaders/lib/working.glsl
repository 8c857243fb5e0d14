// Streams whose keep_if(lane) also does work: it moves the lane's ray on before it tells whether to
// keep it. So it is called once per lane. Built for one of
//
//   STREAM_PIXELS     the pixels of a cast, tile after tile; keeps those whose rays meet the volume
//   STREAM_MARCH      the rays of a list; keeps those that neither hit nor leave the volume in
//                     their next CAST_CELLS cells that have samples on both sides
//   STREAM_TRAVERSE   the rays of a list; keeps those that reach a leaf of the boxes
//   STREAM_LAYERS     the rays of a list, each with a hit in its colour; adds the colours, and keeps the rays that
//                     meet another contour behind the hit, if the layers so far let light through
//   STREAM_INTERSECT  the rays of a list, each in a leaf; keeps those that hit neither in it nor in
//                     the leaves that come next on their stack, and then have a node on the stack
//
// The state of a ray moves with the list. A kernel stores each ray that goes on at the number of its
// lane, and these numbers are the elements of the list that it makes. So the next kernel finds what it
// reads close together, and compaction moves one word per ray. The state is the number of the pixel, t
// where the ray enters its cell, and the cell. Among boxes it is the pixel, the height of the stack,
// and the leaf, BVH_NONE between leaves, or a cell before the ray begins. The stack stays at the pixel.
//
// Where rays end with hits, the kernel has two outputs: the rays that go on, KEPT_ON in what
// keep_if returns, and the hits, KEPT_HIT: see lib/outputs.glsl.
#ifndef LIB_WORKING
#define LIB_WORKING

#include "contours.glsl"
#include "hits.glsl"
#ifdef STREAM_LAYERS
#include "mask_walk.glsl"
#else
#include "walk.glsl"
#endif

const uint LANE_ELEMENTS = 1, LANE_BITS = 1, KEPT_ON = 1, KEPT_HIT = 2;

WRITES(list, BINDING_LIST, uint)
WRITES(next_rays, BINDING_NEXT_RAYS, uvec4)
COUNTER(words_counter, BINDING_WORDS_COUNTER)

uint stream_lanes()
{
    return list_length(words_counter);
}

#ifndef STREAM_LAYERS

uint element(uint lane)
{
    return lane;
}

#endif

void put_ray(uint lane, uint pixel, uvec2 state)
{
    next_rays[lane] = uvec4(pixel, state, 0);
}

#ifdef STREAM_PIXELS

// Pixel number `i` of a cast. Tiles follow each other along x, then y. Tiles at the right and lower
// borders may be smaller.
uvec2 pixel_of(uint i)
{
    const uint strip = i / (CAST_TILE * own.width); // a row of tiles
    const uint in_strip = i - strip * CAST_TILE * own.width;
    const uint height = min(own.height - strip * CAST_TILE, uint(CAST_TILE));
    const uint tile = in_strip / (CAST_TILE * height);
    const uint in_tile = in_strip - tile * CAST_TILE * height;
    const uint width = min(own.width - tile * CAST_TILE, uint(CAST_TILE));
    const bool whole = width == CAST_TILE && height == CAST_TILE;
    const uvec2 at = whole ? pixel_in_tile(in_tile) : uvec2(in_tile % width, in_tile / width);
    return uvec2(tile, strip) * CAST_TILE + at;
}

uint keep_if(uint lane, bool there)
{
    bool meets = false;
    if (there) {
        const uvec2 pixel = pixel_of(lane);
        const Ray ray = ray_of_pixel(own, pixel);
        const Walk walk = walk_begin(ray, own.begin, search_end(ray));
        const uint at = pixel.y * own.width + pixel.x;
        meets = !walk.ended;
        if (meets) {
            put_ray(lane, at, hit_of(walk.t, walk.cell, false));
        } else {
            hits[at] = uvec2(CAST_NOTHING);
        }
    }
    return uint(meets);
}

#endif
#ifndef STREAM_PIXELS

// Cells, or leaves, that a ray searches; for leaves 1 in a round. 0xffffffff: to the ray's end.
layout(constant_id = CONSTANT_CAST_CELLS) const uint CAST_CELLS = 1;
FETCHES(words, BINDING_WORDS)
FETCHES(rays, BINDING_RAYS)

cast_contour contour = contours.list[own.contour];

// The lane's ray: its pixel and its state.
uvec3 take_ray(uint lane)
{
    return texelFetch(rays, int(texelFetch(words, int(lane)).x)).xyz;
}

uint pixel_of_ray(uint lane)
{
    return take_ray(lane).x;
}

Ray ray_of(uint at)
{
    return ray_of_pixel(own, uvec2(at % own.width, at / own.width));
}

// Stores the hit of a ray that ends; CAST_NOTHING if it has none. `bound`: the ray's loops have reached
// their limit. Returns what keep_if does.
uint store_end(bool ends, uint at, uvec2 hit, bool bound)
{
    if (ends) {
        hits[at] = hit;
    }
    if (bound) {
        atomicAdd(hit_counts.spare, 1);
    }
    const bool has = ends && hit.y != CAST_NOTHING;
    if (has) {
        const uvec2 tile = uvec2(at % own.width, at / own.width) / CAST_TILE;
        tiles[tile.y * ((own.width - 1) / CAST_TILE + 1) + tile.x] = 1; // others may write the same
    }
    return has ? KEPT_HIT : 0;
}

#endif
#ifdef STREAM_MARCH

uint keep_if(uint lane, bool there)
{
    uint at = 0;
    uvec2 hit = uvec2(CAST_NOTHING);
    bool on = false, bound = false;
    if (there) {
        const uvec3 taken = take_ray(lane);
        at = taken.x;
        const Ray ray = ray_of(at);
        Walk walk = Walk(vec3(cell_of_hit(taken.z)), uintBitsToFloat(taken.y), 0, false);
        hit = walk_on(walk, ray, search_end(ray), contour, CAST_CELLS);
        bound = walk.turns >= CAST_TURNS && !walk.ended;
        on = !walk.ended && !bound;
        if (on) {
            put_ray(lane, at, hit_of(walk.t, walk.cell, false));
        }
    }
    return on ? KEPT_ON : store_end(there, at, hit, bound);
}

#endif
#ifdef STREAM_LAYERS

#include "caps.glsl"
#include "light.glsl"
#include "numbered.glsl"

BUFFER(, own_hits, BINDING_HITS, uvec2) // a lane accesses only its ray's; so in the next two
BUFFER(restrict, colours, BINDING_COLOURS, uvec2)
BUFFER(restrict, sums, BINDING_NEXT_RAYS, uint) // LAYERS_WORDS for each ray

uint element(uint lane)
{
    return texelFetch(words, int(lane)).x;
}

// The hit behind a hit. `number`: that of its crossing in its cell, before and after.
uvec2 hit_behind(Ray ray, uvec2 hit, inout uint number, inout Walk walk)
{
    const vec3 cell = vec3(cell_of_hit(hit.y)), far = mix(vec3(0.0), vec3(1.0), ray.up);
    const Way way = way_of(ray);
    Found found = found_nothing(least_of(plane_times(ray, cell + far)), true);
    walk.cell = vec3(ivec3(uvec3(cell) ^ way.mirror));
    walk.t = max(ray_begin(ray, own.begin), greatest_of(plane_times(ray, cell + 1.0 - far)));
    walk.leave = walk.t; // the fine cube's mask is not known
    walk.end = search_end(ray);
    const Crossing at = Crossing(uintBitsToFloat(hit.x), contour_of_hit(hit.y), 0, number);
    const uvec2 behind = cast_on(way, contour.iso, walk, found, at);
    number = max(found.crossing.number, 1);
    return behind;
}

// Where the first section after `from` is; NEVER: nowhere.
float section_after(Ray ray, float from)
{
    float first = NEVER;
    for (uint i = 0; i < contours.section_count; i++) {
        const float t = plane_time(ray, contours.sections[i]);
        first = t > from ? min(first, t) : first;
    }
    return first;
}

uint keep_if(uint lane, bool there)
{
    bool on = false, walks = false;
    uint at = 0, sum = 0, number = 0, seen = 0;
    uvec2 hit = uvec2(0);
    float left = 0.0, opacity = 0.0;
    if (there) {
        at = element(lane);
        sum = LAYERS_WORDS * at;
        hit = own_hits[at];
        opacity = contours.opacity[contour_of_hit(hit.y)];
        left = (1.0 - uintBitsToFloat(sums[sum + 3])) * (1.0 - opacity);
        walks = left >= LAYERS_LEAST;
        const uint before = sums[sum + LAYERS_MET], kind = hit.y >> CELL_BITS;
        seen = ((before & ~3u) + kind + 1) * 0x9e3779b1u & ~3u;
        number = (before & 3u) + 1;
    }
    Walk walk = walk_nowhere();
    uvec2 behind = uvec2(CAST_NOTHING);
    if (walks) {
        float section = NEVER;
        uvec2 cap = behind;
        if (contours.section_count != 0) {
            section = section_after(ray_numbered(own, at), uintBitsToFloat(hit.x));
        }
        if (CAST_CAPS) {
            cap = cap_before(ray_numbered(own, at), own.begin, hit.x, cap);
        }
        behind = hit_behind(ray_numbered(own, at), hit, number, walk);
        if (cap.y != CAST_NOTHING && !(uintBitsToFloat(behind.x) < uintBitsToFloat(cap.x))) {
            behind = cap;
            number = 1;
        }
        on = behind.y != CAST_NOTHING && uintBitsToFloat(behind.x) <= section;
    }
    // The colours are read after the search: read before it, they would take registers in its loops.
    vec3 light = vec3(0.0);
    uvec2 colour = uvec2(0);
    if (there) {
        colour = colours[at];
        light = uintBitsToFloat(uvec3(sums[sum], sums[sum + 1], sums[sum + 2]));
        light += (1.0 - uintBitsToFloat(sums[sum + 3])) * opacity * colour_unpacked(colour.x);
    }
    if (on) {
        own_hits[at] = behind;
        sums[sum] = floatBitsToUint(light.x);
        sums[sum + 1] = floatBitsToUint(light.y);
        sums[sum + 2] = floatBitsToUint(light.z);
        sums[sum + 3] = floatBitsToUint(1.0 - left);
    } else if (there) {
        const float all = left < LAYERS_LEAST ? 1.0 : 1.0 - left;
        colours[at] = colour_of_layers(light / (1.0 - left), all, colour_depth(colour));
    }
    if (there) {
        sums[sum + LAYERS_MET] = seen | (number - 1);
    }
    if (walk.turns >= CAST_TURNS) {
        atomicAdd(hit_counts.spare, 1);
    }
    return uint(on);
}

#endif
#if defined(STREAM_TRAVERSE) || defined(STREAM_INTERSECT)

BUFFER(restrict, stacks, BINDING_STACKS, uint) // by height, then by ray; a lane accesses only its ray's
uint stack_ray;

uint stack_entry(uint height)
{
    return stacks[height * own.width * own.height + stack_ray];
}

void put_stack_entry(uint height, uint entry)
{
    stacks[height * own.width * own.height + stack_ray] = entry;
}

#include "bvh.glsl"

// Goes on to the next leaf, and stores it in state.y. Returns whether there is one.
bool reach_leaf(Ray ray, float begin, float end, inout uvec2 state, inout uint turns)
{
    if (state.y < BVH_LEAF) {
        state.x = bvh_begin(begin, end);
    }
    state.y = bvh_traverse(ray, begin, end, state.x, turns);
    return state.y != BVH_NONE;
}

#endif
#ifdef STREAM_TRAVERSE

uint keep_if(uint lane, bool there)
{
    bool on = false;
    if (there) {
        const uvec3 taken = take_ray(lane);
        const uint at = taken.x;
        const Ray ray = ray_of(at);
        uvec2 state = taken.yz;
        uint turns = 0;
        stack_ray = at;
        on = reach_leaf(ray, search_begin(ray, own.begin), search_end(ray), state, turns);
        if (on) {
            put_ray(lane, at, state);
        } else {
            hits[at] = uvec2(CAST_NOTHING);
        }
        if (turns >= CAST_TURNS) {
            atomicAdd(hit_counts.spare, 1);
        }
    }
    return uint(on);
}

#endif
#ifdef STREAM_INTERSECT

uint keep_if(uint lane, bool there)
{
    uint at = 0;
    uvec2 hit = uvec2(CAST_NOTHING);
    bool on = false, bound = false;
    if (there) {
        const uvec3 taken = take_ray(lane);
        at = taken.x;
        const Ray ray = ray_of(at);
        const float begin = search_begin(ray, own.begin), end = search_end(ray);
        uvec2 state = taken.yz;
        Walk walk = Walk(vec3(0.0), 0.0, 0, false);
        Found found = found_nothing();
        stack_ray = at;
        // In the tail a ray goes from leaf to leaf. Its list is one for STREAM_TRAVERSE.
        for (uint i = 0; i < CAST_CELLS && walk.turns < CAST_TURNS && !walk.ended; i++) {
            if (CAST_CELLS > 1 && !reach_leaf(ray, begin, end, state, walk.turns)) {
                walk.ended = walk.turns < CAST_TURNS;
            } else {
                bvh_intersect(walk, ray, begin, end, contour.iso, state.y, state.x, found);
                state.y = BVH_NONE;
            }
        }
        hit = hit_found(walk, found);
        bound = walk.turns >= CAST_TURNS && !walk.ended;
        on = !walk.ended && !bound;
        if (on) {
            put_ray(lane, at, state);
        }
    }
    return on ? KEPT_ON : store_end(there, at, hit, bound);
}

#endif

#endif
