// Dispatch arguments: a buffer of four words.
#ifndef LIB_ARGUMENTS
#define LIB_ARGUMENTS

#include "buffers.glsl"
#include "lanes.glsl"

// Declares arguments that a pass writes in one store. On llvmpipe, if only one lane of a dispatch
// writes, the cost grows with the number of stores.
#define WRITES_ARGUMENTS(name, number) WRITES(name, number, uvec4)

// Declares arguments that a pass raises while their list grows.
#define RAISES_ARGUMENTS(name, number) SHARES(name, number, uint)

// Number of lanes for n items, `each` per lane.
uint lanes_for(uint n, uint each)
{
    return n / each + uint(n % each != 0);
}

// The arguments for `all` workgroups, folded over x and y.
uvec4 arguments_for_groups(uint all)
{
    return uvec4(min(all, 65535u), all <= 65535 ? 1 : (all + 65534) / 65535, 1, 0);
}

// The arguments for `lanes` lanes.
uvec4 arguments_for(uint lanes)
{
    return arguments_for_groups(lanes_for(lanes, GROUP));
}

// Raises arguments to at least `lanes` lanes. At first they must be 0, 1, 1.
#define RAISE_ARGUMENTS(name, lanes)                                                               \
    {                                                                                              \
        const uvec4 least = arguments_for(lanes);                                                  \
        atomicMax(name[0], least.x);                                                               \
        if (least.y > 1) {                                                                         \
            atomicMax(name[1], least.y);                                                           \
        }                                                                                          \
    }

// Number of lanes that classify so many active bricks, or make the triangles of so many cells.
uint halo_lanes(uint bricks)
{
    return lanes_for(bricks * HALO_ROWS, CLASSIFY_ROWS);
}

uint cells_lanes(uint cells)
{
    return lanes_for(cells, TRIANGLES_CELLS);
}

#endif
