// Inside bits of a brick, as classify left them.
#ifndef LIB_ROWS
#define LIB_ROWS

#include "grid.glsl"

layout(set = 0, binding = BINDING_ROWS) uniform usamplerBuffer rows;

// Row (y, z) of the brick in `slot`, y and z from 0 to 4: 32 bits, and the bit at x + 32.
uvec2 brick_row(uint slot, uint y, uint z)
{
    return texelFetch(rows, int(slot * HALO_ROWS + z * 5 + y)).xy;
}

// Bit i is the sample at x + i + 1.
uint shifted(uvec2 row)
{
    return row.x >> 1 | row.y << 31;
}

#endif
