#version 460
// HistoPyramid, traversal: every output looks for its own element, from the top down. A key k lies
// in the first child whose running sum passes it; what came before is taken off. In the leaf, k is
// the rank of a set bit.
//
// Where we differ: a lane has LOOKUPS outputs that follow each other. Only the first looks itself up
// from the top; the others go on through the leaves behind it, unless too many are empty.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

// Read once, before lanes are off: see Level in lib/vertex.glsl.
uint room = push.leaves, top = push.top, levels = push.level;

struct Found {
    uint leaf, mask; // without the elements before the one looked for
};

Found look_up(uint key)
{
    uint node = 0, offset = top, level = levels;
    while (true) {
        const uvec3 before = four_before(four_at(offset + node));
        const bool second = key >= before.x, third = key >= before.y, fourth = key >= before.z;
        key -= fourth ? before.z : third ? before.y : second ? before.x : 0;
        node = 4 * node + uint(second) + uint(third) + uint(fourth);
        level--;
        if (level == 0) {
            break;
        }
        offset -= fours_of(room, level);
    }
    const uvec4 masks = uvec4(mask_at(4 * node), mask_at(4 * node + 1), mask_at(4 * node + 2),
                              mask_at(4 * node + 3));
    const uvec4 counts = uvec4(bitCount(masks));
    const uvec3 before = uvec3(counts.x, counts.x + counts.y, counts.x + counts.y + counts.z);
    const bool second = key >= before.x, third = key >= before.y, fourth = key >= before.z;
    key -= fourth ? before.z : third ? before.y : second ? before.x : 0;
    const uint mask = fourth ? masks.w : third ? masks.z : second ? masks.y : masks.x;
    return Found(4 * node + uint(second) + uint(third) + uint(fourth),
                 mask & 0xffffffffu << select_bit(mask, key));
}

// The value of the lowest element of a leaf's mask.
uint lowest(uint leaf, uint mask)
{
    const uint bit = findLSB(mask);
    return LANE_ELEMENTS == 1 ? element(leaf * LEAF_LANES + bit) : element(leaf) + bit;
}

const uint PATIENCE = 8; // empty leaves in a row of outputs

void main()
{
    uint key = folded_lane() * LOOKUPS;
    const uint end = min(key + LOOKUPS, list_length(LIST_KEPT));
    if (key >= end) {
        return;
    }
    while (true) {
        Found found = look_up(key);
        uint empty = 0;
        while (true) {
            if (found.mask != 0) {
                write_list(key, lowest(found.leaf, found.mask));
                found.mask &= found.mask - 1;
                key++;
            }
            if (found.mask == 0) {
                found.leaf++;
                found.mask = key < end ? mask_at(found.leaf) : 0;
                empty += uint(found.mask == 0);
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
