// The levels of the HistoPyramid's vec4 form: a node of level k >= 1 stands for 2^k x 2^k texels of
// the base, and holds the inclusive sums of its four children in Z order: (a, a+b, a+b+c, a+b+c+d).
// The base itself is not stored, nor is anything outside a level. The top is the first level of
// 1 x 1 nodes.
#ifndef LIB_PARTIALS
#define LIB_PARTIALS

#include "stream.glsl"

// The same nodes, one per texel.
layout(set = 0, binding = BINDING_PARTIALS) uniform usamplerBuffer partials;
uvec4 partials_at(uint i)
{
    return BOUND != 0 ? texelFetch(partials, int(i)) : ReadUvec4s(push.levels).at[i];
}

// Width and height of a level: the base's, halved and rounded up.
uvec2 partials_size(uint level)
{
    return uvec2(push.width, push.height) + (1u << level) - 1 >> level;
}

uint partials_nodes(uint level)
{
    const uvec2 size = partials_size(level);
    return size.x * size.y;
}

#endif
