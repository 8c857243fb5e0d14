#version 460
// Makes the row masks of the active bricks for an isovalue. They include the halo, so that later
// passes read one brick only. A lane has CLASSIFY_ROWS rows of 32 samples; a brick has 25 rows.

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

// A row of 32 samples. `next`: the key of the sample after it, or of the volume's last one.
struct Row {
    uint brick, slot, row, x, y, next;
    Slice slice;
};

Row row_of(uint lane)
{
    Row row;
    row.slot = lane / HALO_ROWS;
    row.row = lane - row.slot * HALO_ROWS;
    row.brick = bricks_at(row.slot);
    const uvec3 origin = brick_origin(row.brick);
    // Rows beyond the volume's border repeat the last row: no edge crosses between equal rows.
    row.slice = field_slice(min(origin.z + row.row / HALO_Y, DIM_Z - 1));
    row.y = min(origin.y + row.row % HALO_Y, DIM_Y - 1);
    row.x = origin.x;
    row.next = field_key(row.slice, min(row.x + 32, DIM_X - 1), row.y);
    return row;
}

void classify(uint lane, Row row, uint key)
{
    uint bits = field_row(row.slice, row.x, row.y, key);
    const uint width = DIM_X - row.x;
    uint next;
    if (width > 32) {
        next = uint(row.next >= key);
    } else {
        // Samples beyond the end of the volume's row repeat its last sample.
        next = bits >> (width - 1) & 1;
        bits = (bits & low_bits(width)) | (next != 0 ? ~low_bits(width) : 0);
    }
    row_masks[lane] = uvec2(bits, next);
    if (row.row == 0) {
        slots[row.brick] = row.slot;
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
    // Reads one sample of every row first, so that a CPU waits for memory once.
    Row rows[CLASSIFY_ROWS];
    [[unroll]] for (uint turn = 0; turn < CLASSIFY_ROWS; turn++) {
        rows[turn] = row_of(min(lane + turn * gl_SubgroupSize, lanes - 1));
    }
    [[unroll]] for (uint turn = 0; turn < CLASSIFY_ROWS; turn++) {
        if (lane + turn * gl_SubgroupSize < lanes) {
            classify(lane + turn * gl_SubgroupSize, rows[turn], key);
        }
    }
}
