// The HistoPyramid: a tree of counts. A leaf is a texel of the base, a mask of up to 32 elements.
// Four leaves are a node of level 1, four nodes of level n are a node of level n + 1.
//
// In the papers the base is a 2D texture with 2 x 2 texels per node. Here base and levels are
// stored along the Z-order curve, which numbers the four texels of a node consecutively. So one
// load reads all four, and the elements keep the order of the stream.
//
// There are two forms, as in Stream Compaction in WebGL. A level of the scalar form has one count per
// node, and a search loads three of four siblings. In the vec4 form (PARTIALS) the four siblings are one
// texel, which holds the sums of the counts up to each, and a search loads that texel. Both take the same
// memory. With READS_BACK a kernel may read masks and levels that it has written, after a barrier.
//
// Levels are stored one after the other, in fours (groups of four siblings). Memory is allocated
// for own.leaves leaves; only the stream's own leaves are read.
#ifndef LIB_PYRAMID
#define LIB_PYRAMID

#include "shaders/shared/histopyramid.h"
#define OWN histopyramid_own
#include "masks.glsl"
#include "share.glsl"

const uint LEAF_ELEMENTS = LANE_ELEMENTS == 1 ? 8 : 32;
const uint LEAF_LANES = LEAF_ELEMENTS / LANE_ELEMENTS;

#ifdef READS_BACK

// READS_BACK reads from storage buffers: a texel fetch may miss what the dispatch itself has
// written, even after a barrier.
SHARES(mask_fours, BINDING_MASKS, uvec4)
uvec4 masks_of(uint node)
{
    return mask_fours[node];
}

#ifdef PARTIALS
SHARES(fours, BINDING_PARTIALS, uvec4)
uvec4 sums_at(uint four)
{
    return fours[four];
}
#else
SHARES(level_counts, BINDING_LEVELS, uint)
uint count_at(uint i)
{
    return level_counts[i];
}
#endif

#else

WRITES(mask_fours, BINDING_MASKS, uvec4)
uvec4 masks_of(uint node)
{
    return uvec4(mask_at(4 * node), mask_at(4 * node + 1), mask_at(4 * node + 2),
                 mask_at(4 * node + 3));
}

#ifdef PARTIALS
WRITES(fours, BINDING_PARTIALS, uvec4)
FETCHES(partials, BINDING_PARTIALS)
uvec4 sums_at(uint four)
{
    return texelFetch(partials, int(four));
}
#else
WRITES(level_counts, BINDING_LEVELS, uint)
FETCHES(counts_read, BINDING_LEVELS)
uint count_at(uint i)
{
    return texelFetch(counts_read, int(i)).x;
}
#endif

#endif

// Writes a four; the sum of a four; and its sums before the second, third and fourth sibling.
#ifdef PARTIALS

void write_four(uint four, uvec4 counts)
{
    counts.y += counts.x;
    counts.z += counts.y;
    counts.w += counts.z;
    fours[four] = counts;
}

uint sum_of(uint four)
{
    return sums_at(four).w;
}

uvec3 before_of(uint four)
{
    return sums_at(four).xyz;
}

#else

void write_four(uint four, uvec4 counts)
{
    [[unroll]] for (uint k = 0; k < 4; k++) {
        level_counts[4 * four + k] = counts[k];
    }
}

uint sum_of(uint four)
{
    return count_at(4 * four) + count_at(4 * four + 1) + count_at(4 * four + 2) +
           count_at(4 * four + 3);
}

uvec3 before_of(uint four)
{
    const uint first = count_at(4 * four), second = first + count_at(4 * four + 1);
    return uvec3(first, second, second + count_at(4 * four + 2));
}

#endif

// Number of fours of a level, in a pyramid over `leaves` leaves.
uint fours_of(uint leaves, uint level)
{
    const uint shift = 2 * level + 2;
    return (leaves >> shift) + uint((leaves & (1u << shift) - 1) != 0);
}

