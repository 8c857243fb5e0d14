#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/picture.glsl"

layout(location = 0) out float height;
// The vertex shader reads the uniforms: in the fragment shader llvmpipe reads one lane after the other.
layout(location = 1) flat out vec4 top;
layout(location = 2) flat out vec4 bottom;

void main() // one triangle that covers the picture
{
    top = picture.sky_top;
    bottom = vec4(picture.sky_bottom.rgb, picture.sky_bottom.w > 0.0 ? 1.0 / picture.sky_bottom.w : 0.0);
    const vec2 at = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    height = 0.5 - 0.5 * at.y;
    gl_Position = vec4(at, 1.0, 1.0);
}
