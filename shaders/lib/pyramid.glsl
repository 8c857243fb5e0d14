// The HistoPyramid: a tree of counts. A leaf is a texel of the base, a mask of up to 32 elements;
// four leaves are a node of level 1, four nodes of level n one of level n + 1.
//
// The base is a 2D texture in the papers, 2 x 2 texels to a node. Here base and levels are stored
// along the Z-order curve, which numbers texels so that the four of a node follow each other: they are
// one load, and the elements keep the stream's order.
//
// Built twice: a level's four siblings hold their counts, or with PARTIALS the sums of the counts up
// to each (the vec4 form of Stream Compaction in WebGL). With READS_BACK a kernel may read what it
// has written, after a barrier.
//
// Levels are stored one after the other, in fours, with room for push.leaves; what is behind the
// stream's own leaves is never read.
#ifndef LIB_PYRAMID
#define LIB_PYRAMID

#include "stream.glsl"

const uint LEAF_ELEMENTS = LANE_ELEMENTS == 1 ? 8 : 32;
const uint LEAF_LANES = LEAF_ELEMENTS / LANE_ELEMENTS;

#ifdef READS_BACK

// What the dispatch itself has written: no texel fetch need see it, whatever the barrier.
layout(set = 0, binding = BINDING_OUT_PARTIALS, scalar) coherent buffer Levels
{
    uvec4 fours[];
};

uvec4 four_at(uint i)
{
    return BOUND != 0 ? fours[i] : Uvec4s(push.levels).at[i];
}

void store_four(uint i, uvec4 four)
{
    if (BOUND != 0) {
        fours[i] = four;
    } else {
        Uvec4s(push.levels).at[i] = four;
    }
}

#else

layout(set = 0, binding = BINDING_PARTIALS) uniform usamplerBuffer partials;
uvec4 four_at(uint i)
{
    return BOUND != 0 ? texelFetch(partials, int(i)) : ReadUvec4s(push.levels).at[i];
}

OUTPUT(partials, BINDING_OUT_PARTIALS, uvec4, WriteUvec4s)
void store_four(uint i, uvec4 four)
{
    write_partials(WriteUvec4s(push.levels), i, four);
}

#endif

void write_four(uint i, uvec4 counts)
{
#ifdef PARTIALS
    counts.y += counts.x;
    counts.z += counts.y;
    counts.w += counts.z;
#endif
    store_four(i, counts);
}

// What four siblings have together, and what those before the second, third and fourth have.
uint four_sum(uvec4 four)
{
#ifdef PARTIALS
    return four.w;
#else
    return four.x + four.y + four.z + four.w;
#endif
}

uvec3 four_before(uvec4 four)
{
#ifdef PARTIALS
    return four.xyz;
#else
    return uvec3(four.x, four.x + four.y, four.x + four.y + four.z);
#endif
}

// Fours of a level, of a pyramid over so many leaves.
uint fours_of(uint leaves, uint level)
{
    const uint shift = 2 * level + 2;
    return (leaves >> shift) + uint((leaves & (1u << shift) - 1) != 0);
}

// The stream's own leaves.
uint stream_leaves()
{
    return (stream_lanes() + LEAF_LANES - 1) / LEAF_LANES;
}

// The sums of the fours 4i to 4i + 3 of a level that starts at `offset` and has so many.
uvec4 sums_above(uint offset, uint fours, uint i)
{
    return uvec4(4 * i < fours ? four_sum(four_at(offset + 4 * i)) : 0,
                 4 * i + 1 < fours ? four_sum(four_at(offset + 4 * i + 1)) : 0,
                 4 * i + 2 < fours ? four_sum(four_at(offset + 4 * i + 2)) : 0,
                 4 * i + 3 < fours ? four_sum(four_at(offset + 4 * i + 3)) : 0);
}

#endif
