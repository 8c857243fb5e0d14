// Rays through the grid, and the cells along them.
//
// Where a ray meets a plane of the grid is computed from the plane's number each time and never
// added up, by plane_times alone. So every kernel gets the same float for the same plane, whatever it
// has skipped on the way, and a hit depends only on the ray and its cell.
//
// A cell is passed from the greatest t of its entry planes to the least one of its exit planes.
// Cells that are passed in no time are left out.
//
// A cast may be of a part of the volume (compute/atlas.h): cells and planes are counted from the atlas's
// first sample, and planes are computed from their numbers in the volume. So a ray gets the same floats
// in a part as in the whole volume. It goes through the part's own cells alone.
#ifndef LIB_RAY
#define LIB_RAY

#include "grid.glsl"
#include "shaders/shared/casting.h"

// Rows and slices of the volume that the atlas has a part of; 0: it has all of it. DIM_Z may then be more
// than the slices that the atlas has.
layout(constant_id = CONSTANT_WHOLE_Y) const uint WHOLE_Y = 0;
layout(constant_id = CONSTANT_WHOLE_Z) const uint WHOLE_Z = 0;
const bool IN_PARTS = WHOLE_Y != 0;

struct Ray {
    vec3 start, direction;
    vec3 inverse; // 1 / direction
    bvec3 up;     // the direction is positive
    vec3 base;    // the atlas's first sample in the volume
    vec3 low, high; // the borders of the atlas's own cells
};

#define LAST vec3(DIM_X - 1, DIM_Y - 1, DIM_Z - 1) // the atlas's borders: 0 and these

// The own rows, or slices, of a part; see cast_push.
vec2 part_own(uint own)
{
    return vec2(own & 0xffffu, own >> 16);
}

// The same place, counted from the volume's first sample.
vec3 in_volume(Ray ray, vec3 place)
{
    return mix(place, place + ray.base, bvec3(IN_PARTS));
}

// The last samples around the atlas's own cells.
vec3 last_samples(Ray ray)
{
    return IN_PARTS ? min(ray.high + 1.0, vec3(DIM_X, WHOLE_Y, WHOLE_Z) - 1.0 - ray.base) : LAST;
}

Ray ray_from(vec3 start, vec3 direction)
{
    // So no plane is infinitely far, and 0 is never multiplied by infinity.
    direction = mix(direction, vec3(1e-10), lessThan(abs(direction), vec3(1e-10)));
    Ray ray;
    ray.start = start;
    ray.direction = direction;
    ray.inverse = 1.0 / direction;
    ray.up = greaterThan(direction, vec3(0.0));
    ray.base = vec3(0.0);
    ray.low = vec3(0.0);
    ray.high = LAST;
    return ray;
}

// The ray in a part with these own rows and slices, see cast_push.
Ray ray_in_part(Ray ray, uint own_y, uint own_z)
{
    if (IN_PARTS) {
        // The atlas begins one row and one slice before the part's own ones, where the volume has these; or
        // before, if it ends where the volume does (compute/atlas.h).
        const vec2 y = part_own(own_y), z = part_own(own_z);
        const vec3 low = vec3(0.0, y.x, z.x), high = vec3(DIM_X - 1, y.y, z.y);
        ray.base = max(low - 1.0, 0.0);
        ray.base.y = min(ray.base.y, float(WHOLE_Y - DIM_Y));
        ray.low = low - ray.base;
        ray.high = high - ray.base;
    }
    return ray;
}

// The ray through a place of a pixel, of which (0.5, 0.5) is the centre.
Ray ray_through(cast_push push, uvec2 pixel, vec2 place)
{
    const vec3 anchor = vec3(push.anchor[0], push.anchor[1], push.anchor[2]);
    const vec3 across = vec3(push.across[0], push.across[1], push.across[2]);
    const vec3 down = vec3(push.down[0], push.down[1], push.down[2]);
    const vec3 eye = vec3(push.eye[0], push.eye[1], push.eye[2]);
    const vec2 at = vec2(ivec2(push.x, push.y) + ivec2(pixel)) + place;
    precise const vec3 start = (anchor + at.x * across) + at.y * down;
    precise const vec3 direction = start * push.perspective - eye;
    return ray_in_part(ray_from(start, direction), push.own_y, push.own_z);
}

Ray ray_of_pixel(cast_push push, uvec2 pixel)
{
    return ray_through(push, pixel, vec2(0.5));
}

// The lane's pixel in its tile: subgroups have small squares, or two of them.
uvec2 pixel_in_tile(uint lane)
{
    return uvec2(lane & 3 | lane >> 2 & 4 | lane >> 3 & 8, lane >> 2 & 3 | lane >> 3 & 4 | lane >> 4 & 8);
}

