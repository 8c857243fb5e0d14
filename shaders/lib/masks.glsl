// Masks in memory: one kernel writes masks[i], a later one reads mask_at(i).
#ifndef LIB_MASKS
#define LIB_MASKS

#include "stream.glsl"

WRITES(masks, BINDING_MASKS, uint)

FETCHES(masks_read, BINDING_MASKS)
uint mask_at(uint i)
{
    return texelFetch(masks_read, int(i)).x;
}

#endif
