// Reads the masks, strips and leaps of cell_masks.glsl.
#ifndef LIB_MASKS_READ
#define LIB_MASKS_READ

#include "buffers.glsl"
#include "cell_masks.glsl"

#ifdef FIELD_IMAGE
READS(cell_masks, BINDING_CELL_MASKS, uvec2)
#define MASK(number) cell_masks[number]
#else
layout(set = 0, binding = BINDING_CELL_MASKS, rg32ui) readonly uniform uimageBuffer cell_masks;
#define MASK(number) imageLoad(cell_masks, int(number)).xy
#endif

#endif
