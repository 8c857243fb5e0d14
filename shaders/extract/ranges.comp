#version 460
// Finds for each brick the least and the greatest key of the samples of its cells (33 x 5 x 5,
// fewer at the volume's border). Keys that are not finite are ignored. Runs once, after the upload.
//
// With SHARED the lanes of a subgroup share a brick and read along its rows. A workgroup then has the
// bricks of its SHARED_FOURS groups of four rows, four groups a brick. On llvmpipe each lane has a
// brick: sharing took 1.5 times as long.
//
// In a part only the samples count that the part's own edges and cells use.
//
// A brick is active for a key if least < key <= greatest. Otherwise none of its cells is active,
// and no edge that starts in it crosses.

#include "buffers.glsl"
#include "field.glsl"

#ifdef SHARED
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    ranges_push push;
};

WRITES(ranges, BINDING_RANGES, uvec2)

const uint ROW = BRICK_X + 1, SLICE = ROW * (BRICK_Y + 1); // samples

#define WIDEN(key)                                                                                 \
    if (HAS_INVALID == 0 || key_finite(key)) {                                                     \
        least = min(least, key);                                                                   \
        greatest = max(greatest, key);                                                             \
    }

// The least and the greatest key of a brick, or of the lane's share of it.
uvec2 range_of(uint brick)
{
    const uvec3 origin = brick_origin(brick);
    // Written by component: otherwise the compiler would fold a difference of vectors into
    // constants, which spirv-opt, as the validation layers call it, puts before their definition.
    const uvec3 end = uvec3(min(origin.x + BRICK_X, DIM_X - 1), min(origin.y + BRICK_Y, DIM_Y - 1),
                            min(origin.z + BRICK_Z, DIM_Z - 1));
    uint least = 0xffffffffu, greatest = 0;
    const uint first = max(origin.z, OWN_FIRST), first_y = max(origin.y, OWN_Y_FIRST);
    const uint behind = origin.z <= OWN_LAST && origin.y <= OWN_Y_LAST ? end.z + 1 : 0;
#ifdef SHARED
    const bool has_rows = first_y <= end.y;
    for (uint from = 0; has_rows && from < SLICE; from += gl_SubgroupSize) {
        // Samples past the end of a row or a slice are its last ones once more.
        const uint i = min(from + gl_SubgroupInvocationID, SLICE - 1);
        const uint x = min(origin.x + i % ROW, end.x);
        const uint y = clamp(origin.y + i / ROW, first_y, end.y);
        for (uint z = first; z < behind; z++) {
            const uint key = field_key(field_slice(z), x, y);
            WIDEN(key)
        }
    }
#else
    for (uint z = first; z < behind; z++) {
        const Slice slice = field_slice(z);
        for (uint y = first_y; y <= end.y; y++) {
            for (uint x = origin.x; x <= end.x; x++) {
                const uint key = field_key(slice, x, y);
                WIDEN(key)
            }
        }
    }
#endif
    return uvec2(least, greatest);
}

void main()
{
#ifdef SHARED
    const uint bricks = SHARED_FOURS / 4, base = folded_group() * bricks;
    const uint end = min(base + bricks, push.bricks);
    for (uint brick = base + gl_SubgroupID; brick < end; brick += gl_NumSubgroups) {
        const uvec2 range = range_of(brick);
        subgroup_join();
        const uint least = subgroupMin(range.x), greatest = subgroupMax(range.y);
        if (gl_SubgroupInvocationID == 0) {
            ranges[brick] = uvec2(least, greatest);
        }
    }
#else
    const uint brick = folded_lane();
    if (brick >= push.bricks) {
        return;
    }
    ranges[brick] = range_of(brick);
#endif
}
