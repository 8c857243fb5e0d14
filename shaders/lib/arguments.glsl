// Indirect arguments.
#ifndef LIB_ARGUMENTS
#define LIB_ARGUMENTS

#include "buffers.glsl"
#include "shaders/shared/glue.h"

// Groups for so many lanes, folded over x and y. One store: where all lanes of a dispatch pass by
// for one of them to write, llvmpipe pays by stores.
void write_arguments(WriteUints arguments, uint lanes)
{
    const uint all = lanes / GROUP + uint(lanes % GROUP != 0);
    WriteUvec4s(arguments).at[0] =
        uvec4(min(all, 65535u), all <= 65535 ? 1 : (all + 65534) / 65535, 1, 0);
}

// The same for a list that still grows: at least as many as for so many lanes.
void raise_arguments(Uints arguments, uint lanes)
{
    const uint all = lanes / GROUP + uint(lanes % GROUP != 0);
    atomicMax(arguments.at[0], min(all, 65535u));
    atomicMax(arguments.at[1], all <= 65535 ? 1 : (all + 65534) / 65535);
}

// Lanes that take `each` of n.
uint lanes_for(uint n, uint each)
{
    return n / each + uint(n % each != 0);
}

#endif
