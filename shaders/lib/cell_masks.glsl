// Which cells an isovalue meets, as a mask per fine cube, which has 4 cells a side. And how far a ray may leap
// from a fine cube that the isovalue does not meet.
//
// A mask is two words, the low one first. Its bit x + 4 * y + 16 * z is for the cell at (x, y, z) in the cube.
// The mask is only written and read if the isovalue meets the cube. The bit is set if the cell has samples on
// both sides. This may also be a cell with a sample that is not finite: the reader of its samples must check.
//
// After the masks come strips of STRIP fine cubes in a row along x. A strip is two words, with a bit for each
// cube that the isovalue meets. After all strips come the leaps. For each of the eight directions of rays (bit
// 0: up along x, bit 1: y, bit 2: z) and each half of a strip there are two words: the low bits and the high
// bits of a number per fine cube, 0 to 3. It is the side, in fine cubes, of the largest cube that begins with
// this fine cube, extends in the direction and has nothing that the isovalue meets. It is 0 if the isovalue
// meets this fine cube, and 3 also if the side is larger.
//
// Masks are read as texels where samples are (field.glsl): a CPU reads them for a whole subgroup at once.
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

// The number of the strip at index `along` in a row of fine cubes.
uint strip_number(uint along, uint y, uint z)
{
    return STRIPS_FIRST + (z * FINES_Y + y) * STRIPS_X + along;
}

// The number of the leaps of the half strip that has this fine cube.
uint leaps_number(uvec3 fine, uint direction)
{
    return LEAPS_FIRST + ((direction * FINES_Z + fine.z) * FINES_Y + fine.y) * STRIPS_X * 2 + fine.x / 32;
}

#endif
