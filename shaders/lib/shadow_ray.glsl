// Rays from a hit to the key light. They are tested against the surface itself, in the active cells.
//
// A ray begins SHADOW_ABOVE cells above its hit, along the normal, on the visible side. Otherwise the small
// grooves of a coarse or noisy surface would look like dark lines where the light comes from near the horizon.
//
// Normals are smoother than the surface. So a ray may still begin inside the surface, or enter it soon. Two kinds
// of cells allow for that: the cell where the ray begins, and each cell that it enters inside the surface. Such a
// cell hides the light only if the ray leaves it inside the surface, more than SHADOW_INSIDE cells from the ray's
// begin. In any other cell each crossing of the surface hides the light.
//
// The result in a cell depends only on the ray and the cell. So cells can be tested in any order, and each part of
// a volume on its own.
#ifndef LIB_SHADOW_RAY
#define LIB_SHADOW_RAY

#include "mask_walk.glsl"

READS(points, BINDING_POINTS, vec3) // place and normal of each pixel's hit

// A ray that is hidden has this in walk.end. A variable of its own would be a bool, which takes two scalar registers
// for 64 lanes: there were not enough.
const float HIDDEN = -1e38;

// Where planes remove a part of the ray and keep what comes before and after it: where that part begins.
// Otherwise NEVER. What all planes keep has no such gap.
float gap_begin(Ray ray)
{
    float gap = NEVER;
    if (CAST_MANY != 0 && contours.clip_all != 0) {
        const Kept kept = kept_along(ray);
        const float from = max(kept.end, 0.0);
        gap = from < kept.begin ? from : NEVER;
    }
    return gap;
}

// Whether one of several contours, or contours that planes cut, hides the light in a cell. What planes remove hides
// nothing. Behind it, at `gap`, a ray may enter the inside where a plane cuts it. See shade_cell.
bool any_hides(Ray ray, Corners corners, vec3 places[2], float enter, float leave, uint contour, bool far, float most,
               float gap, inout uint turns)
{
    bool hidden = false;
    for (uint i = 0; i < contours.count; i++) {
        const atlas_iso iso = contours.list[i].iso;
        bool more = corners_cross(corners, iso.key);
        vec4 cubic = vec4(0.0);
        float after = -NEVER; // crossings after this hide the light
        if (more) {
            cubic = cubic_in_cell(corners, iso, places[0], places[1]);
            if (i == contour && !(enter > 0.0 && (cubic.x >= 0.0) == far)) {
                hidden = hidden || (cubic.w >= 0.0) != far && leave > most && crossing_kept(ray, leave, i);
                after = (contours.clipped >> i & 1) != 0 && enter > gap ? most : NEVER;
            }
        }
        uint k = 0;
        do {
            if (more) {
                const CubicPart part = cubic_part(cubic, k, turns);
                precise const float root = enter + (leave - enter) * cubic_root(part);
                const float t = min(root, leave);
                more = part.size > 0.0;
                hidden = hidden || more && t > after && crossing_kept(ray, t, i);
            }
            k++;
        } while (more && !hidden);
    }
    return hidden;
}

// Looks for the surface in an active cell. Goes on to the next cell if the light is not hidden here. `far`: the
// visible side is that of greater values. `most`: the last t at which a ray may still be inside after its begin.
// `gap`: see gap_begin.
void shade_cell(inout Walk walk, Way way, atlas_iso iso, uint contour, bool far, float most, float gap)
{
    const vec3 times = exit_times(walk, way);
    const uvec3 cell = of_grid(way, walk.cell);
    const Corners corners = corners_of(cell);
    const float leave = least_of(times);
    const vec3 places[2] = way_places(way, cell, times, walk, leave);
    bool hidden = false;
    walk.found = false;
    if (CAST_MANY != 0) {
        hidden = any_hides(ray_of_way(way), corners, places, walk.t, leave, contour, far, most, gap, walk.turns);
    } else {
        const vec4 cubic = cubic_in_cell(corners, iso, places[0], places[1]);
        if (HAS_INVALID == 0 || corners_cross(corners, iso.key)) {
            const bool begins = (cubic.x >= 0.0) == far, ends = (cubic.w >= 0.0) == far;
            hidden = walk.t > 0.0 && begins ? cubic_first_part(cubic, walk.turns).size > 0.0 : !ends && leave > most;
        }
    }
    walk.ended = hidden;
    walk.end = hidden ? HIDDEN : walk.end;
    if (!hidden) {
        leave_cell(walk, times, leave);
        if (walk.within) {
            find_cell(walk, way);
        }
    }
}

// Whether the ray was `hidden` before, or meets the surface before t = end. In a part it only tests the surface in this part.
bool shadow_ray(Ray ray, float end, atlas_iso iso, uint contour, bool far, bool hidden, inout Walk walk)
{
    const float most = SHADOW_INSIDE * inversesqrt(dot(ray.direction, ray.direction));
    const float gap = gap_begin(ray);
    const Way way = way_of(ray);
    walk_from(walk, ray, way, 0.0, hidden ? -NEVER : end);
    walk.end = hidden ? HIDDEN : walk.end;
    if (!walk.ended) {
        do {
            find_active(walk, way);
            if (walk.found) {
                do {
                    shade_cell(walk, way, iso, contour, far, most, gap);
                } while (walk.found && walk.turns < CAST_TURNS);
            }
        } while (!walk.ended && walk.turns < CAST_TURNS);
    }
    return walk.end == HIDDEN;
}

// Which set of rays a pixel has. Each row and each column of SHADOW_SIDE pixels has sets from all regions of the
// light.
uint shadow_phase(uvec2 pixel)
{
    return (pixel.x + 2 * pixel.y) % SHADOW_SIDE * SHADOW_SIDE + (2 * pixel.x + pixel.y) % SHADOW_SIDE;
}

// The rays from a pixel's hit that reach the light, as bits. Only the rays in `left` are tested. iso, contour: of the
// hit. `far`: the visible side is that of greater values. `phase`: the set of rays.
uint light_reaching(shadow_push push, atlas_iso iso, uint contour, uint at, bool far, uint phase, uint left,
                    inout Walk walk)
{
    const vec3 middle = vec3(push.light.towards[0], push.light.towards[1], push.light.towards[2]);
    const vec3 across = vec3(push.light.across[0], push.light.across[1], push.light.across[2]);
    const vec3 down = vec3(push.light.down[0], push.light.down[1], push.light.down[2]);
    uint reaching = 0, i = 0;
    do {
        // A spiral with the golden angle gives all rays an equal share of the disc.
        const float number = float(phase * SHADOW_RAYS + i);
        const float angle = 2.39996323 * number;
        const float off = sqrt((number + 0.5) / float(SHADOW_SIDE * SHADOW_SIDE * SHADOW_RAYS));
        // The point is read for each ray: so it takes no registers while a ray goes on.
        const vec3 place = points[2 * at], normal = points[2 * at + 1], towards = far ? -normal : normal;
        const vec3 direction = middle + off * (cos(angle) * across + sin(angle) * down);
        // Light from below the horizon does not reach the surface.
        const bool hidden = (left >> i & 1) == 0 || dot(direction, towards) <= 0.0;
        const Ray ray = ray_in_part(ray_from(place + SHADOW_ABOVE * towards, direction), push.own_y, push.own_z);
        reaching |= uint(!shadow_ray(ray, push.light.reach, iso, contour, far, hidden, walk)) << i;
        i++;
    } while (i < SHADOW_RAYS);
    return reaching;
}

#endif
