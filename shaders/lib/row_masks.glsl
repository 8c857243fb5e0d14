// Reads the row masks of a brick that classify.comp has written.
#ifndef LIB_ROW_MASKS
#define LIB_ROW_MASKS

#include "buffers.glsl"
#include "grid.glsl"

FETCHES(row_masks, BINDING_ROW_MASKS)

// The mask of row (y, z) of the brick in `slot`; y and z are 0 to 4. x: 32 bits; y: the bit of
// sample 32.
uvec2 brick_row_mask(uint slot, uint y, uint z)
{
    return texelFetch(row_masks, int(slot * HALO_ROWS + z * HALO_Y + y)).xy;
}

// The mask shifted by one sample: bit i is the sample at x + i + 1.
uint shifted(uvec2 row)
{
    return row.x >> 1 | row.y << 31;
}

#endif
