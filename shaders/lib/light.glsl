// The light of the surface. Two-sided studio light in view space: a key light from the upper left, a
// cool fill light from the right, ambient light of sky and ground, gloss, and at silhouettes some
// more light of the surface's own colour. The picture_block says how much of each.
#ifndef LIB_LIGHT
#define LIB_LIGHT

#include "shaders/lib/picture.glsl"

const vec3 KEY = normalize(vec3(KEY_LIGHT_X, KEY_LIGHT_Y, KEY_LIGHT_Z));
const vec3 FILL = normalize(vec3(0.80, 0.05, 0.45));

// Products, because pow() is slow where a processor draws.
float square(float x)
{
    return x * x;
}

float power_48(float x)
{
    const float x_16 = square(square(square(square(x))));
    return x_16 * square(x_16);
}

// A colour, linear, from 0 to 1, as a word: COLOUR_SOME, and the square roots of 10 bits each; and back.
const uint COLOUR_SOME = 1u << 30;

uint colour_packed(vec3 colour)
{
    const uvec3 root = uvec3(sqrt(clamp(colour, 0.0, 1.0)) * 1023.0 + 0.5);
    return COLOUR_SOME | root.x << 20 | root.y << 10 | root.z;
}

vec3 colour_unpacked(uint packed)
{
    const vec3 root = vec3(uvec3(packed >> 20, packed >> 10, packed) & 1023u);
    return root * root / (1023.0 * 1023.0);
}

// A pixel of rays, as it is drawn, is two words. The first one is a packed colour, or COLOUR_NONE. The second one
// is the depth, a float from 0 to 1. The number of samples that have hit takes the three bits that are free: bit
// 31 of the first word is its lowest bit, bits 30 and 31 of the second word are the others. 0 means all samples.
const uint COLOUR_NONE = 0u;

uvec2 colour_at(vec3 colour, float depth)
{
    return uvec2(colour_packed(colour), floatBitsToUint(clamp(depth, 0.0, 1.0)) & 0x3fffffffu);
}

// `hit`: of so many samples, 8 at most.
uvec2 colour_of_some(vec3 colour, float depth, uint hit, uint samples)
{
    const uint some = hit == samples ? 0u : hit;
    return colour_at(colour, depth) | uvec2((some & 1u) << 31, some >> 1 << 30);
}

float colour_depth(uvec2 own)
{
    return uintBitsToFloat(own.y & 0x3fffffffu);
}

uint colour_samples(uvec2 own, uint samples)
{
    const uint some = own.x >> 31 | own.y >> 30 << 1;
    return some == 0u ? samples : some;
}

// What of the surface's light, linear, comes to the eye. `n_towards`: its normal on the side that is
// seen, of any length; `v`: the unit vector towards the eye. `key_left`: the share of the key light that no
// shadow takes. `base` gets the colour of that side.
vec3 light_of(picture_block block, bool front, vec3 n_towards, vec3 v, float key_left, out vec3 base)
{
    // At silhouettes the interpolated normal may point away from the viewer: bend it back to the
    // horizon.
    const float below = 0.02 * length(n_towards) - dot(n_towards, v);
    const vec3 n = normalize(n_towards + v * max(below, 1e-12));
    const float n_v = max(dot(n, v), 0.02);

    base = mix(block.back.rgb, block.front.rgb, bvec3(front));
    const float wrap = 0.15;
    const float key = max(0.0, (dot(n, KEY) + wrap) / (1.0 + wrap));
    const float lit = key_left * key * mix(key, 1.0, 0.25);
    const float fill = max(0.0, dot(n, FILL));
    const float sky = 0.5 + 0.5 * n.y;
    const vec3 ambient = mix(vec3(0.045, 0.038, 0.036), vec3(0.110, 0.128, 0.158), sky);
    vec3 light = base * (block.ambient * ambient + lit * vec3(1.00, 0.94, 0.85) +
                         fill * vec3(0.120, 0.140, 0.170));

    const vec3 h = normalize(KEY + v);
    const float gloss = power_48(max(0.0, dot(n, h)));
    light += key_left * gloss * block.gloss * (front ? 1.0 : 0.5) * vec3(1.0, 0.97, 0.92);
    const float rim = square(square(1.0 - n_v));
    return light + base * rim * block.rim * (0.4 + 0.6 * sky);
}

// The share of light that the surroundings leave, from 0 to 1, as a factor: no place is quite dark.
float light_left(float around)
{
    return 0.04 + 0.96 * around * sqrt(around);
}

// Compresses bright values instead of clipping them.
vec3 light_compressed(vec3 light)
{
    return light / (1.0 + 0.18 * light * light);
}

#endif
