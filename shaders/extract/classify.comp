#version 460
// Isovalue -> row masks of the active bricks. They include the halo, so that later passes read one
// brick only. CLASSIFY_ROWS rows of 32 samples per lane; 25 rows per brick.

#include "buffers.glsl"
#include "arguments.glsl"
#include "bricks.glsl"
#include "field.glsl"

#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    classify_push push;
};

WRITES(slots, BINDING_SLOTS, uint)
WRITES(row_masks, BINDING_ROW_MASKS, uvec2)
WRITES_ARGUMENTS(rows_arguments, BINDING_ROWS_ARGUMENTS)
WRITES_ARGUMENTS(fours_arguments, BINDING_FOURS_ARGUMENTS)
WRITES_ARGUMENTS(shared_arguments, BINDING_SHARED_ARGUMENTS)

void classify(uint lane, uint key)
{
    const uint slot = lane / HALO_ROWS;
    const uint row = lane - slot * HALO_ROWS;
    const uint brick = bricks_at(slot);
    const uvec3 origin = brick_origin(brick);
    // Rows beyond the border repeat the last one: no edge crosses between equal rows.
    const Slice slice = field_slice(min(origin.z + row / 5, DIM_Z - 1));
    const uint y = min(origin.y + row % 5, DIM_Y - 1);
    uint bits = field_row(slice, origin.x, y, key);
    const uint width = DIM_X - origin.x;
    uint next;
    if (width > 32) {
        next = uint(field_key(slice, origin.x + 32, y) >= key);
    } else {
        // Samples beyond the row's end repeat the last one as well.
        next = bits >> (width - 1) & 1;
        bits = (bits & low_bits(width)) | (next != 0 ? ~low_bits(width) : 0);
    }
    row_masks[lane] = uvec2(bits, next);
    if (row == 0) {
        slots[brick] = slot;
    }
}

void main()
{
    const uint lanes = list_length(bricks_counter) * HALO_ROWS;
    uint lane = (folded_group() * GROUP + gl_SubgroupID * gl_SubgroupSize) * CLASSIFY_ROWS +
                gl_SubgroupInvocationID;
    if (folded_group() == 0 && group_lane() == 0) {
        const uint rows = list_length(bricks_counter) * BRICK_ROWS;
        rows_arguments[0] = arguments_for(rows);
        fours_arguments[0] = arguments_for(rows / 4);
        shared_arguments[0] = arguments_for_groups(lanes_for(rows / 4, SHARED_FOURS));
    }
    const uint key = push.key;
    uint turn = 0;
    while (true) {
        if (lane < lanes) {
            classify(lane, key);
        }
        lane += gl_SubgroupSize;
        if (++turn == CLASSIFY_ROWS) {
            break;
        }
    }
}
