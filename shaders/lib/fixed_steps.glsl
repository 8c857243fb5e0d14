// Casts a ray by fixed steps, as in Hughes et al. 2013, for a measurement (bench cast --rerun cell-test). It
// replaces mask_walk.glsl. In each fine cube that the isovalue meets, the ray is sampled where it enters, then
// in steps of half a cell, and where it leaves. If two samples in a row are on different sides, the hit is
// interpolated linearly between them. A ray that enters and leaves the surface within one step finds no hit
// there.
//
// Include it after a push block that is named `pushed`.
#ifndef LIB_FIXED_STEPS
#define LIB_FIXED_STEPS

#include "walk.glsl"

#define STEP 0.5 // in cells

struct Sample {
    float t, value;
    bool there; // all samples of the cell are finite
};

Sample sample_at(Ray ray, float t, vec3 low, vec3 high, atlas_iso iso)
{
    const vec3 cell = cell_at(ray, t, low, high), place = clamp(ray_at(ray, t) - cell, 0.0, 1.0);
    const Corners corners = corners_of(uvec3(cell));
    const float v[8] = corner_values(corners, iso);
    const vec4 x = mix(vec4(v[0], v[2], v[4], v[6]), vec4(v[1], v[3], v[5], v[7]), place.x);
    const vec2 y = mix(x.xz, x.yw, place.y);
    bool there = true;
    if (HAS_INVALID != 0) {
        [[unroll]] for (uint i = 0; i < 8; i++) {
            there = there && key_finite(corners.keys[i]);
        }
    }
    return Sample(t, mix(y.x, y.y, place.z), there);
}

// As in mask_walk.glsl.
Walk walk_nowhere()
{
    return Walk(vec3(0.0), 0.0, 0, true);
}

uvec2 cast_ray(Ray ray, float begin, float end, atlas_iso iso, inout Walk walk)
{
    const cast_contour contour = contours.list[pushed.contour];
    end = min(ray_end(ray), end);
    walk = walk_begin(ray, begin, end);
    const float side = float(1u << CUBE_SHIFT), size = STEP / length(ray.direction);
    Sample before = Sample(0.0, 0.0, false), after = before;
    bool found = false;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        skip_cubes(walk, ray, end, contour);
        if (walk.ended) {
            break;
        }
        const vec3 low = floor(walk.cell / side) * side, high = min(low + side, LAST);
        const vec3 times = plane_times(ray, mix(low, high, ray.up));
        const float last = min(least_of(times), end);
        before = sample_at(ray, walk.t, low, high, iso);
        for (; walk.turns < CAST_TURNS && !found && before.t < last; walk.turns++) {
            after = sample_at(ray, min(before.t + size, last), low, high, iso);
            found = before.there && after.there && (before.value >= 0.0) != (after.value >= 0.0);
            if (!found) {
                before = after;
            }
        }
        leave(walk, ray, times, low, high, end);
        walk.ended = walk.ended || found;
    }
    uvec2 hit = uvec2(CAST_NOTHING);
    if (found) {
        const float part = before.value / (before.value - after.value);
        const float t = before.t + (after.t - before.t) * part;
        hit = hit_of(t, cell_at(ray, t, vec3(0.0), LAST), before.value >= 0.0);
    }
    return hit;
}

#endif
