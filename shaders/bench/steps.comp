#version 460
// Casts a ray per pixel by fixed steps, as in Hughes et al. 2013, for a measurement (bench cast --rerun
// cell-test). In each fine cube that the isovalue meets, the ray is sampled where it enters, in steps of
// half a cell, and where it leaves. Where one sample is inside and the next one outside, the hit is
// interpolated linearly between them. A ray that enters and leaves the surface within one step finds no hit
// there.

#include "hits.glsl"
#include "spans.glsl"
#include "squares.glsl"
#include "walk.glsl"

#define STEP 0.5 // cells

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

struct Sample {
    float t, value;
    bool there; // in a cell whose samples are finite
};

Sample sample_at(Ray ray, float t, vec3 low, vec3 high, Iso iso)
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

// The hit of a ray, see CAST_BACK.
uvec2 cast_ray(inout Walk walk, Ray ray, float end, Iso iso)
{
    const float side = float(1u << CUBE_SHIFT), size = STEP / length(ray.direction);
    Sample before = Sample(0.0, 0.0, false), after = before;
    bool found = false;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        skip_cubes(walk, ray, end, push.cubes_most, push.cubes_least);
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

void main()
{
    uvec2 pixel;
    const bool there = pixel_of_lane(push.width, push.height, pixel);
    const uint at = pixel.y * push.width + pixel.x;
    Walk walk = Walk(vec3(0.0), 0.0, 0, true);
    uvec2 hit = uvec2(CAST_NOTHING);
    float begin, end;
    if (there && span_of_pixel(pixel, push.width, begin, end)) {
        const Ray ray = ray_of_pixel(push, pixel);
        const Iso iso = Iso(push.key, push.iso_key, push.iso_high, push.iso_low, push.iso_exponent);
        end = min(ray_end(ray), end);
        walk = walk_begin(ray, max(push.begin, begin), end);
        hit = cast_ray(walk, ray, end, iso);
    }
    const bool has = hit.y != CAST_NOTHING;
    if (has) { // the others are so before
        const uvec2 tile = pixel / CAST_TILE;
        hits[at] = hit;
        tiles[tile.y * ((push.width - 1) / CAST_TILE + 1) + tile.x] = 1; // as others may do, too
    }
    if (there && !walk.ended) {
        atomicAdd(hit_counts.spare, 1);
    }
    list_hit(has, at);
}