// Number of leaves of the stream.
uint stream_leaves()
{
    return (stream_lanes() + LEAF_LANES - 1) / LEAF_LANES;
}

// Makes the base at a node: writes the masks of its four leaves, and the node's count in level 1. In the
// vec4 form four lanes write a texel. All lanes take part; the lanes of a subgroup have consecutive nodes.
void make_base(uint node)
{
    const bool there = 4 * node < stream_leaves();
    const uvec4 leaves = there ? keep_four(node, LEAF_LANES) : uvec4(0);
    if (there) {
        mask_fours[node] = leaves;
    }
    const ivec4 counts = bitCount(leaves);
    const uint count = counts.x + counts.y + counts.z + counts.w;
#ifdef PARTIALS
    const uint first = gl_SubgroupInvocationID & ~3u;
    subgroup_join();
    const uvec4 four = uvec4(subgroupShuffle(count, first), subgroupShuffle(count, first + 1),
                             subgroupShuffle(count, first + 2), subgroupShuffle(count, first + 3));
    if (there && gl_SubgroupInvocationID == first) {
        write_four(node / 4, four);
    }
#else
    if (4 * (node & ~3u) < stream_leaves()) { // a four is complete, even if some of its nodes do not exist
        level_counts[node] = count;
    }
#endif
}

// The sums of the fours 4i to 4i + 3 of a level, which starts at `offset` and has `fours` fours.
uvec4 sums_above(uint offset, uint fours, uint i)
{
    return uvec4(4 * i < fours ? sum_of(offset + 4 * i) : 0,
                 4 * i + 1 < fours ? sum_of(offset + 4 * i + 1) : 0,
                 4 * i + 2 < fours ? sum_of(offset + 4 * i + 2) : 0,
                 4 * i + 3 < fours ? sum_of(offset + 4 * i + 3) : 0);
}

// Makes the levels from `level` + 1 to `last`. `level` starts at `offset`. Returns where the last
// level starts. For a single workgroup: all its `lanes` take part.
uint make_levels(uint level, uint last, uint offset, uint lanes)
{
    const uint leaves = stream_leaves(), room = own.leaves;
    for (; level < last; level++) {
        const uint fours = fours_of(leaves, level), above = fours_of(leaves, level + 1);
        const uint next = offset + fours_of(room, level);
        for (uint i = group_lane(); i < above; i += lanes) {
            write_four(next + i, sums_above(offset, fours, i));
        }
        group_barrier();
        offset = next;
    }
    return offset;
}

// The node (four leaves) of an output, and the rank of the output in it.
struct Node {
    uint id, rank;
};

// Searches downwards from the top level `level`, which starts at `offset`. `room` is own.leaves.
Node look_up(uint key, uint level, uint offset, uint room)
{
    Node node = Node(0, key);
    while (true) {
        const Share share = share_of(before_of(offset + node.id), node.rank);
        node = Node(4 * node.id + share.which, share.key);
        level--;
        if (level == 0) {
            break;
        }
        offset -= fours_of(room, level);
    }
    return node;
}

// The leaf of an output, and its mask without the elements before the output.
struct Leaf {
    uint id, mask;
};

Leaf look_into(Node node)
{
    const uvec4 masks = masks_of(node.id), counts = uvec4(bitCount(masks));
    const Share share =
        share_of(uvec3(counts.x, counts.x + counts.y, counts.x + counts.y + counts.z), node.rank);
    const uvec2 pair = share.which >= 2 ? masks.zw : masks.xy;
    const uint mask = (share.which & 1) != 0 ? pair.y : pair.x;
    return Leaf(4 * node.id + share.which, mask & 0xffffffffu << select_bit(mask, share.key));
}

// The value of the first element of a leaf's mask.
uint lowest(Leaf leaf)
{
    const uint bit = findLSB(leaf.mask);
    return LANE_ELEMENTS == 1 ? element(leaf.id * LEAF_LANES + bit) : element(leaf.id) + bit;
}

#endif
