// Rays through the grid, and the cells along them.
//
// plane_times alone computes where a ray meets a plane of the grid. It does so each time from the plane's
// number, and adds nothing up. So every kernel gets the same float for the same plane, no matter what it has
// skipped on the way. A hit depends only on the ray and its cell.
//
// A ray is in a cell from the greatest t of the cell's entry planes to the least t of its exit planes. Cells in
// which it would spend no time are left out.
//
// A cast may be of a part of the volume (compute/atlas.h). Cells and planes are then counted from the atlas's
// first sample, but t is computed from a plane's number in the volume. So a ray gets the same floats in a part
// as in the whole volume. It only visits the part's own cells.
#ifndef LIB_RAY
#define LIB_RAY

#include "grid.glsl"
#include "many.glsl"
#include "shaders/shared/casting.h"

// If the atlas has a part of a volume: the volume's rows and slices; otherwise 0. With a part, DIM_Z may be
// more than the slices that the atlas has.
layout(constant_id = CONSTANT_WHOLE_Y) const uint WHOLE_Y = 0;
layout(constant_id = CONSTANT_WHOLE_Z) const uint WHOLE_Z = 0;
const bool IN_PARTS = WHOLE_Y != 0;

struct Ray {
    vec3 start, direction;
    vec3 inverse; // 1 / direction
    bvec3 up;     // the direction is positive
    vec3 base;    // position of the atlas's first sample in the volume
    vec3 low, high; // the planes around the atlas's own cells
};

#define LAST vec3(DIM_X - 1, DIM_Y - 1, DIM_Z - 1) // the atlas's last sample; its first one is 0

// The first and the last own row, or slice, of a part; see cast_push.
vec2 part_own(uint own)
{
    return vec2(own & 0xffffu, own >> 16);
}

// Converts a place in the atlas to one that is counted from the volume's first sample.
vec3 in_volume(Ray ray, vec3 place)
{
    return mix(place, place + ray.base, bvec3(IN_PARTS));
}

// The last sample along each axis that gradients may read: one beyond the own cells, if the volume has it.
vec3 last_samples(Ray ray)
{
    return IN_PARTS ? min(ray.high + 1.0, vec3(DIM_X, WHOLE_Y, WHOLE_Z) - 1.0 - ray.base) : LAST;
}

Ray ray_from(vec3 start, vec3 direction)
{
    // Avoid 0: so no plane is infinitely far, and 0 is never multiplied by infinity.
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

// Prepares a ray for a part. own_y, own_z: the part's own rows and slices, see cast_push.
Ray ray_in_part(Ray ray, uint own_y, uint own_z)
{
    if (IN_PARTS) {
        // The atlas begins one row and one slice before the part's own ones, if the volume has these. If the
        // atlas ends where the volume does, it may begin even earlier (compute/atlas.h).
        const vec2 y = part_own(own_y), z = part_own(own_z);
        const vec3 low = vec3(0.0, y.x, z.x), high = vec3(DIM_X - 1, y.y, z.y);
        ray.base = max(low - 1.0, 0.0);
        ray.base.y = min(ray.base.y, float(WHOLE_Y - DIM_Y));
        ray.low = low - ray.base;
        ray.high = high - ray.base;
    }
    return ray;
}

// The ray through a place of a pixel. (0.5, 0.5) is the pixel's centre.
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

// The lane's pixel in its tile. The lanes of a subgroup have a small square, or two of them.
uvec2 pixel_in_tile(uint lane)
{
    return uvec2(lane & 3 | lane >> 2 & 4 | lane >> 3 & 8, lane >> 2 & 3 | lane >> 3 & 4 | lane >> 4 & 8);
}

// The t at which the ray meets three planes. Component i is a plane across axis i.
vec3 plane_times(Ray ray, vec3 planes)
{
    precise const vec3 times = (in_volume(ray, planes) - ray.start) * ray.inverse;
    return times;
}

// The ray's position at t, counted from the volume's first sample.
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

// When the ray leaves the own cells.
float ray_end(Ray ray)
{
    return least_of(plane_times(ray, mix(ray.low, ray.high, ray.up)));
}

// The cube in which the ray is at t: its entry planes are met at t or before, its exit planes after t. Cubes
// have `side` cells a side. Only cubes from `low` to below `high` are returned. The rounded position is off by
// one cube at most.
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

// The ray's place in a cell at t, from 0 to 1. If the ray meets a plane of the cell at exactly t, that
// coordinate is exactly 0 or 1.
vec3 place_in_cell(Ray ray, vec3 cell, float t)
{
    const vec3 place = clamp(ray_at(ray, t) - in_volume(ray, cell), 0.0, 1.0);
    const vec3 zero = plane_times(ray, cell), one = plane_times(ray, cell + 1.0);
    return mix(mix(place, vec3(0.0), equal(zero, vec3(t))), vec3(1.0), equal(one, vec3(t)));
}

// Packs a hit: the bits of t, and the cell with CAST_BACK and the contour. If t is -0, stores +0, so that equal
// hits have equal bits.
uvec2 hit_of(float t, vec3 cell, bool back, uint contour)
{
    const uvec3 c = uvec3(cell);
    const uint number = (c.z * (DIM_Y - 1) + c.y) * (DIM_X - 1) + c.x;
    return uvec2(t == 0.0 ? 0 : floatBitsToUint(t), number | contour << CELL_BITS | (back ? CAST_BACK : 0));
}

uvec2 hit_of(float t, vec3 cell, bool back)
{
    return hit_of(t, cell, back, 0);
}

uint contour_of_hit(uint hit)
{
    return CONTOUR_BITS > 0 ? hit >> CELL_BITS & (1u << CONTOUR_BITS) - 1 : 0;
}

bool hit_is_cap(uint hit)
{
    return CAST_CAPS && hit != CAST_NOTHING && (hit & CAST_CAP) != 0;
}

uvec3 cell_of_hit(uint hit)
{
    const uint number = hit & CELL_MASK, row = number / (DIM_X - 1);
    return uvec3(number - row * (DIM_X - 1), row % (DIM_Y - 1), row / (DIM_Y - 1));
}

// Converts a hit in the atlas to one whose cell is numbered in the whole volume.
uvec2 hit_in_volume(Ray ray, uvec2 hit)
{
    const uvec3 c = cell_of_hit(hit.y) + uvec3(ray.base);
    return uvec2(hit.x, (c.z * (WHOLE_Y - 1) + c.y) * (DIM_X - 1) + c.x | hit.y & ~CELL_MASK);
}

// Whether the ray meets hit `a` before hit `b` of another part; their cells are numbered in the volume. If both
// have the same t, the hit in the cell that the ray enters first is first. `b` may be twice CAST_NOTHING.
bool meets_before(Ray ray, uvec2 a, uvec2 b)
{
    const uvec2 row = (uvec2(a.y, b.y) & CELL_MASK) / (DIM_X - 1);
    const uvec2 y = row % (WHOLE_Y - 1), z = row / (WHOLE_Y - 1);
    const float s = uintBitsToFloat(a.x), t = uintBitsToFloat(b.x);
    const bool first = z.x != z.y ? (z.x < z.y) == ray.up.z : y.x != y.y && (y.x < y.y) == ray.up.y;
    return b.y == CAST_NOTHING || s < t || s == t && first;
}

#endif
