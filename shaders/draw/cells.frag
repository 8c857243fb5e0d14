#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/picture.glsl"
#include "shaders/lib/ramp.glsl"

layout(location = 0) in vec2 place;
layout(location = 1) flat in vec3 faces;
layout(location = 2) flat in float in_list;
layout(location = 0) out vec4 colour;

const vec3 KEY = normalize(vec3(-0.58, 0.72, 0.42));

void main()
{
    const float distance = length(place);
    const float samples = abs(picture.cell_samples);
    const float covered = clamp(0.5 + (1.0 - distance) / max(fwidth(distance), 1e-6), 0.0, 1.0);
    const int count = int(covered * samples + 0.5);
    if (count == 0)
        discard;
    gl_SampleMask[0] = (1 << count) - 1;

    const float size = length(faces);
    vec3 n = size > 0.0 ? faces / size : vec3(0.0, 0.0, 1.0);
    n = n.z < 0.0 ? -n : n; // light both sides of the surface
    const float key = max(0.0, (dot(n, KEY) + 0.15) / 1.15);
    const float sky = 0.5 + 0.5 * n.y;
    // A point that is large enough looks like a ball: it is darker towards its edge.
    const float large = clamp(0.4 / max(fwidth(distance), 1e-6) - 0.8, 0.0, 1.0);
    const float ball = 1.0 - 0.5 * large * min(distance * distance, 1.0);
    if (picture.cell_samples < 0.0)
        colour = vec4(ramp(in_list) * (0.70 + 0.30 * min(key + 0.3 * sky, 1.0)) * ball, 1.0);
    else
        colour = vec4(vec3(0.62, 0.50, 0.35) * (0.20 + 0.14 * sky + 0.78 * key) * ball, 1.0);
}
