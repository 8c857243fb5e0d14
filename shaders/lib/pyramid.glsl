// The HistoPyramid's levels in one buffer: level 0 counts the base texels, each level above sums
// 2 x 2 of the one below; sizes round up, a child that is missing counts 0; the last is 1 x 1.
#ifndef LIB_PYRAMID
#define LIB_PYRAMID

#include "stream.glsl"

// The levels as a pass sees them; one that only reads them says so by LEVELS_READ.
#ifdef LEVELS_READ
#extension GL_EXT_buffer_reference_uvec2 : require
#define LEVELS ReadUints(uvec2(push.levels))
#else
#define LEVELS push.levels
#endif

struct Level
{
    uint offset, width, height;
};

Level level_base()
{
    return Level(0, push.width, push.height);
}

Level level_above(Level level)
{
    return Level(level.offset + level.width * level.height, (level.width + 1) / 2,
                 (level.height + 1) / 2);
}

Level level_at(uint number)
{
    Level level = level_base();
    for (uint i = 0; i < number; i++) {
        level = level_above(level);
    }
    return level;
}

uint level_count(Level level, uint x, uint y)
{
    return x < level.width && y < level.height ? LEVELS.at[level.offset + y * level.width + x]
                                               : 0;
}

uint level_sum(Level level, uint x, uint y)
{
    return level_count(level, 2 * x, 2 * y) + level_count(level, 2 * x + 1, 2 * y) +
           level_count(level, 2 * x, 2 * y + 1) + level_count(level, 2 * x + 1, 2 * y + 1);
}

#endif
