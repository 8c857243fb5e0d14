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
#ifdef CUT_DISCARD
layout(location = 3) out vec3 plane_distances; // 0 or more where a plane keeps the point
#endif
#ifdef OCCLUSION
layout(location = 1) out float light_around; // share of light that occlusion leaves, 0 to 1
#endif

void main()
{
    gl_Position = picture.clip * vec4(position, 1.0);
#if defined(CUT_CLIP) || defined(CUT_DISCARD)
    const vec4 at = vec4(position, 1.0);
    vec3 kept = vec3(dot(picture.planes[0], at), dot(picture.planes[1], at), dot(picture.planes[2], at));
    if (push.cut == 0u)
        kept = vec3(1.0);
#ifdef CUT_CLIP
    gl_ClipDistance[0] = kept.x;
    gl_ClipDistance[1] = kept.y;
    gl_ClipDistance[2] = kept.z;
#else
    plane_distances = kept;
#endif
#endif
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
