// Which cells an isovalue meets, a bit per cell in a mask per fine cube, which has 4 cells a side; and how
// far a ray may leap from a fine cube that it does not meet.
//
// Bit x + 4 * y + 16 * z of a mask, whose words are the low and the high one, is of the cell at (x, y, z) in
// the cube. The mask is only written, and read, if the isovalue meets the cube. The bit of a cell is set if
// it has samples on both sides. A cell with a sample that is not finite may have one, too: whoever reads its
// samples has to check.
//
// Behind the masks stand strips of STRIP fine cubes in a row along x. A strip has a bit per cube that the
// isovalue meets, in two words. Behind all strips stand the leaps: for each of the eight directions of rays (bit
// 0: up along x, bit 1: y, bit 2: z) and each half of a strip two words with a bit per cube, the low and the
// high ones of how many cubes a side the largest cube has that begins with this fine cube, lies in the
// direction and has nothing that the isovalue meets: 0, if it meets this one, to 3, also if more.
//
// Where samples are read as texels (field.glsl), so are masks: on a processor that draws, a subgroup reads
// them at once.
#ifndef LIB_CELL_MASKS
#define LIB_CELL_MASKS

#include "buffers.glsl"
#include "grid.glsl"

const uint STRIP = 64;
const uint FINES_X = (DIM_X + 2) / 4, FINES_Y = (DIM_Y + 2) / 4, FINES_Z = (DIM_Z + 2) / 4;
const uint STRIPS_X = (FINES_X + STRIP - 1) / STRIP;
const uint STRIPS_FIRST = FINES_X * FINES_Y * FINES_Z;
const uint LEAPS_FIRST = STRIPS_FIRST + STRIPS_X * FINES_Y * FINES_Z;

uint fine_number(uvec3 fine)
{
    return (fine.z * FINES_Y + fine.y) * FINES_X + fine.x;
}

// The strip of number `along` in a row of fine cubes.
uint strip_number(uint along, uint y, uint z)
{
    return STRIPS_FIRST + (z * FINES_Y + y) * STRIPS_X + along;
}

// The leaps of the half strip that has the fine cube.
uint leaps_number(uvec3 fine, uint direction)
{
    return LEAPS_FIRST + ((direction * FINES_Z + fine.z) * FINES_Y + fine.y) * STRIPS_X * 2 + fine.x / 32;
}

#endif
