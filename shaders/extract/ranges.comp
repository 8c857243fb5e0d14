#version 460
// Finds for each brick the least and the greatest key of the samples of its cells (33 x 5 x 5,
// fewer at the volume's border). Keys that are not finite are ignored. Runs once, after the upload.
//
// In a part only the samples count that the part's own edges and cells use.
//
// A brick is active for a key if least < key <= greatest. Otherwise none of its cells is active,
// and no edge that starts in it crosses.

#include "buffers.glsl"
#include "field.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    ranges_push push;
};

WRITES(ranges, BINDING_RANGES, uvec2)

void main()
{
    const uint brick = folded_lane();
    if (brick >= push.bricks) {
        return;
    }
    const uvec3 origin = brick_origin(brick);
    // Written by component: otherwise the compiler would fold a difference of vectors into
    // constants, which spirv-opt, as the validation layers call it, puts before their definition.
    const uvec3 end = uvec3(min(origin.x + BRICK_X, DIM_X - 1), min(origin.y + BRICK_Y, DIM_Y - 1),
                            min(origin.z + BRICK_Z, DIM_Z - 1));
    uint least = 0xffffffffu, greatest = 0;
    const uint first = max(origin.z, OWN_FIRST), first_y = max(origin.y, OWN_Y_FIRST);
    const uint behind = origin.z <= OWN_LAST && origin.y <= OWN_Y_LAST ? end.z + 1 : 0;
    for (uint z = first; z < behind; z++) {
        const Slice slice = field_slice(z);
        for (uint y = first_y; y <= end.y; y++) {
            for (uint x = origin.x; x <= end.x; x++) {
                const uint key = field_key(slice, x, y);
                if (HAS_INVALID == 0 || key_finite(key)) {
                    least = min(least, key);
                    greatest = max(greatest, key);
                }
            }
        }
    }
    ranges[brick] = uvec2(least, greatest);
}
