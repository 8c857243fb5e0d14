#version 460
// HistoPyramid, traversal: every output looks for its own element, from the top down. A key k lies
// in the first child whose running sum passes it, in Z order; what came before is taken off. In the
// base texel, k is the rank of a set bit. One lane per key.

#define LEVELS_READ
#include "pyramid.glsl"
#include "select.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane >= list_length(LIST_KEPT)) {
        return;
    }
    uint key = lane, x = 0, y = 0, offset = push.top;
    for (uint number = push.level; number-- > 0;) {
        // The width of a level is the base's, halved and rounded up `number` times. A level stands
        // right before the one above it.
        const uint round = (1u << number) - 1;
        Level level = Level(0, (push.width + round) >> number, (push.height + round) >> number);
        offset -= level_words(level);
        level.offset = offset;
        const uvec4 four = level_children(level, x, y); // the fourth is not needed, nor loaded
        const uint b = four.x + four.y, c = b + four.z;
        const uint child = uint(key >= four.x) + uint(key >= b) + uint(key >= c);
        key -= child == 0 ? 0 : child == 1 ? four.x : child == 2 ? b : c;
        x = 2 * x + (child & 1);
        y = 2 * y + (child >> 1);
    }
    const uint mask = mask_at(level_texel(level_base(), x, y));
    write_list(lane, element_at(x, y) + (LANE_ELEMENTS == 1 ? 0 : select_bit(mask, key)));
}
