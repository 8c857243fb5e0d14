// Caps: where planes cut a solid open, a ray enters what is kept inside of the solid. There it hits the cap.
//
// What planes remove is convex, or what they keep is. So a ray enters what is kept behind a plane once at most, and
// has one cap at most.
#ifndef LIB_CAPS
#define LIB_CAPS

#include "grey.glsl"
#include "grey_samples.glsl"
#include "planes.glsl"

const uint CAP_FIRST = 0xff7fffffu; // the bits of a float that is less than every t

// Which contour has a cap at a place in a cell. Where several have one, the greatest isovalue counts. CONTOURS_MOST:
// none.
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
    const float t = kept_along(ray).begin;
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

// The normal of a cap points to the side that planes remove. A cap that shows samples has no light: then the grey is
// stored in place of a normal.
vec3 cap_normal(Ray ray, uvec2 hit, vec3 place)
{
    const float own[4] = contours.planes[kept_along(ray).plane];
    vec3 normal = -vec3(own[0], own[1], own[2]);
    if (contours.caps == CAPS_VALUES) {
        normal = normal_of_grey(grey_of(contours.grey, corners_of(cell_of_hit(hit.y)), place));
    }
    return normal;
}

#endif
