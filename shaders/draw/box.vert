// The edges of the volume's box. Each is a strip of two pixels. Its alpha falls from its middle to its
// sides: so the line is smooth, no matter how many samples a pixel has.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/picture.glsl"

layout(location = 0) noperspective out float across; // distance from the middle of the line, in pixels

// One end of an edge, in clip space.
vec4 end_of(int edge, float end)
{
    const int axis = edge >> 2;
    vec3 at = vec3(0.0);
    at[axis] = end;
    at[(axis + 1) % 3] = float(edge & 1);
    at[(axis + 2) % 3] = float(edge >> 1 & 1);
    return picture.clip * vec4(at * picture.extent.xyz, 1.0);
}

void main() // 72 vertices: 12 edges, 4 along each axis, of two triangles each
{
    const int edge = gl_VertexIndex / 6, corner = int[](0, 1, 2, 2, 1, 3)[gl_VertexIndex % 6];
    vec4 from = end_of(edge, 0.0), to = end_of(edge, 1.0);
    if (from.z < 0.0 && to.z < 0.0) { // the whole edge is nearer than the near plane
        across = 0.0;
        gl_Position = vec4(0.0, 0.0, -1.0, 1.0);
        return;
    }
    const float plane = from.z / (from.z - to.z); // where the edge meets the near plane
    if (from.z < 0.0)
        from = mix(from, to, plane);
    if (to.z < 0.0)
        to = mix(from, to, plane);
    const vec2 along = (to.xy / to.w - from.xy / from.w) / picture.pixel;
    const float pixels = length(along);
    const vec2 normal = pixels > 0.0 ? vec2(-along.y, along.x) / pixels : vec2(1.0, 0.0);
    const vec4 at = (corner & 1) != 0 ? to : from;
    across = (corner & 2) != 0 ? 1.0 : -1.0;
    gl_Position = at + vec4(across * at.w * normal * picture.pixel, 0.0, 0.0);
}
