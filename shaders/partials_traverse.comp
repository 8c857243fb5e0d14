#version 460
// HistoPyramid with partial sums, traversal: one node, one load per level, says which child a key
// lies in and what came before. Otherwise as pyramid_traverse.comp.

#include "partials.glsl"
#include "lookups.glsl"

layout(local_size_x = GROUP) in;

Found look_up(uint key)
{
    Found found = Found(0, 0, key);
    uint offset = push.top, level = push.level;
    while (true) {
        const uint width = partials_size(level).x;
        const uvec4 sums = partials_at(offset + found.y * width + found.x);
        const bool second = found.rank >= sums.x, third = found.rank >= sums.y;
        const bool fourth = found.rank >= sums.z;
        found.rank -= fourth ? sums.z : third ? sums.y : second ? sums.x : 0;
        found.x = 2 * found.x + (third ? uint(fourth) : uint(second));
        found.y = 2 * found.y + uint(third);
        level--;
        if (level == 0) {
            break;
        }
        offset -= partials_nodes(level);
    }
    return found;
}

uint texel_at(Found found)
{
    return found.y * push.width + found.x;
}

#include "look_up_all.glsl"
