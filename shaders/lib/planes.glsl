// What planes keep along a ray. What they remove is convex, or what they keep is: so what they keep begins behind a
// plane once at most.
#ifndef LIB_PLANES
#define LIB_PLANES

#include "contours.glsl"
#include "ray.glsl"

const float NEVER = 3e38;

// Where a ray meets a plane.
float plane_time(Ray ray, float plane[4])
{
    const vec3 normal = vec3(plane[0], plane[1], plane[2]);
    precise const float t = -(dot(normal, ray.start) + plane[3]) / dot(normal, ray.direction);
    return t;
}

struct Kept {
    float begin; // what is kept begins here, behind a plane; NEVER: nowhere
    float end;   // what is kept ends here; with clip_all it goes on from `begin` on
    uint plane;  // the plane where it begins
};

Kept kept_along(Ray ray)
{
    const bool all = contours.clip_all != 0;
    float enter = all ? NEVER : -NEVER, leave = -enter;
    bool never = false; // by a plane that the ray is parallel to
    uint plane = 0;
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
    if (all) { // what is from `leave` to `enter` is removed
        return leave < enter && !never ? Kept(enter, leave, plane) : Kept(NEVER, NEVER, plane);
    }
    const bool some = enter < leave && !never;
    return Kept(some && enter > -NEVER ? enter : NEVER, some ? leave : -NEVER, plane);
}

// Whether the planes cut all contours.
bool planes_cut_all()
{
    return CAST_MANY != 0 && contours.plane_count > 0 && contours.clipped == (1u << contours.count) - 1;
}

// Where the search along a ray begins, not before `begin`: if planes cut all contours, in the first cell in which they
// keep something. It begins where the ray enters this cell: so planes change no hit.
float search_begin(Ray ray, float begin)
{
    float t = ray_begin(ray, begin);
    if (planes_cut_all()) {
        const Kept kept = kept_along(ray);
        const bool removed = contours.clip_all != 0 ? kept.end <= t : true;
        if (removed && kept.begin < NEVER && kept.begin > t) {
            const vec3 cell = cell_at(ray, kept.begin, vec3(0.0), LAST);
            t = max(t, greatest_of(plane_times(ray, mix(cell + 1.0, cell, ray.up))));
        }
    }
    return t;
}

// Where the search ends: if planes cut all contours, behind the last cell in which they keep something.
float search_end(Ray ray)
{
    float t = ray_end(ray);
    if (planes_cut_all() && contours.clip_all == 0) {
        const float end = kept_along(ray).end;
        if (end < t) {
            const vec3 cell = cell_at(ray, end, vec3(0.0), LAST);
            t = end == -NEVER ? end : min(t, least_of(plane_times(ray, mix(cell, cell + 1.0, ray.up))));
        }
    }
    return t;
}

#endif
