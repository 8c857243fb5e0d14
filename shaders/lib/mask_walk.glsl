// How a ray finds its hit by the masks of cell_masks.glsl. It leaps from fine cube to fine cube, over up to three
// of them at once, to one that the isovalue meets. There it goes from cell to cell (a digital differential
// analyser), to the first cell where the side changes along the ray. Only active cells have their samples read.
//
// The way of a ray goes up along each axis: the axes along which the ray goes down are mirrored. There cell i
// becomes cell -1 - i, whose number is that of i with all bits inverted. The times of planes stay the same floats.
//
// On llvmpipe all lanes of a subgroup execute what any of them executes, and the body of each loop runs at least
// once, even if no lane needs it. So there is a loop over fine cubes, one over cells, and one over active cells.
// All of them test their condition at the end. After these loops come the code for cubics with several changes of
// sign, which few rays need, and the search for the root.
#ifndef LIB_MASK_WALK
#define LIB_MASK_WALK

#include "crossings.glsl"
#include "masks_read.glsl"

// A ray on a way that goes up along each axis. It has all of the ray that the loops over cells and cubes need: a
// second copy of the ray would take twelve registers.
struct Way {
    vec3 start, direction, inverse, base;
    uvec3 mirror; // per axis: all bits set if numbers of cells and cubes are mirrored
    uint leaps;   // number of the direction, see cell_masks.glsl
};

vec3 mirrored(vec3 v, uvec3 mirror)
{
    return uintBitsToFloat(floatBitsToUint(v) ^ mirror & 0x80000000u);
}

Way way_of(Ray ray)
{
    const uvec3 up = uvec3(ray.up), mirror = up - 1;
    return Way(mirrored(ray.start, mirror), mirrored(ray.direction, mirror), mirrored(ray.inverse, mirror),
               mirrored(ray.base, mirror), mirror, up.x | up.y << 1 | up.z << 2);
}

// The way's ray, without the planes around a part's own cells.
Ray ray_of_way(Way way)
{
    return Ray(mirrored(way.start, way.mirror), mirrored(way.direction, way.mirror),
               mirrored(way.inverse, way.mirror), equal(way.mirror, uvec3(0)),
               mirrored(way.base, way.mirror), vec3(0.0), LAST);
}

struct Walk {
    vec3 cell;   // in the mirrored grid of the way
    uvec2 mask;  // mask of the cell's fine cube
    float t;     // where the ray enters the cell
    float leave; // where the ray leaves the fine cube, or the volume
    float end;   // where the ray leaves the volume
    uint turns;
    bool within; // `mask` is valid: the cell is in the fine cube that it was read for
    bool found;  // the cell is active
    bool ended;  // the ray has hit, or has left the volume
};

// When the way meets these planes. See plane_times.
vec3 way_times(Way way, vec3 planes)
{
    precise const vec3 times = (mix(planes, planes + way.base, bvec3(IN_PARTS)) - way.start) * way.inverse;
    return times;
}

// As max() and min(), but written so that they are one instruction on a CPU.
float greater(float a, float b)
{
    precise const float most = b > a ? b : a;
    return most;
}

float lesser(vec3 v)
{
    precise const float two = v.y < v.x ? v.y : v.x;
    precise const float least = v.z < two ? v.z : two;
    return least;
}

// The first cell of the cube at t, see cube_at. The rounded position is off by less than half a cube. So the plane
// nearest to it is the first or the last plane of the cube.
vec3 way_cube(Way way, float t, float side)
{
    const float ROUNDS = 12582912.0; // 1.5 * 2^23: to add and subtract it rounds to a whole number
    const vec3 in_all = way.start + way.direction * t;
    precise const vec3 plane = (mix(in_all, in_all - way.base, bvec3(IN_PARTS)) + ROUNDS * side) - ROUNDS * side;
    return plane - mix(vec3(0.0), vec3(side), greaterThan(way_times(way, plane), vec3(t)));
}

// The cell in the grid: without mirroring.
uvec3 of_grid(Way way, vec3 cell)
{
    return uvec3(ivec3(cell)) ^ way.mirror;
}

