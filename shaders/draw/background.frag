#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/srgb.glsl"

layout(location = 0) in float height;
layout(location = 1) flat in vec4 top; // sky_top of picture_block
layout(location = 2) flat in vec4 bottom; // w: squares per pixel; 0: a gradient
layout(location = 0) out vec4 colour;

void main()
{
    // Noise of half a step of 8 bits hides the bands that a dark gradient would show.
    const float noise = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy),
                                                     vec2(0.06711056, 0.00583715)))) - 0.5;
    const ivec2 square = ivec2(gl_FragCoord.xy * bottom.w);
    const float share = bottom.w > 0.0 ? float(square.x + square.y & 1)
                                            : smoothstep(0.0, 1.0, height);
    const vec3 shown = mix(bottom.rgb, top.rgb, share) + top.w * noise / 255.0;
    colour = vec4(linear(shown), 1.0);
}
