// Masks in memory, own.masks: write_masks(own.masks, i, mask) writes one, mask_at(i) reads one that
// an earlier pass has written.
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