// Goes on to the next fine cube that the isovalue meets, and to its first cell.
void find_fine(inout Walk walk, Way way)
{
    vec3 fine = floor(walk.cell * 0.25) * 4.0; // the cube's first cell
    uint leap = 0; // in cells, as `fine`
    // The planes where the first cube begins are met at walk.t or before.
    do {
        walk.t = greater(walk.t, lesser(way_times(way, fine + float(leap))));
        fine = way_cube(way, walk.t, 4.0);
        const uvec3 at = min(of_grid(way, fine) >> 2, uvec3(FINES_X - 1, FINES_Y - 1, FINES_Z - 1));
        const uvec2 leaps = MASK(leaps_number(at, way.leaps)) >> (at.x & 31) & 1;
        leap = 4 * leaps.x + 8 * leaps.y;
        walk.turns++;
    } while (leap != 0 && walk.t < walk.end && walk.turns < CAST_TURNS);
    walk.within = walk.t < walk.end;
    walk.ended = !walk.within;
    if (walk.within) {
        walk.mask = MASK(fine_number(of_grid(way, fine) >> 2));
        walk.cell = way_cube(way, walk.t, 1.0);
        walk.leave = min(lesser(way_times(way, fine + 4.0)), walk.end);
    }
}

vec3 exit_times(Walk walk, Way way)
{
    return way_times(way, walk.cell + 1.0);
}

// Whether the cell's bit is set in the mask.
bool cell_active(uvec2 mask, uvec3 cell)
{
    const uvec3 at = cell & 3;
    const uint bit = at.x + 4 * at.y + 16 * at.z;
    return (mix(mask.x, mask.y, bit >= 32) >> (bit & 31) & 1) != 0;
}

// Finds the next active cell of the fine cube, from this cell on, or leaves the cube. Each iteration goes up along
// an axis, so there are at most ten.
void find_cell(inout Walk walk, Way way)
{
    vec3 cell, next = walk.cell;
    float t, leave = walk.t;
    do {
        cell = next;
        t = leave;
        const vec3 times = way_times(way, cell + 1.0);
        leave = lesser(times);
        next = cell + mix(vec3(0.0), vec3(1.0), equal(times, vec3(leave)));
        walk.found = leave > t && cell_active(walk.mask, of_grid(way, cell));
    } while (!walk.found && leave < walk.leave);
    walk.turns++;
    walk.cell = mix(next, cell, bvec3(walk.found));
    walk.t = mix(leave, t, walk.found);
    walk.within = walk.found;
    walk.ended = walk.t >= walk.end;
}

// Goes on to the next active cell.
void find_active(inout Walk walk, Way way)
{
    do {
        if (!walk.within) {
            find_fine(walk, way);
        }
        if (walk.within) {
            find_cell(walk, way);
        }
    } while (!walk.found && !walk.ended && walk.turns < CAST_TURNS);
}

struct Found {
    CubicPart part; // part of the cubic that has the hit
    float leave;    // where the ray leaves the cell
    bool back;
    bool several; // the cubic's signs change several times: it is not known yet which part has the hit
    Crossing crossing; // with CAST_MANY: all that is found
};

// Goes on to the cell beyond the nearest exit planes, if the ray has no hit in this one. `times`: when the exit
// planes are met; `t`: the least of them.
void leave_cell(inout Walk walk, vec3 times, float t)
{
    walk.found = false;
    walk.cell += mix(vec3(0.0), vec3(1.0), equal(times, vec3(t)));
    walk.t = t;
    walk.within = t < walk.leave;
    walk.ended = t >= walk.end;
}

// The place in the way's cell, as place_in_cell: where the way enters it at t, and where it leaves it. `times`: when
// the exit planes are met. The way meets no entry plane after t, and no exit plane before `leave`.
vec3[2] way_places(Way way, uvec3 cell, vec3 times, Walk walk, float leave)
{
    precise const vec3 enters = way.start + way.direction * walk.t, leaves = way.start + way.direction * leave;
    const vec3 low = in_volume(ray_of_way(way), vec3(ivec3(cell))); // signed: faster on a CPU
    const uvec3 one = uvec3(floatBitsToUint(1.0));
    return vec3[2](mix(clamp(mirrored(enters, way.mirror) - low, 0.0, 1.0), uintBitsToFloat(one & way.mirror),
                       equal(way_times(way, walk.cell), vec3(walk.t))),
                   mix(clamp(mirrored(leaves, way.mirror) - low, 0.0, 1.0), uintBitsToFloat(one & ~way.mirror),
                       equal(times, vec3(leave))));
}

