// Results are written through a descriptor if they fit one, otherwise by address.
#ifndef LIB_OUTPUTS
#define LIB_OUTPUTS

#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

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

OUTPUT(row_masks, BINDING_OUT_ROW_MASKS, uvec2, WriteUvec2s)
OUTPUT(row_prefixes, BINDING_OUT_ROW_PREFIXES, uvec4, WriteUvec4s)
OUTPUT(edges, BINDING_OUT_EDGES, uint, WriteUints)
OUTPUT(indices, BINDING_OUT_INDICES, uvec3, WriteUvec3s)

// A vertex has six floats. It is written as three 64-bit words, which llvmpipe stores as fast as
// 32-bit words.
layout(set = 0, binding = BINDING_OUT_VERTICES, scalar) writeonly buffer Out_vertices
{
    u64vec3 out_vertices[];
};
void write_vertex(WriteVec3s address, uint at, vec3 position, vec3 normal)
{
    if (BOUND != 0) {
        out_vertices[at] = u64vec3(packUint2x32(floatBitsToUint(position.xy)),
                                   packUint2x32(floatBitsToUint(vec2(position.z, normal.x))),
                                   packUint2x32(floatBitsToUint(normal.yz)));
    } else {
        address.at[2 * at] = position;
        address.at[2 * at + 1] = normal;
    }
}

#endif