// When the ray meets these planes, one across each axis.
vec3 plane_times(Ray ray, vec3 planes)
{
    precise const vec3 times = (in_volume(ray, planes) - ray.start) * ray.inverse;
    return times;
}

// Counted from the volume's first sample.
vec3 ray_at(Ray ray, float t)
{
    precise const vec3 at = ray.start + ray.direction * t;
    return at;
}

float least_of(vec3 v)
{
    return min(min(v.x, v.y), v.z);
}

float greatest_of(vec3 v)
{
    return max(max(v.x, v.y), v.z);
}

// When the ray enters the own cells, but not before `begin`.
float ray_begin(Ray ray, float begin)
{
    return max(begin, greatest_of(plane_times(ray, mix(ray.high, ray.low, ray.up))));
}

// When it leaves them.
float ray_end(Ray ray)
{
    return least_of(plane_times(ray, mix(ray.low, ray.high, ray.up)));
}

// The cube at t among those from `low` to below `high`, which have so many cells a side: its entry
// planes are met at t or before, and its exit planes after t. A rounded position is off by one cube at
// most.
vec3 cube_at(Ray ray, float t, vec3 low, vec3 high, float side)
{
    const vec3 to = mix(vec3(-1.0), vec3(1.0), ray.up);
    const vec3 ahead = mix(vec3(0.0), vec3(1.0), ray.up);
    const vec3 in_all = ray_at(ray, t), at = mix(in_all, in_all - ray.base, bvec3(IN_PARTS));
    vec3 cube = floor(at / side);
    const vec3 entry = plane_times(ray, (cube + 1.0 - ahead) * side);
    const vec3 exit = plane_times(ray, (cube + ahead) * side);
    cube -= mix(vec3(0.0), to, greaterThan(entry, vec3(t)));
    cube += mix(vec3(0.0), to, lessThanEqual(exit, vec3(t)));
    return clamp(cube, low, high - 1.0);
}

vec3 cell_at(Ray ray, float t, vec3 low, vec3 high)
{
    return cube_at(ray, t, low, high, 1.0);
}

// Where in a cell the ray is at t, from 0 to 1. On a plane of the cell that it meets at exactly t it
// is exactly 0 or 1.
vec3 place_in_cell(Ray ray, vec3 cell, float t)
{
    const vec3 place = clamp(ray_at(ray, t) - in_volume(ray, cell), 0.0, 1.0);
    const vec3 zero = plane_times(ray, cell), one = plane_times(ray, cell + 1.0);
    return mix(mix(place, vec3(0.0), equal(zero, vec3(t))), vec3(1.0), equal(one, vec3(t)));
}

// The bits of t of the hit, and the cell and the side: see CAST_BACK. A t of zero has no sign, in whatever way
// it was found.
uvec2 hit_of(float t, vec3 cell, bool back)
{
    const uvec3 c = uvec3(cell);
    const uint number = (c.z * (DIM_Y - 1) + c.y) * (DIM_X - 1) + c.x;
    return uvec2(t == 0.0 ? 0 : floatBitsToUint(t), number | (back ? CAST_BACK : 0));
}

uvec3 cell_of_hit(uint hit)
{
    const uint number = hit & ~CAST_BACK, row = number / (DIM_X - 1);
    return uvec3(number - row * (DIM_X - 1), row % (DIM_Y - 1), row / (DIM_Y - 1));
}

// The hit with its cell counted in the volume that the atlas has a part of.
uvec2 hit_in_volume(Ray ray, uvec2 hit)
{
    const uvec3 c = cell_of_hit(hit.y) + uvec3(ray.base);
    return uvec2(hit.x, (c.z * (WHOLE_Y - 1) + c.y) * (DIM_X - 1) + c.x | hit.y & CAST_BACK);
}

// Whether the ray meets hit `a` before hit `b`, of another part; their cells are counted in the volume. Where t
// is the same, the cell counts that the ray enters first. `b` may be twice CAST_NOTHING.
bool meets_before(Ray ray, uvec2 a, uvec2 b)
{
    const uvec2 row = (uvec2(a.y, b.y) & ~CAST_BACK) / (DIM_X - 1);
    const uvec2 y = row % (WHOLE_Y - 1), z = row / (WHOLE_Y - 1);
    const float s = uintBitsToFloat(a.x), t = uintBitsToFloat(b.x);
    const bool first = z.x != z.y ? (z.x < z.y) == ray.up.z : y.x != y.y && (y.x < y.y) == ray.up.y;
    return b.y == CAST_NOTHING || s < t || s == t && first;
}

#endif
