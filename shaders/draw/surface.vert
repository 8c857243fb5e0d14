#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/picture.glsl"
#ifdef OCCLUSION
#include "shaders/lib/occlusion.glsl"
#endif

layout(push_constant) uniform Push { picture_push push; };
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 view_normal;
#ifdef OCCLUSION
layout(location = 1) out float light_around; // share of light that occlusion leaves, 0 to 1
#endif

void main()
{
    gl_Position = picture.clip * vec4(position, 1.0);
    if (push.style == SURFACE_EDGES) // moves edges in front of their faces
        gl_Position.z -= 2e-4 * gl_Position.w * (picture.view.w > 0.5 ? 0.25 : 1.0);
    view_normal = mat3(picture.normal[0].xyz, picture.normal[1].xyz, picture.normal[2].xyz) * normal;
#ifdef OCCLUSION
    // At silhouettes the normal of a vertex on a visible side may point slightly away from the eye.
    const vec2 place = gl_Position.xy * picture.view.xy;
    const vec3 v = picture.view.w > 0.5 ? normalize(vec3(-place, gl_Position.w)) : vec3(0.0, 0.0, 1.0);
    const bool inside = dot(view_normal, v) < -0.3 * length(view_normal);
    light_around = occlusion_light(position, inside ? -normal : normal, inside);
#endif
}
