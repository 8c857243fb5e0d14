// The contours of a cast. Hot kernels copy their contour before any branch, see shaders/README.md.
#ifndef LIB_CONTOURS
#define LIB_CONTOURS

#include "buffers.glsl"
#include "shaders/shared/casting.h"

layout(set = 0, binding = BINDING_CONTOURS, scalar) readonly buffer Contours { contours_block contours; };

#endif
