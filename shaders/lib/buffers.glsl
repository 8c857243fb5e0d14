// How a shader declares the buffers of descriptor set 0 (shaders/shared/bindings.h). The macro says
// how the kernel uses the buffer: it reads, writes or shares it. `name` becomes an array.
#ifndef LIB_BUFFERS
#define LIB_BUFFERS

#extension GL_EXT_scalar_block_layout : require

#include "shaders/shared/bindings.h"

#define BUFFER(how, name, number, type)                                                            \
    layout(set = 0, binding = number, scalar) how buffer Buffer_##name                             \
    {                                                                                              \
        type name[];                                                                               \
    };
#define READS(name, number, type)  BUFFER(readonly, name, number, type)
#define WRITES(name, number, type) BUFFER(writeonly, name, number, type)
// SHARES: invocations of one dispatch exchange data through the buffer.
#define SHARES(name, number, type) BUFFER(coherent, name, number, type)

// Declares a buffer that is read as texels of 1, 2 or 4 words.
#define FETCHES(name, number)                                                                      \
    layout(set = 0, binding = TEXELS(number)) uniform usamplerBuffer name;

// The counter of a list: struct list_counter in shaders/shared/extraction.h. While some lane adds
// to a member, all lanes must access it by atomics.
#define COUNTER(name, number)        COUNTED_LIST(, name, number)
#define LISTED_COUNTER(name, number) COUNTED_LIST(readonly, name, number) // for drawings
#define COUNTED_LIST(how, name, number)                                                            \
    layout(set = 0, binding = number, scalar) how buffer Counter_##name                            \
    {                                                                                              \
        uint count, capacity, wrapped, spare;                                                      \
    }                                                                                              \
    name;

// A struct raised_counter.
#define RAISED_COUNTER(name, number)                                                               \
    layout(set = 0, binding = number, scalar) buffer Counter_##name                                \
    {                                                                                              \
        uint count, capacity, wrapped, spare;                                                      \
        uint x0, y0, z0, shift0, x1, y1, z1, shift1;                                               \
    }                                                                                              \
    name;

// The length of a complete list.
#define list_length(counter) min(counter.count, counter.capacity)

#endif
