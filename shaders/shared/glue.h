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

#define GROUP 256 // lanes of every compute workgroup

#endif
