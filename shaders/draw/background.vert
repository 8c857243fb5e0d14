#version 460
#extension GL_GOOGLE_include_directive : require
layout(location = 0) out float height;

void main() // one triangle that covers the picture
{
    const vec2 at = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    height = 0.5 - 0.5 * at.y;
    gl_Position = vec4(at, 1.0, 1.0);
}
