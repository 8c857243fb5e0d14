// The way of a ray over what the isovalue meets (cell_masks.glsl). The ray goes over fine cubes, or over
// coarse ones where the isovalue meets none of their fine cubes (hierarchical skipping). In a fine cube
// that it meets the ray goes from cell to cell (a digital differential analyser), to the first one
// where the side changes along the ray. Samples are read for active cells alone.
//
// A processor that draws does for all lanes of a subgroup what one of them needs, but for loops that
// none of them is in. So there is a loop over cubes, one over cells, and one over active cells, and
// the root is searched outside of all.
#ifndef LIB_MASK_WALK
#define LIB_MASK_WALK

#include "buffers.glsl"
#include "cell_masks.glsl"
#include "cubic.glsl"
#include "ray.glsl"

#ifdef FIELD_IMAGE
READS(masks, BINDING_CELL_MASKS, uvec2)
#define MASK(number) masks[number]
#else
layout(set = 0, binding = BINDING_CELL_MASKS, rg32ui) readonly uniform uimageBuffer masks;
#define MASK(number) imageLoad(masks, int(number)).xy
#endif

struct Walk {
    vec3 fine; // the fine cube
    vec3 cell; // the cell, counted from the first one of the fine cube
    uvec2 mask; // of the fine cube
    float t;   // where the ray enters the cell
    float end; // where it leaves the volume
    uint turns;
    bool within; // the cell is in the fine cube
    bool found; // the cell is active
    bool ended; // the ray has hit, or has left the volume
};

// Whether an element's bit is set.
bool mask_has(uvec2 mask, vec3 at)
{
    const uint bit = uint(at.x + 4.0 * at.y + 16.0 * at.z);
    return (mix(mask.x, mask.y, bit >= 32) >> (bit & 31) & 1) != 0;
}

vec3 ahead(Ray ray)
{
    return mix(vec3(0.0), vec3(1.0), ray.up);
}

// Goes on to the next fine cube that the isovalue meets, and to its first cell.
void find_fine(inout Walk walk, Ray ray)
{
    walk.fine += floor(walk.cell * 0.25);
    walk.within = false; // it goes from turn to turn: see compute/casting/README.md
    do {
        const vec3 coarse = floor(walk.fine * 0.25), at = walk.fine - 4.0 * coarse;
        const uvec2 mask = MASK(coarse_number(uvec3(coarse)));
        walk.within = walk.within || mask_has(mask, at);
        if (!walk.within) {
            // The largest cube around it that the isovalue does not meet: of one, two or four a side.
            const vec3 at_half = floor(at * 0.5);
            const uint word = mix(mask.x, mask.y, at_half.z > 0.0) >> uint(2.0 * at_half.x + 8.0 * at_half.y);
            const bool eighth = (word & 0x330033) == 0, all = (mask.x | mask.y) == 0;
            const float side = mix(mix(1.0, 2.0, eighth), 4.0, all);
            const vec3 low = 4.0 * coarse + mix(mix(at, 2.0 * at_half, bvec3(eighth)), vec3(0.0), bvec3(all));
            const vec3 times = plane_times(ray, 4.0 * (low + side * ahead(ray)));
            walk.t = least_of(times);
            walk.ended = walk.t >= walk.end;
            const vec3 beside = cube_at(ray, walk.t, low, low + side, 4.0);
            walk.fine = mix(beside, mix(low - 1.0, low + side, ray.up), equal(times, vec3(walk.t)));
        }
        walk.turns++;
    } while (!walk.within && !walk.ended && walk.turns < CAST_TURNS);
    if (walk.within) {
        const vec3 low = 4.0 * walk.fine;
        walk.mask = MASK(fine_number(uvec3(walk.fine)));
        walk.cell = cell_at(ray, walk.t, low, min(low + 4.0, LAST)) - low;
    }
}

// Goes on to the cell beyond the nearest exit planes, which are met at `times`.
void step_cell(inout Walk walk, Ray ray, vec3 times, float t)
{
    const vec3 to = mix(vec3(-1.0), vec3(1.0), ray.up);
    walk.cell += mix(vec3(0.0), to, equal(times, vec3(t)));
    walk.within = walk.cell == clamp(walk.cell, 0.0, 3.0);
    walk.t = t;
    walk.ended = t >= walk.end;
}

vec3 exit_times(Walk walk, Ray ray)
{
    return plane_times(ray, 4.0 * walk.fine + ahead(ray) + walk.cell);
}

// Goes on to the next active cell of the fine cube, or leaves it. Begins with this cell.
void find_cell(inout Walk walk, Ray ray)
{
    do {
        const vec3 times = exit_times(walk, ray);
        const float t = least_of(times);
        walk.found = t > walk.t && mask_has(walk.mask, walk.cell);
        if (!walk.found) {
            step_cell(walk, ray, times, t);
        }
        walk.turns++;
    } while (!walk.found && walk.within && !walk.ended && walk.turns < CAST_TURNS);
}

struct Found {
    CubicPart part; // that has the hit
    float leave;    // where the ray leaves the cell
    bool back;
};

// Looks for the hit in an active cell. Goes on to the next one if there is none.
void search_cell(inout Walk walk, Ray ray, Iso iso, inout Found found)
{
    const vec3 times = exit_times(walk, ray), cell = 4.0 * walk.fine + walk.cell;
    const Corners corners = corners_of(uvec3(cell));
    found.leave = least_of(times);
    const vec4 cubic = cubic_of(corner_values(corners, iso), place_in_cell(ray, cell, walk.t),
                                place_in_cell(ray, cell, found.leave));
    found.back = cubic.x >= 0.0;
    found.part = cubic_first_part(cubic, walk.turns);
    if (HAS_INVALID != 0 && !corners_cross(corners, iso.key)) {
        found.part.size = 0.0;
    }
    walk.found = false;
    if (found.part.size > 0.0) {
        walk.ended = true;
    } else {
        step_cell(walk, ray, times, found.leave);
        if (walk.within && !walk.ended) {
            find_cell(walk, ray);
        }
    }
}

// Of a ray that goes nowhere.
Walk walk_nowhere()
{
    return Walk(vec3(0.0), vec3(0.0), uvec2(0), 0.0, 0.0, 0, false, false, true);
}

// Casts a ray from `begin` to `end`. Returns its hit, see CAST_BACK, or twice CAST_NOTHING.
uvec2 cast_ray(Ray ray, float begin, float end, Iso iso, inout Walk walk)
{
    walk.end = min(ray_end(ray), end);
    walk.t = ray_begin(ray, begin);
    walk.ended = !(walk.t < walk.end);
    walk.fine = cube_at(ray, walk.t, vec3(0.0), vec3(FINES_X, FINES_Y, FINES_Z), 4.0);
    Found found = Found(CubicPart(vec4(0.0), 0.0, 0.0), 0.0, false);
    while (!walk.ended && walk.turns < CAST_TURNS) {
        do {
            find_fine(walk, ray);
            if (walk.within) {
                find_cell(walk, ray);
            }
        } while (!walk.found && !walk.ended && walk.turns < CAST_TURNS);
        if (walk.found) {
            do {
                search_cell(walk, ray, iso, found);
            } while (walk.found && walk.turns < CAST_TURNS);
        }
    }
    // Once for each ray, and so outside of the loops.
    uvec2 hit = uvec2(CAST_NOTHING);
    if (found.part.size > 0.0) {
        precise const float t = walk.t + (found.leave - walk.t) * cubic_root(found.part);
        hit = hit_of(min(t, found.leave), 4.0 * walk.fine + walk.cell, found.back);
    }
    return hit;
}

#endif
