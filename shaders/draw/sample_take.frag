// Packs one sample of each pixel. The least packed number of several ranks is the nearest sample.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shaders/shared/bindings.h"
#include "shaders/shared/picture.h"

#ifdef ONE_SAMPLE
#define SAMPLES texture2D
#else
#define SAMPLES texture2DMS
#endif
layout(set = 0, binding = BINDING_DRAWN) uniform SAMPLES colours; // 8 bits per channel, as 0 to 1
layout(set = 0, binding = BINDING_DEPTHS) uniform SAMPLES depths;
layout(push_constant) uniform Push { composite_push push; };
layout(location = 0) out uvec2 value;

void main()
{
    const ivec2 at = ivec2(gl_FragCoord.xy);
    const int number = int(push.number); // the sample's; with ONE_SAMPLE the level, also 0
    const uint colour = packUnorm4x8(texelFetch(colours, at, number));
    const uint depth = floatBitsToUint(texelFetch(depths, at, number).r);
    value = uvec2(push.order << COMPOSITE_ORDER | colour & 0xffffffu, depth & 0x7fffffffu);
}
