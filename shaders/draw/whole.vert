#version 460

void main() // one triangle that covers the picture
{
    gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 1.0, 1.0);
}
