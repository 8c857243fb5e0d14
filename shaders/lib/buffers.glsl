// Buffers by address. The name of a type says how a kernel may use it.
#ifndef LIB_BUFFERS
#define LIB_BUFFERS

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

#define READS(name, type)                                                                          \
    layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer name              \
    {                                                                                              \
        type at[];                                                                                 \
    }
#define WRITES(name, type)                                                                         \
    layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer name             \
    {                                                                                              \
        type at[];                                                                                 \
    }

READS(ReadUints, uint);
READS(ReadUvec2s, uvec2);
READS(ReadUvec4s, uvec4);
WRITES(WriteUints, uint);
WRITES(WriteUvec2s, uvec2);
WRITES(WriteUvec3s, uvec3);
WRITES(WriteUvec4s, uvec4);
WRITES(WriteVec3s, vec3);

// Coherent: invocations of one dispatch exchange data through it.
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Uints
{
    uint at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Uvec4s
{
    uvec4 at[];
};

// Within a dispatch only atomics access a counter.
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer ListCounter
{
    uint count;
    uint capacity;
    uint wrapped;
    uint spare;
};

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer StepCounts
{
    uint bricks, cells, vertices, triangles;
    uint whole;
    uint wrapped;
};

#endif
