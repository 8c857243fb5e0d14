// Draws the surface of triangles in the light of light.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/light.glsl"

layout(push_constant) uniform Push { picture_push push; };
layout(location = 0) in vec3 view_normal;
#ifdef OCCLUSION
layout(location = 1) in float light_around;
#endif
#ifdef CUT_DISCARD
layout(location = 3) in vec3 plane_distances;
#endif
layout(location = 0) out vec4 colour;

void main()
{
    const bool front = gl_FrontFacing == ((picture.style & SURFACE_MIRRORED) == 0u);

    // The place in view space is computed from the pixel: so it need not be interpolated.
    const bool perspective = picture.view.w > 0.5;
    const vec2 centre = 0.5 * vec2(push.centre_x, push.centre_y);
    const vec2 place = (gl_FragCoord.xy - centre) * vec2(picture.view.z, -picture.view.z);
    const vec3 v = perspective ? normalize(vec3(-place, 1.0)) : vec3(0.0, 0.0, 1.0);
    vec3 towards = front ? view_normal : -view_normal;
    if ((picture.style & SURFACE_FLAT) != 0u && push.style == SURFACE_LIT) { // use the triangle's normal
        const vec3 at = perspective ? vec3(place, -1.0) / gl_FragCoord.w
                                    : vec3(place, gl_FragCoord.z * picture.view.w);
        const vec3 own = cross(dFdx(at), dFdy(at));
        towards = dot(own, v) < 0.0 ? -own : own;
    }

    vec3 base;
    vec3 light = light_of(picture, picture.front[push.contour].rgb, front, towards, v, 1.0, base);
    if (push.style == SURFACE_LINES)
        light = light * 1.15 + base * 0.10;
    else if (push.style == SURFACE_EDGES)
        light = light * 0.22;
#ifdef OCCLUSION
    // A pixel's centre may be outside of the triangle. The value there may be outside of 0 to 1.
    light *= light_left(clamp(light_around, 0.0, 1.0));
#endif
    colour = vec4(light_compressed(light), 1.0);
#ifdef CUT_DISCARD
    const bvec3 keeps = greaterThanEqual(plane_distances, vec3(0.0));
    if ((picture.style & SURFACE_CUT_BY_ALL) != 0u ? !any(keeps) : !all(keeps))
        discard;
#endif
}
