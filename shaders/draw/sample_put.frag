// Draws one sample of each pixel, as sample_take.frag has packed it. The depth test keeps samples
// that are as near, so samples where nothing was drawn change nothing.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/bindings.h"
#include "shaders/shared/picture.h"

layout(set = 0, binding = BINDING_PACKED, std430) readonly buffer Values { uvec2 values[]; };
layout(push_constant) uniform Push { composite_push push; };
layout(location = 0) out vec4 colour; // the image has 8 bits per channel

void main()
{
    const uvec2 at = uvec2(gl_FragCoord.xy);
    const uvec2 value = values[at.y * push.width + at.x];
    colour = unpackUnorm4x8(value.x & 0xffffffu | 0xff000000u);
    gl_FragDepth = uintBitsToFloat(value.y);
    gl_SampleMask[0] = 1 << push.number;
}