// Looks for the hit in an active cell. Goes on to the next one if there is none.
void search_cell(inout Walk walk, Way way, atlas_iso iso, inout Found found)
{
    const vec3 times = exit_times(walk, way);
    const uvec3 cell = of_grid(way, walk.cell);
    const Corners corners = corners_of(cell);
    found.leave = lesser(times);
    const vec3 places[2] = way_places(way, cell, times, walk, found.leave);
    if (CAST_MANY != 0) { // whether there is a crossing is found out with `several`
        found.several = may_cross(corners, places);
        walk.ended = found.several;
        if (!found.several) {
            leave_cell(walk, times, found.leave);
        }
        return;
    }
    const vec4 cubic = cubic_in_cell(corners, iso, places[0], places[1]);
    found.back = cubic.x >= 0.0;
    uint changes = cubic_changes(cubic);
    if (HAS_INVALID != 0 && !corners_cross(corners, iso.key)) {
        changes = 0;
    }
    found.several = changes > PLAIN_CHANGES;
    found.part = CubicPart(cubic, 0.0, mix(0.0, 1.0, changes != 0));
    walk.ended = changes != 0;
    if (changes == 0) {
        leave_cell(walk, times, found.leave);
    }
}

// The state of a ray that goes nowhere.
Walk walk_nowhere()
{
    return Walk(vec3(0.0), uvec2(0), 0.0, 0.0, 0.0, 0, false, false, true);
}

// Begins a walk from `begin` to `end`.
void walk_from(inout Walk walk, Ray ray, Way way, float begin, float end)
{
    walk.end = min(search_end(ray), end);
    walk.t = search_begin(ray, begin);
    walk.within = false;
    walk.found = false;
    walk.ended = !(walk.t < walk.end);
    const vec3 fine = cube_at(ray, walk.t, vec3(0.0), vec3(FINES_X, FINES_Y, FINES_Z), 4.0);
    walk.cell = 4.0 * vec3(ivec3(uvec3(fine) ^ way.mirror));
}

// Nothing is found yet. If `several`, the cell of the walk is searched first: the ray is in it up to `leave`.
Found found_nothing(float leave, bool several)
{
    return Found(CubicPart(vec4(0.0), 0.0, 0.0), leave, false, several, CROSSING_NONE);
}

// Goes on with a walk. In the cell that found_nothing(leave, true) leaves to be searched, only crossings behind
// `after` count. Returns the ray's hit, see CAST_BACK, or twice CAST_NOTHING.
uvec2 cast_on(Way way, atlas_iso iso, inout Walk walk, inout Found found, Crossing after)
{
    do {
        if (!walk.ended) {
            do {
                find_active(walk, way);
                if (walk.found) {
                    do {
                        search_cell(walk, way, iso, found);
                        if (walk.within && !walk.ended) {
                            find_cell(walk, way);
                        }
                    } while (walk.found && !walk.ended && walk.turns < CAST_TURNS);
                }
            } while (!walk.ended && walk.turns < CAST_TURNS);
        }
        if (found.several) {
            found.several = false;
            if (CAST_MANY != 0) {
                const vec3 cell = vec3(of_grid(way, walk.cell));
                found.crossing = next_crossing(ray_of_way(way), cell, walk.t, found.leave, after, walk.turns);
                after = CROSSING_NONE;
            } else {
                found.part = cubic_first_part(found.part.b, walk.turns);
            }
            if (found.part.size == 0.0 && found.crossing.number == 0) {
                leave_cell(walk, exit_times(walk, way), found.leave);
            }
        }
    } while (!walk.ended && walk.turns < CAST_TURNS);
    // The root is searched once for each ray, so outside of the loops.
    uvec2 hit = uvec2(CAST_NOTHING);
    if (found.crossing.number > 0) {
        hit = hit_of(found.crossing.t, vec3(of_grid(way, walk.cell)), found.crossing.back != 0, found.crossing.contour);
    } else if (found.part.size > 0.0) {
        precise const float t = walk.t + (found.leave - walk.t) * cubic_root(found.part);
        hit = hit_of(min(t, found.leave), vec3(of_grid(way, walk.cell)), found.back);
    }
    return hit;
}

// Casts a ray from `begin` to `end`.
uvec2 cast_ray(Ray ray, float begin, float end, atlas_iso iso, inout Walk walk)
{
    const Way way = way_of(ray);
    Found found = found_nothing(0.0, false);
    walk_from(walk, ray, way, begin, end);
    return cast_on(way, iso, walk, found, CROSSING_NONE);
}

#endif
