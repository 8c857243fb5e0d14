// Which cells an isovalue meets: a bit per cell in a mask per fine cube, which has 4 cells a side, and
// a bit per fine cube in a mask per coarse cube, which has 4 fine ones a side. Bit x + 4 * y + 16 * z
// of a mask, whose words are the low and the high one, is of the element at (x, y, z) in the cube.
// The mask of a fine cube is only written, and read, if the fine cube's bit is set.
//
// The bit of a cell is set if it has samples on both sides. A cell with a sample that is not finite may have
// one, too: whoever reads its samples has to check.
//
// Fine cubes are numbered x first, then coarse ones. Where samples are read as texels (field.glsl), so are
// masks: on a processor that draws, a subgroup reads them at once.
#ifndef LIB_CELL_MASKS
#define LIB_CELL_MASKS

#include "buffers.glsl"
#include "grid.glsl"

const uint FINES_X = (DIM_X + 2) / 4, FINES_Y = (DIM_Y + 2) / 4, FINES_Z = (DIM_Z + 2) / 4;
const uint COARSES_X = (FINES_X + 3) / 4, COARSES_Y = (FINES_Y + 3) / 4;

uint fine_number(uvec3 fine)
{
    return (fine.z * FINES_Y + fine.y) * FINES_X + fine.x;
}

uint coarse_number(uvec3 coarse)
{
    return ((FINES_Z * FINES_Y) * FINES_X) + (coarse.z * COARSES_Y + coarse.y) * COARSES_X + coarse.x;
}

#endif
