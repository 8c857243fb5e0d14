// Masks in memory, own.masks: write_masks(own.masks, i, mask), and what an earlier pass has left.
#ifndef LIB_MASKS
#define LIB_MASKS

#include "stream.glsl"

OUTPUT(masks, BINDING_OUT_MASKS, uint, Uints)

layout(set = 0, binding = BINDING_MASKS) uniform usamplerBuffer masks;
uint mask_at(uint i)
{
    return BOUND != 0 ? texelFetch(masks, int(i)).x : own.masks.at[i];
}

#endif
