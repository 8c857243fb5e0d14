// Draws a side of a brick's box: lit, with dark edges.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/picture.glsl"
#include "shaders/lib/srgb.glsl"

layout(location = 0) in vec2 place;
layout(location = 1) flat in vec3 side;
layout(location = 0) out vec4 colour;

void main()
{
    const vec2 step = max(fwidth(place), 1e-6);
    const vec2 inwards = min(place, side.xy - place) / step; // pixels from the border
    const float edge = clamp(0.5 * picture.brick_edge + 0.5 - min(inwards.x, inwards.y), 0.0, 1.0);
    // Fades the edges where a side is only a few pixels wide: otherwise they would cover it.
    const vec2 size = side.xy / step;
    const float share = clamp(min(size.x, size.y) / 6.0, 0.0, 1.0);
    const vec3 face = linear(vec3(0.35, 0.62, 0.80)) * side.z;
    colour = vec4(mix(face, face * 0.12, edge * share), 1.0);
}
