#version 460
// HistoPyramid, traversal: every output looks for its own element, from the top down. A key k lies
// in the first child whose running sum passes it; what came before is taken off. In the leaf, k is
// the rank of a set bit.
//
// Where we differ: a lane has LOOKUPS outputs that follow each other. Only the first looks itself up
// from the top; the others go on through the leaves behind it, unless too many are empty. Of cells,
// which a leaf has many of, a subgroup's outputs follow each other: only their first looks itself up,
// and the lanes take the nodes behind it, then an output each, unless too many nodes are empty.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

// Read once, before lanes are off: see Level in lib/vertex.glsl.
uint room = own.leaves, top = own.top, level = own.level;

#ifdef STREAM_CELLS

const uint PATIENCE = 4; // turns in which a subgroup's nodes are empty, before it looks up again

void main()
{
    uint from = (folded_group() * GROUP + gl_SubgroupID * gl_SubgroupSize) * LOOKUPS;
    const uint end = min(from + gl_SubgroupSize * LOOKUPS, list_length(LIST_KEPT));
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
            const uint base = from - node.rank; // the first lane's first
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

const uint PATIENCE = 8; // empty leaves in a row of outputs

void main()
{
    uint key = folded_lane() * LOOKUPS;
    const uint end = min(key + LOOKUPS, list_length(LIST_KEPT));
    if (key >= end) {
        return;
    }
    while (true) {
        Leaf leaf = look_into(look_up(key, level, top, room));
        uint empty = 0;
        while (true) {
            if (leaf.mask != 0) {
                write_list(key, lowest(leaf));
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
