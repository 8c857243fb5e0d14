// The share of the key light that a place of the surface gets: the mean over the nearby hits that are on
// the same surface. Each of these hits has sent different rays (shadow_ray.glsl).
#ifndef LIB_SHADOW_MEAN
#define LIB_SHADOW_MEAN

#include "buffers.glsl"
#include "shaders/shared/casting.h"

READS(shades, BINDING_SHADES, uint)
BUFFER(restrict, points, BINDING_POINTS, vec3) // positions are read, normals may be written

const int AROUND = SHADOW_SIDE / 2;

// Whether a neighbour is on the same surface: then `way`, the vector to it, is near the tangent plane.
bool shadow_beside(vec3 way, vec3 normal)
{
    const float above = dot(way, normal);
    return above * above <= 0.25 * dot(way, way);
}

// `pixel`: the cast's pixel that sees `place`. `far`: from the side of greater values. `normal`: has length
// 1.
float shadow_mean(shadow_push push, ivec2 pixel, vec3 place, vec3 normal, bool far)
{
    const ivec2 low = max(pixel - AROUND, 0);
    const ivec2 high = min(pixel + AROUND, ivec2(push.width, push.height) - 1);
    uint reaching = 0, all = 0;
    ivec2 at = low;
    do {
        const uint other = uint(at.y) * push.width + uint(at.x), shade = shades[other];
        if (shade != SHADOW_NONE && ((shade & CAST_BACK) != 0) == far &&
            shadow_beside(points[2 * other] - place, normal)) {
            reaching += uint(bitCount(shade & ~CAST_BACK));
            all += SHADOW_RAYS;
        }
        at.x++;
        if (at.x > high.x) {
            at = ivec2(low.x, at.y + 1);
        }
    } while (at.y <= high.y);
    return all > 0 ? float(reaching) / float(all) : 1.0;
}

#endif
