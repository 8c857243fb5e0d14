// Draws what shaders/cast/section.comp has found, at its depth: with several samples per pixel, in those that have
// it; otherwise as opaque as the share of the samples.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/light.glsl"

layout(push_constant) uniform Push { plane_push push; };
layout(std430, set = 0, binding = BINDING_COLOURS) readonly buffer Colours { uvec2 colours[]; };
layout(location = 0) out vec4 colour;

void main()
{
    const uvec2 at = uvec2(ivec2(gl_FragCoord.xy) - ivec2(push.x, push.y));
    const uvec2 own = colours[at.y * push.columns + at.x];
    if (own.x == COLOUR_NONE)
        discard;
    const uint mask = own.y & 0xffu;
    gl_SampleMask[0] = push.by_sample != 0u ? int(mask) : ~0;
    gl_FragDepth = float(own.y >> 8) / 16777215.0;
    colour = vec4(colour_unpacked(own.x), push.by_sample != 0u ? 1.0 : float(bitCount(mask)) / float(push.samples));
}
