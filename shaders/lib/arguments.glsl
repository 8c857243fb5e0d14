// Dispatch arguments.
#ifndef LIB_ARGUMENTS
#define LIB_ARGUMENTS

#include "buffers.glsl"
#include "shaders/shared/glue.h"

// Writes the workgroups for so many lanes, folded over x and y, in one store: if one lane of a
// whole dispatch writes, llvmpipe's cost grows with the number of stores.
void write_arguments(WriteUints arguments, uint lanes)
{
    const uint all = lanes / GROUP + uint(lanes % GROUP != 0);
    WriteUvec4s(arguments).at[0] =
        uvec4(min(all, 65535u), all <= 65535 ? 1 : (all + 65534) / 65535, 1, 0);
}

// The same for a list that still grows: raises the arguments to at least so many lanes.
void raise_arguments(Uints arguments, uint lanes)
{
    const uint all = lanes / GROUP + uint(lanes % GROUP != 0);
    atomicMax(arguments.at[0], min(all, 65535u));
    atomicMax(arguments.at[1], all <= 65535 ? 1 : (all + 65534) / 65535);
}

// Number of lanes for n items, `each` per lane.
uint lanes_for(uint n, uint each)
{
    return n / each + uint(n % each != 0);
}

#endif
