// Reads the list of active bricks of an earlier pass.
#ifndef LIB_BRICKS
#define LIB_BRICKS

#include "buffers.glsl"

COUNTER(bricks_counter, BINDING_BRICKS_COUNTER)
FETCHES(bricks, BINDING_BRICKS)

uint bricks_at(uint i)
{
    return texelFetch(bricks, int(i)).x;
}

#endif
