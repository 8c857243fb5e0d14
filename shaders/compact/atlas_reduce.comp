#version 460
// HistoPyramid over the slices, reduction: makes a level from the level below, a texel per lane. The last
// level is the total, which gives the dispatch arguments.

#include "arguments.glsl"
#include "atlas_levels.glsl"

WRITES_ARGUMENTS(arguments, BINDING_ARGUMENTS) // dispatch arguments of the traversal
WRITES_ARGUMENTS(cells_arguments, BINDING_CELLS_ARGUMENTS)

layout(local_size_x = GROUP) in;

void main()
{
    const uvec2 base = uvec2(own.wide, own.high), size = level_size(base, own.level);
    const uvec2 below = level_size(base, own.level - 1);
    const uint i = folded_lane(), from = own.offset - below.x * below.y;
    if (i >= size.x * size.y) {
        return;
    }
    const uvec2 at = 2 * uvec2(i % size.x, i / size.x);
    const uint sum = sum_at(at, below, from) + sum_at(at + uvec2(1, 0), below, from) +
                     sum_at(at + uvec2(0, 1), below, from) + sum_at(at + 1, below, from);
    level_sums[own.offset + i] = sum;
    if (size == uvec2(1)) {
        const uint outputs = min(sum, push.capacity);
        counter.count = sum;
        arguments[0] = arguments_for(outputs);
        cells_arguments[0] = arguments_for(cells_lanes(outputs));
    }
}
