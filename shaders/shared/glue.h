// Makes a header readable by C and by GLSL.
//
// A push struct has addresses first, then words. In GLSL an address is a buffer reference of the
// named type (shaders/lib/buffers.glsl). In C it is the VkDeviceAddress of a struct buffer.
#ifndef SHADERS_SHARED_GLUE_H
#define SHADERS_SHARED_GLUE_H

#ifdef __STDC_VERSION__
#include <stdint.h>
typedef uint32_t uint;
#define ADDRESS(type) uint64_t
#else
#define ADDRESS(type) type
#endif

#define GROUP 256 // lanes of every compute workgroup

#endif
