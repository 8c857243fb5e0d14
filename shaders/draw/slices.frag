#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/listed.glsl"
#include "shaders/lib/picture.glsl"
#include "shaders/lib/ramp.glsl"

FETCHES(levels, BINDING_LEVELS)
layout(push_constant) uniform Push { slices_push push; };
layout(location = 0) in vec2 place;
layout(location = 1) flat in vec2 high;
layout(location = 2) flat in vec2 pixels;
layout(location = 3) flat in float in_list;
layout(location = 4) flat in uvec2 level;
layout(location = 0) out vec4 colour;

void main()
{
    if (any(greaterThan(place, high)))
        discard; // the other half of the triangle
    const uvec2 tile = uvec2(place / pixels / (picture.extent.xy + 1.0));
    if ((push.what & SLICES_CELLS) != 0u)
        colour = vec4(ramp(in_list), 1.0);
    else if (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, high - 1.0)))
        colour = vec4(vec3(0.30), 1.0); // the frame
    else if ((push.what & SLICES_LEVEL) != 0u) {
        const uvec2 at = uvec2(place / pixels);
        const uint sum = texelFetch(levels, int(level.x + at.y * level.y + at.x)).x;
        const float share = float(sum) * exp2(-2.0 * float(push.level));
        colour = vec4(sum == 0u ? vec3(0.012) : ramp(sqrt(share)), 1.0);
    } else if ((push.what & SLICES_LIST) != 0u || tile.y * push.cols + tile.x > uint(picture.extent.z))
        colour = vec4(vec3(0.012), 1.0); // no slice here
    else
        colour = vec4(vec3(((tile.x ^ tile.y) & 1u) == 0u ? 0.024 : 0.036), 1.0); // neighbouring tiles differ
}
