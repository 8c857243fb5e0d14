// Chag's ranges: the stream is divided as evenly as possible into at most RANGES contiguous ranges
// of whole stretches. The dispatch has as many ranges as the longest possible stream needs.
#ifndef LIB_RANGES
#define LIB_RANGES

#include "stream.glsl"

SHARES(blocks, BINDING_BLOCKS, uint) // per range: its count, later the offset of its elements

// First lane of this workgroup's range, and the lane after its last one. The last ranges may be
// empty.
uvec2 range_lanes()
{
    const uint lanes = stream_lanes();
    const uint stretches = (lanes + STRETCH - 1) / STRETCH;
    const uint ranges = gl_NumWorkGroups.x;
    const uint each = (stretches + ranges - 1) / ranges * STRETCH;
    return min(gl_WorkGroupID.x * each + uvec2(0, each), uvec2(lanes));
}

#endif
