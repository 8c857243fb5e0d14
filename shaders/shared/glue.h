// Makes a header readable by C and by GLSL.
#ifndef SHADERS_SHARED_GLUE_H
#define SHADERS_SHARED_GLUE_H

#ifdef __STDC_VERSION__
#include <stdint.h>
typedef uint32_t uint;
#define STRUCT struct // precedes a struct's name as the type of a member
#else
#define STRUCT
#endif

#ifdef VULKAN // GLSL
#extension GL_EXT_control_flow_attributes : require
#define INLINE
#define UNROLL [[unroll]]
#else
#define INLINE static inline
#define UNROLL
#endif

#define GROUP 256 // lanes of every compute workgroup

#endif
