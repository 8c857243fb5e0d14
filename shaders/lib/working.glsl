// Streams whose keep_if(lane) does work, besides telling whether the lane's ray goes on: so it comes
// once per lane. Built for one of
//
//   STREAM_PIXELS   the pixels of a cast, tile after tile; kept are those whose rays meet the volume
//   STREAM_MARCH    the rays of a list; kept are those that neither hit nor leave the volume in
//                   their next CAST_CELLS cells that have samples on both sides
//
// A ray is the number of its pixel. Its state is kept in place of its hit: when it enters its cell,
// and the cell.
#ifndef LIB_WORKING
#define LIB_WORKING

#include "hits.glsl"
#include "walk.glsl"

const uint LANE_ELEMENTS = 1, LANE_BITS = 1;

WRITES(list, BINDING_LIST, uint)
COUNTER(words_counter, BINDING_WORDS_COUNTER)

uint stream_lanes()
{
    return list_length(words_counter);
}

#ifdef STREAM_PIXELS

// Pixel `i` of those of a cast: tiles follow each other along x, then y. Those on the right and lower
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

uint element(uint lane)
{
    const uvec2 pixel = pixel_of(lane);
    return pixel.y * own.width + pixel.x;
}

uint keep_if(uint lane, bool there)
{
    bool meets = false;
    if (there) {
        const uvec2 pixel = pixel_of(lane);
        const Ray ray = ray_of_pixel(own, pixel);
        const Walk walk = walk_begin(ray, own.begin, ray_end(ray));
        meets = !walk.ended;
        hits[pixel.y * own.width + pixel.x] =
            meets ? hit_of(walk.t, walk.cell, false) : uvec2(CAST_MISS, CAST_NOTHING);
    }
    return uint(meets);
}

#endif
#ifdef STREAM_MARCH

layout(constant_id = CONSTANT_CAST_CELLS) const uint CAST_CELLS = 1;
FETCHES(words, BINDING_WORDS)

uint element(uint lane)
{
    return texelFetch(words, int(lane)).x;
}

// All lanes of the workgroup take part.
uint keep_if(uint lane, bool there)
{
    uint at = 0;
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
    bool on = false;
    if (there) {
        at = element(lane);
        const uvec2 pixel = uvec2(at % own.width, at / own.width);
        const Ray ray = ray_of_pixel(own, pixel);
        const uvec2 state = hits[at];
        Walk walk = Walk(vec3(cell_of_hit(state.y)), uintBitsToFloat(state.x), 0, false);
        hit = walk_on(walk, ray, ray_end(ray), own, CAST_CELLS);
        const bool bound = walk.turns >= CAST_TURNS && !walk.ended;
        on = !walk.ended && !bound;
        hits[at] = on ? hit_of(walk.t, walk.cell, false) : hit;
        if (bound) {
            atomicAdd(hit_counts.spare, 1);
        }
        if (hit.y != CAST_NOTHING) {
            const uvec2 tile = pixel / CAST_TILE;
            tiles[tile.y * ((own.width - 1) / CAST_TILE + 1) + tile.x] = 1; // as others may do, too
        }
    }
    list_hit(hit.y != CAST_NOTHING, at);
    return uint(on);
}

#endif

#endif
