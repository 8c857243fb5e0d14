#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/picture.h"

layout(push_constant) uniform Push { box_push push; };

void main() // 24 vertices: 12 edges, 4 along each axis
{
    const int axis = gl_VertexIndex >> 3, corner = gl_VertexIndex >> 1 & 3;
    vec3 at = vec3(0.0);
    at[axis] = float(gl_VertexIndex & 1);
    at[(axis + 1) % 3] = float(corner & 1);
    at[(axis + 2) % 3] = float(corner >> 1);
    gl_Position = push.clip * vec4(at * push.extent.xyz, 1.0);
}
