// The parameters that all shaders of a picture read.
#ifndef LIB_PICTURE
#define LIB_PICTURE

#include "shaders/shared/bindings.h"
#include "shaders/shared/picture.h"

layout(set = 0, binding = BINDING_PICTURE, std140) uniform Picture { picture_block picture; };

#endif
