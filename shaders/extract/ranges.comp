#version 460
// Per brick, the least and greatest key over the samples of its cells: 33 x 5 x 5, cut off at the
// volume's border. Keys that are not finite do not count. Runs once, after the upload.
//
// Of a part, only what its own edges and cells touch counts.
//
// A brick is then active for a key where min < key <= max: only then can a cell of it be cut, or an
// edge that starts in it.

#include "buffers.glsl"
#include "field.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    ranges_push push;
};

void main()
{
    const uint brick = folded_lane();
    if (brick >= push.bricks) {
        return;
    }
    const uvec3 origin = brick_origin(brick);
    // One by one: a difference of vectors would fold into constants that spirv-opt, as the validation
    // layers call it, puts before their definition.
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
    push.ranges.at[brick] = uvec2(least, greatest);
}
