#version 460
// Casts a ray per pixel: over coarse and fine cubes that the isovalue misses (hierarchical
// skipping), then from cell to cell (a digital differential analyser), to the first place where the
// side changes.
//
// Three loops in one: over cubes, over cells up to one that has samples on both sides, and over such
// cells. The root is searched outside of the inner two: a processor that draws does for all lanes of
// a subgroup what one of them needs.

#include "append.glsl"
#include "cubes.glsl"
#include "cubic.glsl"
#include "ray.glsl"
#include "spans.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

WRITES(hits, BINDING_HITS, uvec2)
WRITES(hit_list, BINDING_HIT_LIST, uint)
WRITES(tiles, BINDING_TILES, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS) // `spare`: rays whose loops met their bound

struct Walk {
    vec3 cell;
    float t;   // where the ray enters it
    vec3 cube; // the fine cube that was found to count last
    uint turns;
    bool ended; // the ray has hit, or has left the volume
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
        const vec3 cube = floor(walk.cell * (1.0 / fine));
        if (cube == walk.cube) {
            break;
        }
        const uvec3 cell = uvec3(walk.cell);
        if (fine_cube_counts(cell, most, least)) {
            walk.cube = cube;
            break;
        }
        const float side = mix(coarse, fine, coarse_cube_counts(cell, most, least));
        const vec3 low = floor(walk.cell / side) * side, high = min(low + side, LAST);
        leave(walk, ray, plane_times(ray, mix(low, high, ray.up)), low, high, end);
    }
}

// Goes on to the cell beyond the nearest exit planes, which are met at `times`.
void step_cell(inout Walk walk, Ray ray, vec3 times, float end)
{
    const vec3 to = mix(vec3(-1.0), vec3(1.0), ray.up);
    const float t = least_of(times);
    walk.ended = t >= end;
    walk.cell += mix(vec3(0.0), to, equal(times, vec3(t)));
    walk.t = t;
}

vec3 exit_times(Walk walk, Ray ray)
{
    return plane_times(ray, walk.cell + mix(vec3(0.0), vec3(1.0), ray.up));
}

// Passes the cells of a cube that have samples on one side only. Returns whether there is another.
bool pass_cells(inout Walk walk, Ray ray, float end, uint key, out Corners corners)
{
    const float cubes = 1.0 / float(1u << CUBE_SHIFT);
    bool found = false;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        const vec3 times = exit_times(walk, ray);
        if (floor(walk.cell * cubes) != walk.cube) {
            break;
        }
        corners = corners_of(uvec3(walk.cell));
        found = least_of(times) > walk.t && corners_cross(corners, key);
        if (found) {
            break;
        }
        step_cell(walk, ray, times, end);
    }
    return found;
}

// The hit of a ray, see CAST_BACK.
uvec2 cast_ray(Ray ray, float begin, float most_end, Iso iso, uint most, uint least, inout Walk walk)
{
    const vec3 first = plane_times(ray, mix(LAST, vec3(0.0), ray.up));
    const vec3 last = plane_times(ray, mix(vec3(0.0), LAST, ray.up));
    const float end = min(least_of(last), most_end);
    walk.t = max(begin, greatest_of(first));
    walk.ended = !(walk.t < end);
    walk.cell = cell_at(ray, walk.t, vec3(0.0), LAST);
    CubicPart part = CubicPart(vec4(0.0), 0.0, 0.0);
    float leave_t = 0.0;
    bool back = false;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        skip_cubes(walk, ray, end, most, least);
        Corners corners;
        if (pass_cells(walk, ray, end, iso.key, corners)) {
            const vec3 times = exit_times(walk, ray);
            leave_t = least_of(times);
            const float values[8] = corner_values(corners, iso);
            const vec4 cubic = cubic_of(values, place_in_cell(ray, walk.cell, walk.t),
                                        place_in_cell(ray, walk.cell, leave_t));
            back = cubic.x >= 0.0;
            part = cubic_first_part(cubic, walk.turns);
            if (part.size > 0.0) {
                walk.ended = true;
            } else {
                step_cell(walk, ray, times, end);
            }
        }
    }
    // Once for each ray, and so outside of the loops.
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
    if (part.size > 0.0) {
        precise const float t = walk.t + (leave_t - walk.t) * cubic_root(part);
        hit = hit_of(min(t, leave_t), walk.cell, back);
    }
    return hit;
}

// The lane's pixel in its tile: subgroups have small squares, or two of them.
uvec2 pixel_in_tile(uint lane)
{
    return uvec2(lane & 3 | lane >> 2 & 4 | lane >> 3 & 8, lane >> 2 & 3 | lane >> 3 & 4 | lane >> 4 & 8);
}

void main()
{
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const bool there = pixel.x < push.width && pixel.y < push.height;
    const uint at = pixel.y * push.width + pixel.x;
    Walk walk = Walk(vec3(0.0), 0.0, vec3(-1.0), there ? 0 : CAST_TURNS, true);
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
    float begin, end;
    if (there && span_of_pixel(pixel, push.width, push.height, begin, end)) {
        const Iso iso = Iso(push.key, push.iso_key, push.iso_high, push.iso_low, push.iso_exponent);
        hit = cast_ray(ray_of_pixel(push, pixel), max(push.begin, begin), end, iso, push.cubes_most, push.cubes_least, walk);
    }
    if (there) {
        hits[at] = hit;
    }
    if (there && !walk.ended) {
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
