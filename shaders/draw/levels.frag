// The nodes of a level, along the Z-order curve. The colour is the share of cells that are
// active.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/listed.glsl"
#include "shaders/shared/picture.h"
#include "shaders/lib/ramp.glsl"

FETCHES(masks, BINDING_MASKS)
FETCHES(levels, BINDING_PARTIALS)
layout(push_constant) uniform Push { levels_push push; };
layout(location = 0) in vec2 place;
layout(location = 1) flat in uvec4 pyramid;
layout(location = 0) out vec4 colour;

// Spreads the bits of a number below 2^16: puts a zero before each.
uint spread(uint x)
{
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

uint node_sum(uint level, uint offset, uint node)
{
    if (level == 0u)
        return bitCount(texelFetch(masks, int(node)).x);
    if (level == 1u) {
        uint sum = 0u;
        for (uint i = 0u; i < 4u; i++)
            sum += bitCount(texelFetch(masks, int(4u * node + i)).x);
        return sum;
    }
    const uvec4 four = texelFetch(levels, int(offset + node));
    return push.pyramid == 2u ? four.w : four.x + four.y + four.z + four.w;
}

void main()
{
    const uint leaves = pyramid.x, level = pyramid.y, side = pyramid.w;
    const uvec2 at = min(uvec2(place * float(side)), uvec2(side - 1u));
    const uint node = spread(at.x) | spread(at.y) << 1;
    const uint first = node << (2u * level);
    const vec2 inwards = min(place, 1.0 - place) * float(push.side);
    if (min(inwards.x, inwards.y) < 1.0) {
        colour = vec4(vec3(0.30), 1.0); // the frame of the square
    } else if (first >= leaves) {
        colour = vec4(vec3(0.012), 1.0); // no node here
    } else {
        const uint below = min(1u << (2u * level), leaves - first);
        const float share = float(node_sum(level, pyramid.z, node)) / (32.0 * float(below));
        colour = vec4(ramp(sqrt(share)), 1.0);
    }
}
