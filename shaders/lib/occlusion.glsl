// Ambient occlusion: how much of the light from around reaches a point of the surface.
//
// Short rays go to the hemisphere on the visible side. More of them are near the normal, because
// light counts by the cosine. A ray widens on its way: it reads the share of solid space from ever
// coarser levels of the volume's cubes. So few rays see everything around, and neighbouring points
// get similar results: there is no noise.
//
// All points use the same directions relative to their normal. The only thing that depends on the
// camera is which side is visible.
#include "shaders/shared/bindings.h"
#include "shaders/shared/picture.h"

// A byte for each cube, 255 where it is solid. The levels are stored from fine to coarse.
layout(std430, set = 0, binding = BINDING_SOLID) readonly buffer Solid { uint solid[]; };
layout(std430, set = 0, binding = BINDING_LIGHT) readonly buffer Light { light_params light; };

const int STEPS = 5;        // steps of a ray, each about twice as far as the one before
const float START = 0.75;   // cubes from the surface to a ray's start: a plane must not hide itself
const float LEAST = 0.08;   // up to this share of solid space nothing is hidden
const float MOST = 0.40;    // from this share on everything is hidden
const float SHARPNESS = 1.0; // levels by which a ray is narrower than its length

float solid_byte(uint index)
{
    return float(solid[index >> 2] >> (index & 3u) * 8u & 255u);
}

// The solid share at a place, which is in units of cubes. Interpolates between the cubes of a level.
float solid_share(vec3 at, int level)
{
    const vec3 stored = vec3(light.to_cubes[0].w, light.to_cubes[1].w, light.to_cubes[2].w);
    const ivec3 size = ivec3(stored) >> level;
    const vec3 p = at * exp2(float(-level)) - 0.5;
    const vec3 low = floor(p);
    const ivec3 a = ivec3(low), b = a + 1;
    // Space outside the volume is empty.
    const vec3 wb = (p - low) * vec3(greaterThanEqual(b, ivec3(0))) * vec3(lessThan(b, size));
    const vec3 wa = (1.0 - p + low) * vec3(greaterThanEqual(a, ivec3(0))) * vec3(lessThan(a, size));
    uint first = 0u;
    for (int i = 0; i < level; i++) {
        const uvec3 finer = uvec3(stored) >> i;
        first += finer.x * finer.y * finer.z;
    }
    const uvec3 step = uvec3(1, size.x, size.x * size.y);
    const uvec3 ia = uvec3(clamp(a, ivec3(0), size - 1)) * step;
    const uvec3 ib = uvec3(clamp(b, ivec3(0), size - 1)) * step;
    const uint aa = first + ia.z + ia.y, ba = first + ia.z + ib.y;
    const uint ab = first + ib.z + ia.y, bb = first + ib.z + ib.y;
    const float near = (solid_byte(aa + ia.x) * wa.x + solid_byte(aa + ib.x) * wb.x) * wa.y +
                       (solid_byte(ba + ia.x) * wa.x + solid_byte(ba + ib.x) * wb.x) * wb.y;
    const float far = (solid_byte(ab + ia.x) * wa.x + solid_byte(ab + ib.x) * wb.x) * wa.y +
                      (solid_byte(bb + ia.x) * wa.x + solid_byte(bb + ib.x) * wb.x) * wb.y;
    return (near * wa.z + far * wb.z) / 255.0;
}

// The share that planes keep of a cube at a place, which has edges of 1 / scale.
float kept_share(vec3 at, float scale)
{
    const vec4 p = vec4(at, 1.0);
    const vec3 deep = vec3(dot(light.planes[0], p), dot(light.planes[1], p), dot(light.planes[2], p));
    const vec3 kept = clamp(deep * scale + 0.5, 0.0, 1.0);
    return light.extent.w > 0.5 ? max(max(kept.x, kept.y), kept.z) : min(min(kept.x, kept.y), kept.z);
}

// The share of light that reaches a place of the grid. `towards`: the normal in the grid, on the
// visible side. `inside`: that is the side of greater values, which then are the empty space.
float occlusion_light(vec3 place, vec3 towards, bool inside)
{
    const mat3 to_cubes = mat3(light.to_cubes[0].xyz, light.to_cubes[1].xyz, light.to_cubes[2].xyz);
    const mat3 to_scene = mat3(light.normal[0].xyz, light.normal[1].xyz, light.normal[2].xyz);
    const int rays = int(light.normal[2].w);
    const vec3 normal = to_scene * towards;
    const float size = length(normal);
    if (!(size > 0.0))
        return 1.0;
    const vec3 n = normal / size;
    // Two directions perpendicular to n. They change evenly with n, except near n = -z.
    const float turn = -1.0 / (1.0 + max(n.z, -0.9999));
    const vec3 s = normalize(vec3(1.0 + turn * n.x * n.x, turn * n.x * n.y, -n.x));
    const vec3 t = cross(n, s);
    const vec3 off = to_cubes * n;
    const vec3 start = place * light.normal[0].w + off * (START / length(off));

    float sum = 0.0;
    for (int i = 0; i < rays; i++) {
        const float share = (float(i) + 0.5) / float(rays);
        const float angle = 2.39996323 * float(i);
        const vec3 direction =
            sqrt(share) * (cos(angle) * s + sin(angle) * t) + sqrt(1.0 - share) * n;
        const vec3 along = to_cubes * direction;
        const float cubes = length(along);
        const float growth = log2(max(light.normal[1].w * cubes, 2.0)) / float(STEPS - 1);
        float reaches = 1.0;
        for (int k = 0; k < STEPS; k++) {
            const float far = exp2(growth * float(k));
            const vec3 at = start + along * (far / cubes);
            const int level = clamp(int(growth * float(k) - SHARPNESS + 0.5), 0, LIGHT_LEVELS - 1);
            float found = solid_share(at, level);
            if (inside) { // here, too, space outside the volume is empty, and what planes remove
                const float scale = exp2(float(-level));
                const vec3 within = clamp(min(at, light.extent.xyz - at) * scale + 0.5, 0.0, 1.0);
                found = max(within.x * within.y * within.z * kept_share(at, scale) - found, 0.0);
            }
            // Far space hides less.
            const float weight = 1.0 - float(k * k * k) / float(STEPS * STEPS * STEPS);
            reaches *= 1.0 - weight * clamp((found - LEAST) / (MOST - LEAST), 0.0, 1.0);
        }
        sum += reaches;
    }
    return sum / float(rays);
}
