#version 460
// HistoPyramid, base: the predicate's masks, four leaves per lane, and level 1, whose fours are
// those of four lanes.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

OUTPUT(mask_fours, BINDING_OUT_MASKS, uvec4, WriteUvec4s)

void main()
{
    const uint node = folded_group() * GROUP + gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    const bool there = 4 * node < stream_leaves();
    const uvec4 leaves = there ? keep_four(node, LEAF_LANES) : uvec4(0);
    if (there) {
        write_mask_fours(WriteUvec4s(push.masks), node, leaves);
    }
    const ivec4 counts = bitCount(leaves);
    const uint count = counts.x + counts.y + counts.z + counts.w;
    const uint first = gl_SubgroupInvocationID & ~3u;
    const uvec4 four = uvec4(subgroupShuffle(count, first), subgroupShuffle(count, first + 1),
                             subgroupShuffle(count, first + 2), subgroupShuffle(count, first + 3));
    if (there && gl_SubgroupInvocationID == first) {
        write_four(node / 4, four);
    }
}
