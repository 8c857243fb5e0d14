// Results, written through a binding where they fit one, else by address.
#ifndef LIB_OUTPUTS
#define LIB_OUTPUTS

#include "buffers.glsl"
#include "shaders/shared/extraction.h"

layout(constant_id = CONSTANT_BOUND) const uint BOUND = 1;

#define OUTPUT(name, slot, type, Address)                                                          \
    layout(set = 0, binding = slot, scalar) writeonly buffer Out_##name                            \
    {                                                                                              \
        type out_##name[];                                                                         \
    };                                                                                             \
    void write_##name(Address address, uint at, type value)                                        \
    {                                                                                              \
        if (BOUND != 0) {                                                                          \
            out_##name[at] = value;                                                                \
        } else {                                                                                   \
            address.at[at] = value;                                                                \
        }                                                                                          \
    }

OUTPUT(rows, BINDING_OUT_ROWS, uvec2, WriteUvec2s)
OUTPUT(records, BINDING_OUT_RECORDS, uvec4, WriteUvec4s)
OUTPUT(edges, BINDING_OUT_EDGES, uint, WriteUints)
OUTPUT(positions, BINDING_OUT_POSITIONS, vec3, WriteVec3s)
OUTPUT(normals, BINDING_OUT_NORMALS, vec3, WriteVec3s)
OUTPUT(indices, BINDING_OUT_INDICES, uvec3, WriteUvec3s)

#endif
