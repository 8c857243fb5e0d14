#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shaders/shared/bindings.h"

layout(set = 0, binding = BINDING_DRAWN) uniform texture2D picture; // has the window's size
layout(location = 0) out vec4 colour;

void main()
{
    colour = vec4(texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb, 1.0);
}
