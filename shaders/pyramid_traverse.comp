#version 460
// HistoPyramid, traversal: every output looks for its own element, from the top down. A key k lies
// in the first child whose running sum passes it, in Z order; what came before is taken off. In the
// base texel, k is the rank of a set bit.
//
// Where we differ: a lane has LOOKUPS outputs that follow each other, and those that lie in the same
// base texel are looked up once.

#define LEVELS_READ
#include "pyramid.glsl"
#include "lookups.glsl"

layout(local_size_x = GROUP) in;

Found look_up(uint key)
{
    Found found = Found(0, 0, key);
    uint offset = push.top, number = push.level;
    while (true) {
        // The width of a level is the base's, halved and rounded up `number` times. A level stands
        // right before the one above it.
        number--;
        const uint round = (1u << number) - 1;
        const uint width = even(push.width + round >> number);
        offset -= width * even(push.height + round >> number);
        const uint first = offset + 2 * found.y * width + 2 * found.x;
        const uint a = level_word(first), b = a + level_word(first + 1);
        const uint c = b + level_word(first + width);
        const bool second = found.rank >= a, third = found.rank >= b, fourth = found.rank >= c;
        found.rank -= fourth ? c : third ? b : second ? a : 0;
        found.x = 2 * found.x + (third ? uint(fourth) : uint(second));
        found.y = 2 * found.y + uint(third);
        if (number == 0) {
            break;
        }
    }
    return found;
}

uint texel_at(Found found)
{
    return found.y * even(push.width) + found.x;
}

#include "look_up_all.glsl"
