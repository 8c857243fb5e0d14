#version 460
// Makes the masks of the cells, and the strips of the cubes, that an isovalue meets (cell_masks.glsl). A
// lane has a brick that the isovalue meets: eight fine cubes in a row. FOLDED: a lane has any brick, and lists
// it, too.
//
// A lane goes along its 25 rows of samples. Two neighbouring rows are joined to a pair. A pair and the pair
// five rows before it give the cells. Each slice of cells is shifted into the masks at their upper end. So
// the first slice, which has no slice before it, is shifted out again. In the same way the first row of a
// slice, which has no pair, drops out of the last four rows of cells.

#include "cell_masks.glsl"
#include "field.glsl"

#ifdef FOLDED
#include "met_bricks.glsl"
#else
#include "bricks.glsl"
#include "contours.glsl"
#include "many.glsl"

layout(push_constant, scalar) uniform Push
{
    masks_push push;
};
#endif

layout(local_size_x = GROUP) in;

SHARES(mask_words, BINDING_MASK_WORDS, uint)
#ifdef FIELD_IMAGE
WRITES(masks, BINDING_CELL_MASKS, uvec2)
#else
layout(set = 0, binding = BINDING_CELL_MASKS, rg32ui) writeonly uniform uimageBuffer masks;
#endif

void store_fine(uint number, uvec2 mask)
{
#ifdef FIELD_IMAGE
    masks[number] = mask;
#else
    imageStore(masks, int(number), uvec4(mask, 0, 0));
#endif
}

// Two masks of the edges of a row. `some`: at least one end of the edge is inside; `all`: both are.
void row_edges(uvec3 origin, uint y, uint z, uint key, out uint some, out uint all)
{
    const Slice slice = field_slice(min(origin.z + z, push.last));
    y = min(origin.y + y, DIM_Y - 1);
    const uint bits = field_row(slice, origin.x, y, key);
    const uint next = uint(field_key(slice, min(origin.x + BRICK_X, DIM_X - 1), y) >= key);
    const uint after = bits >> 1 | next << 31;
    some = bits | after;
    all = bits & after;
}

// Adds the cells of a brick that the isovalue with this key meets.
void add_cells(uvec3 origin, uint key, inout uvec2 all_masks[MASK_CUBES])
{
    uvec2 own_masks[MASK_CUBES];
    [[unroll]] for (uint k = 0; k < MASK_CUBES; k++) {
        own_masks[k] = uvec2(0);
    }
    uint some_before[5] = uint[5](0, 0, 0, 0, 0), all_before[5] = some_before; // of the last five row pairs
    uint last_some = 0, last_all = 0;                                         // of the last row of samples
    for (uint z = 0; z < 5; z++) {
        uvec4 cells = uvec4(0); // the last four rows of cells
        for (uint y = 0; y < 5; y++) {
            uint some, all;
            row_edges(origin, y, z, key, some, all);
            const uint some_pair = some | last_some, all_pair = all & last_all;
            last_some = some;
            last_all = all;
            cells = uvec4(cells.yzw, (some_pair | some_before[0]) & ~(all_pair & all_before[0]) &
                                         row_cells(origin, y - 1, z - 1));
            [[unroll]] for (uint i = 0; i < 4; i++) {
                some_before[i] = some_before[i + 1];
                all_before[i] = all_before[i + 1];
            }
            some_before[4] = some_pair;
            all_before[4] = all_pair;
        }
        [[unroll]] for (uint k = 0; k < MASK_CUBES; k++) {
            const uvec4 own = (cells >> (4 * k) & 15) << uvec4(16, 20, 24, 28);
            own_masks[k] = uvec2(own_masks[k].x >> 16 | own_masks[k].y << 16,
                                 own_masks[k].y >> 16 | own.x | own.y | own.z | own.w);
        }
    }
    [[unroll]] for (uint k = 0; k < MASK_CUBES; k++) {
        all_masks[k] |= own_masks[k];
    }
}

void main()
{
    const uint lane = folded_lane();
    uint key = contours.list[push.contour].iso.key;
#ifdef FOLDED
    if (!list_met(lane)) {
        return;
    }
    const uint brick = lane;
#else
    if (lane >= list_length(bricks_counter)) {
        return;
    }
    const uint brick = bricks_at(lane);
#endif
    const uvec3 origin = brick_origin(brick);
    uvec2 own_masks[MASK_CUBES];
    [[unroll]] for (uint k = 0; k < MASK_CUBES; k++) {
        own_masks[k] = uvec2(0);
    }
    uint contour = 0;
    do {
        add_cells(origin, key, own_masks);
        contour++;
        key = contours.list[min(contour, CONTOURS_MOST - 1)].iso.key;
    } while (CAST_MANY != 0 && contour < contours.count);
    const uvec3 fine = origin / 4;
    uint met = 0;
    [[unroll]] for (uint k = 0; k < MASK_CUBES; k++) {
        const uvec2 mask = own_masks[k];
        if ((mask.x | mask.y) != 0) {
            store_fine(fine_number(fine + uvec3(k, 0, 0)), mask);
            met |= 1u << k;
        }
    }
    if (met != 0) {
        const uint word = 2 * strip_number(fine.x / STRIP, fine.y, fine.z) + (fine.x / 32 & 1);
        atomicOr(mask_words[word], met << (fine.x & 31));
    }
}
