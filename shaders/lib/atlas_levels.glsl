// The HistoPyramid over the slices as tiles, as in the papers: the base has a texel per sample, 1 where a
// cell that starts there is active; a texel of a level is the sum of the 2 x 2 texels below it.
#include "shaders/shared/histopyramid.h"
#define OWN atlas_levels_own
#include "stream.glsl"
#include "tiles.glsl"

SHARES(level_sums, BINDING_LEVELS, uint)

// A texel of the level of `size` texels that starts at `offset`; 0 beyond its sides.
uint sum_at(uvec2 at, uvec2 size, uint offset)
{
    return all(lessThan(at, size)) ? level_sums[offset + at.y * size.x + at.x] : 0;
}
