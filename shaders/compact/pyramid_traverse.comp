#version 460
// HistoPyramid, traversal: every output searches for its element, from the top down. Key k is in
// the first child whose running sum is greater than k; the sum before that child is subtracted from
// k. In the leaf, k is the rank of a set bit.
//
// Where we differ: a lane has EACH consecutive outputs. Only the first one is searched from the
// top. The others continue through the following leaves, unless too many of these are empty. For
// cells a leaf has many elements, so a subgroup searches only the first of its consecutive outputs
// from the top. Then its lanes read the following nodes and write an output each, unless too many
// nodes are empty.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

// These are read once, before lanes are inactive: see Level in lib/vertex.glsl.
uint room = own.leaves, top = own.top, level = own.level;

#ifdef STREAM_CELLS

const uint PATIENCE = 4; // empty iterations before a subgroup searches from the top again

void main()
{
    uint from = (folded_group() * GROUP + gl_SubgroupID * gl_SubgroupSize) * EACH;
    const uint end = min(from + gl_SubgroupSize * EACH, list_length(counter));
    if (from >= end) {
        return;
    }
    const uint nodes = fours_of(stream_leaves(), 0);
    while (true) {
        Node node = look_up(from, level, top, room);
        uint empty = 0;
        while (true) {
            const uint i = node.id + gl_SubgroupInvocationID;
            const uvec4 masks = i < nodes ? masks_of(i) : uvec4(0);
            const ivec4 counts = bitCount(masks);
            const uint n = counts.x + counts.y + counts.z + counts.w, before = subgroup_before(n);
            const uint sum = subgroupShuffle(before + n, gl_SubgroupSize - 1);
            const uint base = from - node.rank; // where the first lane's elements begin
            emit_four(masks, i < nodes ? element(4 * i) : 0, before, node.rank,
                      min(sum, end - base), base);
            from = base + sum;
            empty += uint(sum == 0);
            if (from >= end || empty == PATIENCE) {
                break;
            }
            node = Node(node.id + gl_SubgroupSize, 0);
        }
        if (from >= end) {
            break;
        }
    }
}

#else

const uint PATIENCE = 8; // empty leaves before a lane searches from the top again

void main()
{
    uint key = folded_lane() * EACH;
    const uint end = min(key + EACH, list_length(counter));
    if (key >= end) {
        return;
    }
    while (true) {
        Leaf leaf = look_into(look_up(key, level, top, room));
        uint empty = 0;
        while (true) {
            if (leaf.mask != 0) {
                put_element(key, lowest(leaf));
                leaf.mask &= leaf.mask - 1;
                key++;
            }
            if (leaf.mask == 0) {
                leaf.id++;
                leaf.mask = key < end ? mask_at(leaf.id) : 0;
                empty += uint(leaf.mask == 0);
            }
            if (key == end || empty == PATIENCE) {
                break;
            }
        }
        if (key == end) {
            break;
        }
    }
}

#endif
