// The pixels at edges of a cast, as points; an instance for each sample of a pixel.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/bindings.h"
#include "shaders/shared/picture.h"

layout(push_constant) uniform Push { surface_push push; };
layout(std430, set = 0, binding = BINDING_EDGES_LIST) readonly buffer Edges { uint edges[]; };

layout(location = 0) flat out uvec2 ray; // the number of its points, and of its sample in the pixel

void main()
{
    const uint columns = push.style >> SURFACE_COLUMNS, samples = (push.style >> SURFACE_SCALE & SURFACE_SCALE_MASK) + 1;
    // From pixels to clip space.
    const ivec2 centre = ivec2(int(push.centre << 16) >> 16, int(push.centre) >> 16);
    gl_PointSize = 1.0;
    ray = uvec2(gl_VertexIndex * samples + gl_InstanceIndex, gl_InstanceIndex);
    const uint at = edges[gl_VertexIndex];
    const vec2 place = (vec2(at % columns, at / columns) + 0.5 - 0.5 * vec2(centre)) * push.pixel;
    gl_Position = vec4(place / vec2(push.normal[0].w, -push.normal[1].w), 0.0, 1.0);
}
