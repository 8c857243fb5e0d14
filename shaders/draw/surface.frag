// Two-sided studio light in view space: a key light from the upper left, a cool fill light from the
// right, ambient light of sky and ground, gloss, and at silhouettes some more light of the surface's
// own colour. The look of the view says how much of each. The side that faces lower values may have
// a chosen colour.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/picture.h"
#include "shaders/lib/srgb.glsl"

layout(push_constant) uniform Push { surface_push push; };
layout(location = 0) in vec3 view_normal;
layout(location = 1) in vec3 view_position;
layout(location = 2) in float light_around;
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

void main()
{
    const bool front = gl_FrontFacing == (push.flags.x > 0.0);
    const look own_look = LOOKS[int(abs(push.flags.x)) - 1];
    const vec3 v = push.normal[2].w > 0.5 ? normalize(-view_position) : vec3(0.0, 0.0, 1.0);
    vec3 towards = front ? view_normal : -view_normal;
    if (push.flags.z > 0.5 && push.flags.y == float(SURFACE_LIT)) { // the normal of the triangle
        const vec3 own = cross(dFdx(view_position), dFdy(view_position));
        towards = dot(own, v) < 0.0 ? -own : own;
    }
    const float size = length(towards);
    vec3 n = size > 0.0 ? towards / size : v;

    // At silhouettes the interpolated normal may point away from the viewer: bend it back to the
    // horizon.
    const float facing = dot(n, v);
    if (facing < 0.02)
        n = normalize(n + v * (0.02 - facing));
    const float n_v = max(dot(n, v), 0.02);

    vec3 base = front ? own_look.front : own_look.back;
    if (front && push.flags.w > 0.0) {
        const uint rgb = uint(push.flags.w) - 1u;
        base = linear(vec3(rgb >> 16, rgb >> 8 & 255u, rgb & 255u) / 255.0);
    }
    const float wrap = 0.15;
    const float key = max(0.0, (dot(n, KEY) + wrap) / (1.0 + wrap));
    const float fill = max(0.0, dot(n, FILL));
    const float sky = 0.5 + 0.5 * n.y;
    const vec3 ambient = mix(vec3(0.045, 0.038, 0.036), vec3(0.110, 0.128, 0.158), sky);
    vec3 light = base * (own_look.ambient * ambient + key * mix(key, 1.0, 0.25) * vec3(1.00, 0.94, 0.85) +
                         fill * vec3(0.120, 0.140, 0.170));

    const vec3 h = normalize(KEY + v);
    const float gloss = pow(max(0.0, dot(n, h)), 48.0);
    light += gloss * own_look.gloss * (front ? 1.0 : 0.5) * vec3(1.0, 0.97, 0.92);
    const float rim = pow(1.0 - n_v, 4.0);
    light += base * rim * own_look.rim * (0.4 + 0.6 * sky);

    if (push.flags.y == float(SURFACE_LINES))
        light = light * 1.15 + base * 0.10;
    else if (push.flags.y == float(SURFACE_EDGES))
        light = light * 0.22;
    // A pixel that a triangle covers in part may lie beyond it, and its value beyond the corners'.
    const float around = clamp(light_around, 0.0, 1.0);
    light *= 0.04 + 0.96 * around * sqrt(around); // no place is quite dark
    // Compress bright values instead of clipping them.
    light = light / (1.0 + 0.18 * light * light);
    colour = vec4(light, 1.0);
}
