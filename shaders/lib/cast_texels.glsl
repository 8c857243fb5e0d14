// Whether hits and spans are read as texels. llvmpipe reads texels with all lanes at once, but a storage buffer
// lane by lane.
#ifndef LIB_CAST_TEXELS
#define LIB_CAST_TEXELS

#include "shaders/shared/extraction.h"

layout(constant_id = CONSTANT_CAST_TEXELS) const uint CAST_TEXELS = 0;

#endif
