// Dispatch arguments: a buffer of four words.
#ifndef LIB_ARGUMENTS
#define LIB_ARGUMENTS

#include "buffers.glsl"
#include "shaders/shared/glue.h"

// Declares arguments that a pass writes, in one store: if one lane of a whole dispatch writes,
// llvmpipe's cost grows with the number of stores.
#define WRITES_ARGUMENTS(name, number) WRITES(name, number, uvec4)

// Declares arguments that grow with their list.
#define RAISES_ARGUMENTS(name, number) SHARES(name, number, uint)

uint groups_for(uint lanes)
{
    return lanes / GROUP + uint(lanes % GROUP != 0);
}

// The arguments for so many lanes: workgroups, folded over x and y.
uvec4 arguments_for(uint lanes)
{
    const uint all = groups_for(lanes);
    return uvec4(min(all, 65535u), all <= 65535 ? 1 : (all + 65534) / 65535, 1, 0);
}

// Raises arguments to at least so many lanes.
#define RAISE_ARGUMENTS(name, lanes)                                                               \
    {                                                                                              \
        const uvec4 least = arguments_for(lanes);                                                  \
        atomicMax(name[0], least.x);                                                               \
        atomicMax(name[1], least.y);                                                               \
    }

// Number of lanes for n items, `each` per lane.
uint lanes_for(uint n, uint each)
{
    return n / each + uint(n % each != 0);
}

#endif
