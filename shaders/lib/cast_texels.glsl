// 1: kernels read hits and spans as texels. llvmpipe loads texels for all lanes at once, but reads a
// storage buffer one lane after the other.
#ifndef LIB_CAST_TEXELS
#define LIB_CAST_TEXELS

#include "shaders/shared/extraction.h"

layout(constant_id = CONSTANT_CAST_TEXELS) const uint CAST_TEXELS = 0;

#endif
