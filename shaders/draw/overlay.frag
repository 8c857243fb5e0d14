#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/bindings.h"

layout(set = 0, binding = BINDING_GLYPHS) uniform sampler2D glyphs; // coverage
layout(location = 0) in vec2 at;
layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 result;

void main()
{
    result = vec4(colour.rgb, colour.a * texture(glyphs, at).r);
}
