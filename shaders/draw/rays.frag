// The hits of a cast, in the light and at the depth that the surface of triangles has there. A pixel at an
// edge has several: it has their mean colour, their share of the pixel as its alpha, and the least depth.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shaders/lib/light.glsl"
#include "shaders/shared/bindings.h"
#include "shaders/shared/casting.h"
#include "shaders/shared/picture.h"
#ifdef OCCLUSION
#include "shaders/lib/occlusion.glsl"
#endif

layout(push_constant) uniform Push { surface_push push; };
layout(std430, set = 0, binding = BINDING_HITS) readonly buffer Hits { uvec2 hits[]; };
layout(scalar, set = 0, binding = BINDING_POINTS) readonly buffer Points { vec3 points[]; };
layout(scalar, set = 0, binding = BINDING_EDGE_POINTS) readonly buffer EdgePoints { vec3 edge_points[]; };
layout(location = 0) noperspective in vec2 ray;
layout(location = 0) out vec4 colour;

// The colour of a place of the surface; sets `depth`.
vec3 colour_of(vec3 position, vec3 normal, bool front, out float depth)
{
    const vec4 clip = push.clip * vec4(position, 1.0);
    depth = clip.z / clip.w;
    const bool perspective = push.normal[2].w > 0.5;
    const vec2 place = clip.xy * vec2(push.normal[0].w, push.normal[1].w);
    const vec3 v = perspective ? normalize(vec3(-place, clip.w)) : vec3(0.0, 0.0, 1.0);
    const vec3 view_normal = mat3(push.normal[0].xyz, push.normal[1].xyz, push.normal[2].xyz) * normal;
    const float key_left = (push.style & SURFACE_SHADOWED) != 0u ? 2.0 - length(normal) : 1.0;
    vec3 base;
    vec3 light = light_of(front, front ? view_normal : -view_normal, v,
                          push.style >> SURFACE_LOOK & SURFACE_LOOK_MASK, push.colour, key_left, base);
#ifdef OCCLUSION
    light *= light_left(clamp(occlusion_light(position, front ? normal : -normal, !front), 0.0, 1.0));
#endif
    return light_compressed(light);
}

void main()
{
    const uint columns = push.style >> SURFACE_COLUMNS & SURFACE_COLUMNS_MASK;
    const uint at = uint(ray.y) * columns + uint(ray.x);
    const uvec2 hit = hits[at];
    if (hit.y == CAST_NOTHING)
        discard;
    // Of a pixel at an edge the centre stands for the samples without a ray of their own.
    const uint samples = (push.style >> SURFACE_SAMPLES & 7u) + 1u;
    const bool edge = hit.y >= CAST_EDGE;
    const uint rays = edge ? uint(bitCount(hit.y & EDGE_SAMPLES)) : 0u;
    const bool centre_hit = !edge || (hit.y & CAST_EDGE_HIT) != 0u;
    const uint back = edge ? CAST_EDGE_BACK : CAST_BACK;
    float depth = 1.0;
    uint count = centre_hit ? samples - rays : 0u;
    vec3 sum = vec3(0.0);
    if (count > 0u)
        sum = float(count) * colour_of(points[2 * at], points[2 * at + 1], (hit.y & back) == 0u, depth);
    for (uint i = 0u; i < rays; i++) {
        const uint point = 2u * (hit.x + i);
        const vec3 position = edge_points[point], normal = edge_points[point + 1u];
        if (normal != vec3(0.0)) {
            const bool front = position.x >= 0.0;
            float own;
            sum += colour_of(front ? position : -1.0 - position, normal, front, own);
            depth = min(depth, own);
            count++;
        }
    }
    if (count == 0u)
        discard;
    gl_FragDepth = depth;
    colour = vec4(sum / float(count), float(count) / float(samples));
}
