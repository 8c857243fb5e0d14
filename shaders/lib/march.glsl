// How a ray goes from cell to cell, and its hit in one of them. The loops over cells stop at a cell
// that has samples on both sides. The root is searched outside of these loops: on a CPU all lanes of a
// subgroup take the time of what any of them needs.
#ifndef LIB_MARCH
#define LIB_MARCH

#include "crossings.glsl"

struct Walk {
    vec3 cell;
    float t; // where the ray enters the cell
    uint turns; // iterations of all loops of the ray so far
    bool ended; // the ray has hit, or has left the volume
};

// Goes on to the cell beyond the nearest exit planes. `times`: when the ray meets the exit planes.
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

// Passes the cells that have samples on one side only, within a cube of `side` cells a side. The cube
// begins at cell `side` * `cube`. Returns whether it stopped at a cell with samples on both sides.
bool pass_cells(inout Walk walk, Ray ray, float end, uint key, vec3 cube, float side)
{
    bool found = false;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        const vec3 times = exit_times(walk, ray);
        if (floor(walk.cell / side) != cube) {
            break;
        }
        found = least_of(times) > walk.t && corners_cross_any(corners_of(uvec3(walk.cell)), key);
        if (found) {
            break;
        }
        step_cell(walk, ray, times, end);
    }
    return found;
}

// What a ray has found in its cell. The root is searched later, once for each ray.
struct Found {
    CubicPart part;
    float leave_t; // where the ray leaves the cell
    bool back;     // see CAST_BACK
    Crossing crossing; // with CAST_MANY: all that is found
};

Found found_nothing()
{
    return Found(CubicPart(vec4(0.0), 0.0, 0.0), 0.0, false, CROSSING_NONE);
}

// Looks for the hit in the cell. A ray that finds one has ended; any other goes on to the next cell.
void search_cell(inout Walk walk, Ray ray, float end, atlas_iso iso, inout Found found)
{
    const vec3 times = exit_times(walk, ray);
    const float leave_t = least_of(times);
    if (CAST_MANY != 0) {
        found.crossing = next_crossing(ray, walk.cell, walk.t, leave_t, CROSSING_NONE, walk.turns);
    } else {
        const vec4 cubic =
            cubic_in_cell(corners_of(uvec3(walk.cell)), iso, place_in_cell(ray, walk.cell, walk.t),
                          place_in_cell(ray, walk.cell, leave_t));
        found = Found(cubic_first_part(cubic, walk.turns), leave_t, cubic.x >= 0.0, CROSSING_NONE);
    }
    if (found.part.size > 0.0 || found.crossing.number > 0) {
        walk.ended = true;
    } else {
        step_cell(walk, ray, times, end);
    }
}

// The hit of a ray that has searched its last cell, or twice CAST_NOTHING.
uvec2 hit_found(Walk walk, Found found)
{
    uvec2 hit = uvec2(CAST_NOTHING);
    if (found.crossing.number > 0) {
        hit = hit_of(found.crossing.t, walk.cell, found.crossing.back != 0, found.crossing.contour);
    } else if (found.part.size > 0.0) {
        precise const float t = walk.t + (found.leave_t - walk.t) * cubic_root(found.part);
        hit = hit_of(min(t, found.leave_t), walk.cell, found.back);
    }
    return hit;
}

#endif
