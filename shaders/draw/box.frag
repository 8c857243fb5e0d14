#version 460
#extension GL_GOOGLE_include_directive : require
layout(location = 0) noperspective in float across;
layout(location = 0) out vec4 colour;

void main()
{
    colour = vec4(0.26, 0.31, 0.38, 1.0 - abs(across));
}
