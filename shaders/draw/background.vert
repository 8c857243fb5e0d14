#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/picture.h"

layout(push_constant) uniform Push { background_push push; };
layout(location = 0) out float height;
// Passed on to the fragment shader: there llvmpipe reads a push constant one lane after the other.
layout(location = 1) flat out vec4 top;
layout(location = 2) flat out vec4 bottom;

void main() // one triangle that covers the picture
{
    top = push.top;
    bottom = vec4(push.bottom.rgb, push.bottom.w > 0.0 ? 1.0 / push.bottom.w : 0.0);
    const vec2 at = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    height = 0.5 - 0.5 * at.y;
    gl_Position = vec4(at, 1.0, 1.0);
}
