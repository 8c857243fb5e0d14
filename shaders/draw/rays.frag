// The hits of a cast, in their colours and at the depth that the surface of triangles has there. A pixel at an
// edge has several: it has their mean colour, their share of the pixel as its alpha, and the least depth.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/light.glsl"
#include "shaders/shared/bindings.h"
#include "shaders/shared/casting.h"
#include "shaders/shared/picture.h"

layout(push_constant) uniform Push { surface_push push; };
layout(std430, set = 0, binding = BINDING_HITS) readonly buffer Hits { uvec2 hits[]; };
layout(std430, set = 0, binding = BINDING_COLOURS) readonly buffer Colours { uvec2 colours[]; };
layout(std430, set = 0, binding = BINDING_EDGE_COLOURS) readonly buffer EdgeColours { uvec2 edge_colours[]; };
layout(location = 0) noperspective in vec2 ray;
layout(location = 0) out vec4 colour;

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
    float depth = 1.0;
    uint count = centre_hit ? samples - rays : 0u;
    vec3 sum = vec3(0.0);
    if (count > 0u) {
        const uvec2 centre = colours[at];
        sum = float(count) * colour_unpacked(centre.x);
        depth = uintBitsToFloat(centre.y);
    }
    for (uint i = 0u; i < rays; i++) {
        const uvec2 own = edge_colours[hit.x + i];
        if (own.x != 0u) {
            sum += colour_unpacked(own.x);
            depth = min(depth, uintBitsToFloat(own.y));
            count++;
        }
    }
    if (count == 0u)
        discard;
    gl_FragDepth = depth;
    colour = vec4(sum / float(count), float(count) / float(samples));
}
