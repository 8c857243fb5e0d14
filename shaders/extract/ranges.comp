#version 460
// Finds for each brick the least and the greatest key of the samples of its cells (33 x 5 x 5,
// fewer at the volume's border). Keys that are not finite are ignored. Runs once, after the upload.
//
// The lanes of a subgroup share a brick: lane after lane reads along its rows. A workgroup has as
// many bricks as in the passes whose lanes share rows (SHARED_FOURS, four of them a brick).
//
// In a part only the samples count that the part's own edges and cells use.
//
// A brick is active for a key if least < key <= greatest. Otherwise none of its cells is active,
// and no edge that starts in it crosses.

#include "buffers.glsl"
#include "field.glsl"

#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    ranges_push push;
};

WRITES(ranges, BINDING_RANGES, uvec2)

const uint GROUP_BRICKS = SHARED_FOURS / 4;
const uint ROW = BRICK_X + 1, SLICE = ROW * (BRICK_Y + 1); // samples

// The lane's share of a brick: the least of its keys, and the greatest.
uvec2 range_of_lane(uint brick)
{
    const uvec3 origin = brick_origin(brick);
    // Written by component: otherwise the compiler would fold a difference of vectors into
    // constants, which spirv-opt, as the validation layers call it, puts before their definition.
    const uvec3 end = uvec3(min(origin.x + BRICK_X, DIM_X - 1), min(origin.y + BRICK_Y, DIM_Y - 1),
                            min(origin.z + BRICK_Z, DIM_Z - 1));
    uint least = 0xffffffffu, greatest = 0;
    const uint first = max(origin.z, OWN_FIRST), first_y = max(origin.y, OWN_Y_FIRST);
    const bool has_rows = first_y <= end.y && origin.y <= OWN_Y_LAST;
    const uint behind = has_rows && origin.z <= OWN_LAST ? end.z + 1 : 0;
    for (uint from = 0; from < SLICE; from += gl_SubgroupSize) {
        // Samples past the end are the last ones once more.
        const uint i = min(from + gl_SubgroupInvocationID, SLICE - 1);
        const uint x = min(origin.x + i % ROW, end.x);
        const uint y = clamp(origin.y + i / ROW, first_y, end.y);
        for (uint z = first; z < behind; z++) {
            const uint key = field_key(field_slice(z), x, y);
            if (HAS_INVALID == 0 || key_finite(key)) {
                least = min(least, key);
                greatest = max(greatest, key);
            }
        }
    }
    return uvec2(least, greatest);
}

void main()
{
    const uint base = folded_group() * GROUP_BRICKS;
    const uint end = min(base + GROUP_BRICKS, push.bricks);
    for (uint brick = base + gl_SubgroupID; brick < end; brick += gl_NumSubgroups) {
        const uvec2 range = range_of_lane(brick);
        subgroup_join();
        const uint least = subgroupMin(range.x), greatest = subgroupMax(range.y);
        if (gl_SubgroupInvocationID == 0) {
            ranges[brick] = uvec2(least, greatest);
        }
    }
}
