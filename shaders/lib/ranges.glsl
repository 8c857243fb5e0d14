// The stream cut into RANGES contiguous ranges of whole stretches, as even as can be: Chag's.
#ifndef LIB_RANGES
#define LIB_RANGES

#include "stream.glsl"

// First lane of this workgroup's range, and the one after its last. The last ranges may be empty.
uvec2 range_lanes()
{
    const uint lanes = stream_lanes();
    const uint stretches = (lanes + STRETCH - 1) / STRETCH;
    const uint each = (stretches + RANGES - 1) / RANGES * STRETCH;
    return min(gl_WorkGroupID.x * each + uvec2(0, each), uvec2(lanes));
}

#endif
