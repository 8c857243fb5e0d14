#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/picture.h"

layout(push_constant) uniform Push { overlay_push push; };
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 place;
layout(location = 2) in vec4 tint;
layout(location = 0) out vec2 at;
layout(location = 1) out vec4 colour;

void main()
{
    at = place;
    colour = tint;
    if (push.linear != 0u)
        colour.rgb = mix(pow((tint.rgb + 0.055) / 1.055, vec3(2.4)), tint.rgb / 12.92,
                         lessThanEqual(tint.rgb, vec3(0.04045)));
    gl_Position = vec4((position - push.origin) * push.scale - 1.0, 0.0, 1.0);
}
