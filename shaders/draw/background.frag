#version 460
#extension GL_GOOGLE_include_directive : require
layout(location = 0) in float height;
layout(location = 0) out vec4 colour;

const vec3 TOP = vec3(0.235, 0.262, 0.302); // as displayed (sRGB)
const vec3 BOTTOM = vec3(0.082, 0.090, 0.106);

void main()
{
    // Noise of half a step of 8 bits hides the bands that a dark gradient would show.
    const float noise = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy),
                                                     vec2(0.06711056, 0.00583715)))) - 0.5;
    const vec3 shown = mix(BOTTOM, TOP, smoothstep(0.0, 1.0, height)) + noise / 255.0;
    colour = vec4(pow((shown + 0.055) / 1.055, vec3(2.4)), 1.0);
}
