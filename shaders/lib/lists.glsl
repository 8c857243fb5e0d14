// Lists that an earlier pass has made.
#ifndef LIB_LISTS
#define LIB_LISTS

#include "shaders/shared/extraction.h"

layout(set = 0, binding = BINDING_COUNTERS) uniform usamplerBuffer counters;

// Length of a complete list. `list`: LIST_BRICKS ...
#define list_length(list) min(texelFetch(counters, list).x, texelFetch(counters, list).y)

// Capacity of a list; may be read at any time.
#define list_capacity(list) texelFetch(counters, list).y

#define LIST(name, slot)                                                                           \
    layout(set = 0, binding = slot) uniform usamplerBuffer name;                                   \
    uint name##_at(uint i)                                                                         \
    {                                                                                              \
        return texelFetch(name, int(i)).x;                                                         \
    }

LIST(bricks, BINDING_BRICKS)
LIST(slots, BINDING_SLOTS)
LIST(cells, BINDING_CELLS)
LIST(edges, BINDING_EDGES)

#endif
