#version 460
// HistoPyramid with partial sums, traversal: one node, one load per level, says which child a key
// lies in and what came before. Otherwise as pyramid_traverse.comp.

#include "partials.glsl"
#include "select.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane >= list_length(LIST_KEPT)) {
        return;
    }
    uint key = lane, x = 0, y = 0, offset = push.top;
    for (uint level = push.level; level > 0; level--) {
        const uint width = partials_size(level).x;
        const uvec4 sums = partials_at(offset + y * width + x);
        const uint child = uint(key >= sums.x) + uint(key >= sums.y) + uint(key >= sums.z);
        key -= child == 0 ? 0 : child == 1 ? sums.x : child == 2 ? sums.y : sums.z;
        x = 2 * x + (child & 1);
        y = 2 * y + (child >> 1);
        offset -= partials_nodes(level - 1); // before level 1 is none: the last is not used
    }
    const uint at = y * push.width + x;
    write_list(lane, element_at(x, y) + (LANE_ELEMENTS == 1 ? 0 : select_bit(mask_at(at), key)));
}
