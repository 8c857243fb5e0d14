// The light of the surface: studio light in view space that lights both sides. It has a key light from the upper
// left, a cool fill light from the right, ambient light of sky and ground, gloss, and some more light of the
// surface's own colour at silhouettes. The picture_block has the strengths.
#ifndef LIB_LIGHT
#define LIB_LIGHT

#include "shaders/lib/picture.glsl"

const vec3 KEY = normalize(vec3(KEY_LIGHT_X, KEY_LIGHT_Y, KEY_LIGHT_Z));
const vec3 FILL = normalize(vec3(0.80, 0.05, 0.45));

// Products instead of pow(), which is slow on a CPU.
float square(float x)
{
    return x * x;
}

float power_48(float x)
{
    const float x_16 = square(square(square(square(x))));
    return x_16 * square(x_16);
}

// Packs a linear colour, from 0 to 1, into a word: COLOUR_SOME, and the square roots in 10 bits each. And back.
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

// A pixel of rays is two words: a packed colour, or COLOUR_NONE; and the depth, a float from 0 to 1. Three bits
// are free for the number of samples that have hit: its lowest bit is bit 31 of the first word, the others are
// bits 30 and 31 of the second word. 0 means all samples.
const uint COLOUR_NONE = 0u;

uvec2 colour_at(vec3 colour, float depth)
{
    return uvec2(colour_packed(colour), floatBitsToUint(clamp(depth, 0.0, 1.0)) & 0x3fffffffu);
}

// The colour of a pixel where `hit` of its `samples` samples have hit; at most 8 samples.
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

// The colour of a pixel of layers, which together take the share `alpha` of the light behind them. The lowest bits
// of the depth are the alpha, in steps of 1 / LAYERS_ALPHA.
const uint LAYERS_ALPHA = 1023;

uvec2 colour_of_layers(vec3 colour, float alpha, float depth)
{
    const uvec2 own = colour_at(colour, depth);
    return uvec2(own.x, own.y & ~LAYERS_ALPHA | uint(alpha * float(LAYERS_ALPHA) + 0.5));
}

// The share of the background that a pixel takes. `samples`: of a pixel; 0: it is a pixel of layers.
float colour_alpha(uvec2 own, uint samples)
{
    return samples == 0 ? float(own.y & LAYERS_ALPHA) / float(LAYERS_ALPHA)
                        : float(colour_samples(own, samples)) / float(samples);
}

// The linear light from the surface to the eye. `n_towards`: the normal on the visible side, of any length. `v`:
// the unit vector towards the eye. `key_left`: the share of the key light that is not in shadow. `front_colour`:
// that of the contour. `base` gets the colour of the visible side.
vec3 light_of(picture_block block, vec3 front_colour, bool front, vec3 n_towards, vec3 v, float key_left, out vec3 base)
{
    // At silhouettes the interpolated normal may point away from the viewer: bend it back to the
    // horizon.
    const float below = 0.02 * length(n_towards) - dot(n_towards, v);
    const vec3 n = normalize(n_towards + v * max(below, 1e-12));
    const float n_v = max(dot(n, v), 0.02);

    base = mix(block.back.rgb, front_colour, bvec3(front));
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

// A factor for the share of light that occlusion leaves, 0 to 1. No place becomes quite dark.
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
