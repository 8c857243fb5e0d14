#version 460
// Casts a ray per pixel: over coarse and fine cubes that the isovalue misses (hierarchical
// skipping), then from cell to cell (a digital differential analyser), to the first place where the
// side changes.

#include "cubes.glsl"
#include "hits.glsl"
#include "march.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

// Goes on to the cell beyond the nearest of these planes, which are met at `times`. The cell's other
// coordinates are from `low` to below `high`.
void leave(inout Walk walk, Ray ray, vec3 times, vec3 low, vec3 high, float end)
{
    const float t = least_of(times);
    const bvec3 crossed = equal(times, vec3(t));
    const vec3 beside = cell_at(ray, t, low, high);
    walk.ended = walk.ended || t >= end;
    walk.cell = mix(beside, mix(low - 1.0, high, ray.up), crossed);
    walk.t = t;
}

// Passes the cubes that the isovalue misses.
void skip_cubes(inout Walk walk, Ray ray, float end, uint most, uint least)
{
    const float fine = float(1u << CUBE_SHIFT), coarse = float(4u << CUBE_SHIFT);
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        const uvec3 cell = uvec3(walk.cell);
        if (fine_cube_counts(cell, most, least)) {
            break;
        }
        const float side = mix(coarse, fine, coarse_cube_counts(cell, most, least));
        const vec3 low = floor(walk.cell / side) * side, high = min(low + side, LAST);
        leave(walk, ray, plane_times(ray, mix(low, high, ray.up)), low, high, end);
    }
}

// The hit of a ray, see CAST_BACK.
uvec2 cast_ray(Ray ray, float begin, Iso iso, uint most, uint least, inout Walk walk)
{
    const float end = ray_end(ray), side = float(1u << CUBE_SHIFT);
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
    walk.t = ray_begin(ray, begin);
    walk.ended = !(walk.t < end);
    walk.cell = cell_at(ray, walk.t, vec3(0.0), LAST);
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        skip_cubes(walk, ray, end, most, least);
        if (pass_cells(walk, ray, end, iso.key, floor(walk.cell / side), side)) {
            search_cell(walk, ray, end, iso, hit);
        }
    }
    return hit;
}

void main()
{
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const bool there = pixel.x < push.width && pixel.y < push.height;
    Walk walk = Walk(vec3(0.0), 0.0, there ? 0 : CAST_TURNS, false);
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
    if (there) {
        const Iso iso = Iso(push.key, push.iso_key, push.iso_high, push.iso_low, push.iso_exponent);
        hit = cast_ray(ray_of_pixel(push, pixel), push.begin, iso, push.cubes_most, push.cubes_least, walk);
    }
    store_hit(there, pixel.y * push.width + pixel.x, hit, walk.ended);
}
