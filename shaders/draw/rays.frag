// The hits of a cast, in the light and at the depth that the surface of triangles has there. EDGES: those of
// a sample of each pixel at an edge; the others leave these pixels out.
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
#ifdef EDGES
layout(scalar, set = 0, binding = BINDING_EDGE_POINTS) readonly buffer Points { vec3 points[]; };
layout(location = 0) flat in uvec2 ray; // the number of its points, and of its sample in the pixel
#else
layout(std430, set = 0, binding = BINDING_HITS) readonly buffer Hits { uvec2 hits[]; };
layout(scalar, set = 0, binding = BINDING_POINTS) readonly buffer Points { vec3 points[]; };
layout(location = 0) noperspective in vec2 ray;
#endif
layout(location = 0) out vec4 colour;

void main()
{
#ifdef EDGES
    const vec3 stored = points[2 * ray.x], normal = points[2 * ray.x + 1];
    if (normal == vec3(0.0))
        discard;
    gl_SampleMask[0] = 1 << ray.y;
    const bool front = stored.x >= 0.0;
    const vec3 position = front ? stored : -1.0 - stored;
#else
    const uint columns = push.style >> SURFACE_COLUMNS;
    const uint at = uint(ray.y) * columns + uint(ray.x);
    const uint hit = hits[at].y;
    if (hit == CAST_NOTHING)
        discard;
    const bool front = (hit & CAST_BACK) == 0u;
    const vec3 position = points[2 * at], normal = points[2 * at + 1];
#endif
    const vec4 clip = push.clip * vec4(position, 1.0);
    gl_FragDepth = clip.z / clip.w;

    const bool perspective = push.normal[2].w > 0.5;
    const vec2 place = clip.xy * vec2(push.normal[0].w, push.normal[1].w);
    const vec3 v = perspective ? normalize(vec3(-place, clip.w)) : vec3(0.0, 0.0, 1.0);
    const vec3 view_normal = mat3(push.normal[0].xyz, push.normal[1].xyz, push.normal[2].xyz) * normal;
    vec3 base;
    vec3 light = light_of(front, front ? view_normal : -view_normal, v,
                          push.style >> SURFACE_LOOK & SURFACE_LOOK_MASK, push.colour, base);
#ifdef OCCLUSION
    light *= light_left(clamp(occlusion_light(position, front ? normal : -normal, !front), 0.0, 1.0));
#endif
    colour = vec4(light_compressed(light), 1.0);
}
