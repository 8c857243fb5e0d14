// Caps: where planes cut a solid open, a ray enters what is kept inside of the solid. There it hits the cap.
//
// What planes remove is convex, or what they keep is. So a ray enters what is kept behind a plane once at most, and
// has one cap at most.
#ifndef LIB_CAPS
#define LIB_CAPS

#include "contours.glsl"
#include "grey.glsl"
#include "grey_samples.glsl"
#include "ray.glsl"

const float NEVER = 3e38;
const uint CAP_FIRST = 0xff7fffffu; // the bits of a float that is less than every t

// Where a ray meets a plane.
float plane_time(Ray ray, float plane[4])
{
    const vec3 normal = vec3(plane[0], plane[1], plane[2]);
    precise const float t = -(dot(normal, ray.start) + plane[3]) / dot(normal, ray.direction);
    return t;
}

// When the ray enters what the planes keep; NEVER if it begins there or stays outside. `plane`: where it enters.
float kept_begin(Ray ray, out uint plane)
{
    const bool all = contours.clip_all != 0;
    float enter = all ? NEVER : -NEVER, leave = -enter;
    bool never = false; // by a plane that the ray is parallel to
    plane = 0;
    for (uint i = 0; i < contours.plane_count; i++) {
        const float own[4] = contours.planes[i];
        const vec3 normal = vec3(own[0], own[1], own[2]);
        const float steps = dot(normal, ray.direction), t = plane_time(ray, own);
        if (steps > 0.0 && (all ? t < enter : t > enter)) {
            enter = t;
            plane = i;
        }
        if (steps < 0.0) {
            leave = all ? max(leave, t) : min(leave, t);
        }
        never = never || steps == 0.0 && (dot(normal, ray.start) + own[3] >= 0.0) == all;
    }
    // The planes remove what is from `leave` to `enter` (all), or keep what is from `enter` to `leave`.
    const bool enters = (all ? leave < enter : enter < leave) && abs(enter) < NEVER;
    return enters && !never ? enter : NEVER;
}

// The contour with the greatest isovalue that has a cap at a place in a cell; CONTOURS_MOST: none.
uint cap_contour(Corners corners, vec3 place)
{
    uint contour = CONTOURS_MOST, greatest = 0;
    if (!corners_finite(corners)) {
        return contour;
    }
    for (uint i = 0; i < contours.count; i++) {
        const atlas_iso iso = contours.list[i].iso;
        const bool cut = (contours.clipped >> i & 1) != 0 && (contour == CONTOURS_MOST || iso.key > greatest);
        if (cut && cubic_in_cell(corners, iso, place, place).x >= 0.0) {
            contour = i;
            greatest = iso.key;
        }
    }
    return contour;
}

// The ray's cap if it comes after `after`, the bits of a t, and not after the hit; otherwise the hit. `begin`: where
// rays begin.
uvec2 cap_before(Ray ray, float begin, uint after, uvec2 hit)
{
    uint plane;
    const float t = kept_begin(ray, plane);
    const bool there = t >= ray_begin(ray, begin) && t < ray_end(ray) && t > uintBitsToFloat(after) &&
                       (hit.y == CAST_NOTHING || t <= uintBitsToFloat(hit.x));
    if (there) {
        const vec3 cell = cell_at(ray, t, ray.low, ray.high);
        const vec3 place = clamp(ray_at(ray, t) - in_volume(ray, cell), 0.0, 1.0);
        const uint contour = cap_contour(corners_of(uvec3(cell)), place);
        if (contour < CONTOURS_MOST) {
            hit = hit_of(t, cell, false, contour);
            hit.y |= CAST_CAP;
        }
    }
    return hit;
}

// A cap faces what is removed. If it shows samples, the normal tells their grey.
vec3 cap_normal(Ray ray, uvec2 hit, vec3 place)
{
    uint plane;
    kept_begin(ray, plane);
    const float own[4] = contours.planes[plane];
    vec3 normal = -vec3(own[0], own[1], own[2]);
    if (contours.caps == CAPS_VALUES) {
        normal = normal_of_grey(grey_of(contours.grey, corners_of(cell_of_hit(hit.y)), place));
    }
    return normal;
}

#endif
