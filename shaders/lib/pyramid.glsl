// The HistoPyramid's levels in one buffer: level 0 counts the base texels, each level above sums
// 2 x 2 of the one below; sizes round up; the last is 1 x 1. All layers of the atlas stand in one
// base, so they share one top.
//
// A level is stored with even width and height, and cleared before the base is counted: a child
// that is missing is a 0 that is there, and no pass has to look where a level ends.
#ifndef LIB_PYRAMID
#define LIB_PYRAMID

#include "stream.glsl"

// The levels as a pass sees them: one that only reads them says so by LEVELS_READ.
#ifdef LEVELS_READ
layout(set = 0, binding = BINDING_LEVELS) uniform usamplerBuffer levels;
uint level_word(uint i)
{
    return BOUND != 0 ? texelFetch(levels, int(i)).x : push.levels.at[i];
}
#else
uint level_word(uint i)
{
    return push.levels.at[i];
}
#endif

struct Level
{
    uint offset, width, height;
};

uint even(uint n)
{
    return n + 1 & ~1u;
}

// Words that a level takes.
uint level_words(Level level)
{
    return even(level.width) * even(level.height);
}

Level level_base()
{
    return Level(0, push.width, push.height);
}

Level level_above(Level level)
{
    return Level(level.offset + level_words(level), (level.width + 1) / 2, (level.height + 1) / 2);
}

Level level_at(uint number)
{
    Level level = level_base();
    for (uint i = 0; i < number; i++) {
        level = level_above(level);
    }
    return level;
}

// Where texel (x, y) of a level stands.
uint level_texel(Level level, uint x, uint y)
{
    return level.offset + y * even(level.width) + x;
}

// Counts of the four children of (x, y) in the level below, in Z order.
uvec4 level_children(Level below, uint x, uint y)
{
    const uint first = level_texel(below, 2 * x, 2 * y), second = first + even(below.width);
    return uvec4(
        level_word(first), level_word(first + 1), level_word(second), level_word(second + 1));
}

#ifndef LEVELS_READ

// Writes texel number `texel` of the level above `below`.
void level_reduce(Level below, Level here, uint texel)
{
    const uint y = texel / here.width, x = texel - y * here.width;
    const uvec4 four = level_children(below, x, y);
    push.levels.at[level_texel(here, x, y)] = four.x + four.y + four.z + four.w;
}

#endif

#endif
