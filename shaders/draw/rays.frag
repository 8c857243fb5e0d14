// Draws the hits of a cast, in their colours and at the depth that the surface of triangles has there. The
// alpha of a pixel at an edge is the share of its samples that have hit; of a pixel of layers it is theirs.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/light.glsl"
#include "shaders/shared/casting.h"

layout(std430, set = 0, binding = BINDING_HITS) readonly buffer Hits { uvec2 hits[]; };
layout(std430, set = 0, binding = BINDING_COLOURS) readonly buffer Colours { uvec2 colours[]; };
layout(location = 0) noperspective in vec2 ray;
layout(location = 1) flat in uvec3 size;
layout(location = 0) out vec4 colour;

void main()
{
    const uint at = uint(ray.y) * size.x + uint(ray.x);
    if (hits[at].y == CAST_NOTHING)
        discard;
    const uvec2 own = colours[at];
    if (own.x == COLOUR_NONE)
        discard;
    gl_FragDepth = colour_depth(own);
    colour = vec4(colour_unpacked(own.x), colour_alpha(own, size.z));
}
