// Two-sided studio light in view space: a key light from the upper left, a cool fill light from the
// right, ambient light of sky and ground, gloss, and at silhouettes some more light of the surface's
// own colour. The look of the view says how much of each. The side that faces lower values may have
// a chosen colour.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/picture.h"

layout(push_constant) uniform Push { surface_push push; };
layout(location = 0) in vec3 view_normal;
#ifdef OCCLUSION
layout(location = 1) in float light_around;
#endif
layout(location = 0) out vec4 colour;

const vec3 KEY = normalize(vec3(-0.58, 0.72, 0.42));
const vec3 FILL = normalize(vec3(0.80, 0.05, 0.45));

struct look {
    vec3 front, back; // colours, linear light
    float gloss, rim; // how strong
    float ambient;    // 1: as dark in the shade as bone
};
const look LOOKS[] = look[](
    look(vec3(0.700, 0.560, 0.385), vec3(0.130, 0.235, 0.330), 0.11, 0.25, 1.0),  // bone
    look(vec3(0.560, 0.255, 0.150), vec3(0.220, 0.200, 0.190), 0.00, 0.00, 1.3),  // clay
    look(vec3(0.800, 0.790, 0.770), vec3(0.330, 0.160, 0.110), 0.22, 0.35, 2.0)); // scan

// Products, because pow() is slow where a processor draws.
float square(float x)
{
    return x * x;
}

float power_48(float x)
{
    const float x_16 = square(square(square(square(x))));
    return x_16 * square(x_16);
}

void main()
{
    const uint style = push.style & SURFACE_STYLES;
    const uint look_number = push.style >> SURFACE_LOOK;
    const bool front = gl_FrontFacing == ((push.style & SURFACE_MIRRORED) == 0u);
    look own_look = LOOKS[0]; // an index that is not constant is slow where a processor draws
    if (look_number == 1u)
        own_look = LOOKS[1];
    else if (look_number == 2u)
        own_look = LOOKS[2];

    // The place in view space follows from the pixel, so that it need not be interpolated.
    const bool perspective = push.normal[2].w > 0.5;
    const ivec2 centre = ivec2(int(push.centre << 16) >> 16, int(push.centre) >> 16);
    const vec2 place = (gl_FragCoord.xy - 0.5 * vec2(centre)) * vec2(push.pixel, -push.pixel);
    const vec3 v = perspective ? normalize(vec3(-place, 1.0)) : vec3(0.0, 0.0, 1.0);
    vec3 towards = front ? view_normal : -view_normal;
    if ((push.style & SURFACE_FLAT) != 0u && style == SURFACE_LIT) { // the normal of the triangle
        const vec3 at = perspective ? vec3(place, -1.0) / gl_FragCoord.w
                                    : vec3(place, gl_FragCoord.z * push.normal[2].w);
        const vec3 own = cross(dFdx(at), dFdy(at));
        towards = dot(own, v) < 0.0 ? -own : own;
    }

    // At silhouettes the interpolated normal may point away from the viewer: bend it back to the
    // horizon.
    const float below = 0.02 * length(towards) - dot(towards, v);
    const vec3 n = normalize(towards + v * max(below, 1e-12));
    const float n_v = max(dot(n, v), 0.02);

    vec3 base = front ? own_look.front : own_look.back;
    if (front && push.colour != 0u) {
        const vec3 root = vec3(uvec3(push.colour >> 20, push.colour >> 10, push.colour) & 1023u);
        base = root * root / (1023.0 * 1023.0);
    }
    const float wrap = 0.15;
    const float key = max(0.0, (dot(n, KEY) + wrap) / (1.0 + wrap));
    const float fill = max(0.0, dot(n, FILL));
    const float sky = 0.5 + 0.5 * n.y;
    const vec3 ambient = mix(vec3(0.045, 0.038, 0.036), vec3(0.110, 0.128, 0.158), sky);
    vec3 light = base * (own_look.ambient * ambient + key * mix(key, 1.0, 0.25) * vec3(1.00, 0.94, 0.85) +
                         fill * vec3(0.120, 0.140, 0.170));

    const vec3 h = normalize(KEY + v);
    const float gloss = power_48(max(0.0, dot(n, h)));
    light += gloss * own_look.gloss * (front ? 1.0 : 0.5) * vec3(1.0, 0.97, 0.92);
    const float rim = square(square(1.0 - n_v));
    light += base * rim * own_look.rim * (0.4 + 0.6 * sky);

    if (style == SURFACE_LINES)
        light = light * 1.15 + base * 0.10;
    else if (style == SURFACE_EDGES)
        light = light * 0.22;
#ifdef OCCLUSION
    // A pixel that a triangle covers in part may lie beyond it, and its value beyond the corners'.
    const float around = clamp(light_around, 0.0, 1.0);
    light *= 0.04 + 0.96 * around * sqrt(around); // no place is quite dark
#endif
    // Compress bright values instead of clipping them.
    light = light / (1.0 + 0.18 * light * light);
    colour = vec4(light, 1.0);
}
