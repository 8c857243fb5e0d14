// How a ray goes through the volume: over coarse and fine cubes that the isovalue misses (hierarchical
// skipping), then from cell to cell (a digital differential analyser), to the first place where the
// side changes.
#ifndef LIB_WALK
#define LIB_WALK

#include "cubes.glsl"
#include "march.glsl"

// Goes on to the cell beyond the nearest plane. `times`: when the ray meets the planes. The other
// coordinates of the cell are from `low` to below `high`.
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
void skip_cubes(inout Walk walk, Ray ray, float end, cast_contour contour)
{
    const float fine = float(1u << CUBE_SHIFT), coarse = float(4u << CUBE_SHIFT);
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        const uvec3 cell = uvec3(walk.cell);
        if (fine_cube_counts(cell, contour)) {
            break;
        }
        const float side = mix(coarse, fine, coarse_cube_counts(cell, contour));
        const vec3 low = floor(walk.cell / side) * side, high = min(low + side, LAST);
        leave(walk, ray, plane_times(ray, mix(low, high, ray.up)), low, high, end);
    }
}

Walk walk_begin(Ray ray, float begin, float end)
{
    const float t = search_begin(ray, begin);
    return Walk(cell_at(ray, t, vec3(0.0), LAST), t, 0, !(t < end));
}

// Goes on until the ray has ended, its loops have reached their limit, or `cells` cells with samples
// on both sides were searched. Returns the hit, or twice CAST_NOTHING.
uvec2 walk_on(inout Walk walk, Ray ray, float end, cast_contour contour, uint cells)
{
    const float side = float(1u << CUBE_SHIFT);
    Found found = found_nothing();
    for (; walk.turns < CAST_TURNS && !walk.ended && cells > 0; walk.turns++) {
        skip_cubes(walk, ray, end, contour);
        if (pass_cells(walk, ray, end, contour.iso.key, floor(walk.cell / side), side)) {
            search_cell(walk, ray, end, contour.iso, found);
            cells--;
        }
    }
    return hit_found(walk, found);
}

#endif
