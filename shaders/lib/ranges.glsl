// The stream cut into contiguous ranges of whole stretches, as even as can be, at most RANGES of
// them: Chag's. There are as many as the longest stream needs that the dispatch is made for.
#ifndef LIB_RANGES
#define LIB_RANGES

#include "buffers.glsl"
#include "shaders/shared/chag.h"
#define OWN chag_own
#include "stream.glsl"

// First lane of this workgroup's range, and the one after its last. The last ranges may be empty.
uvec2 range_lanes()
{
    const uint lanes = stream_lanes();
    const uint stretches = (lanes + STRETCH - 1) / STRETCH;
    const uint ranges = gl_NumWorkGroups.x;
    const uint each = (stretches + ranges - 1) / ranges * STRETCH;
    return min(gl_WorkGroupID.x * each + uvec2(0, each), uvec2(lanes));
}

#endif
