// Block methods, pass 3 of 3: everything that the methods share. Include it after defining
//
//   TABLE_WORDS, table         what the method searches in, in shared memory
//   make_table()               fills the table; all lanes take part
//   find(base, c)              the element that becomes output c of the block that begins at `base`
//
// The papers compact each block separately and then concatenate the results. The table and the
// compacted blocks pass through memory (BLOCKS_TABLE, BLOCKS_FIND, then block_concatenate.comp):
// these stages exist to measure that. Otherwise one pass writes straight into the list.
#ifndef LIB_BLOCK_SEARCH
#define LIB_BLOCK_SEARCH

#include "block_open.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    if (!open_blocks()) {
        return;
    }
    if (own.stage != BLOCKS_FIND) {
        make_table();
        barrier();
    }
    // Store the table. BLOCKS_FIND later overwrites it with compacted blocks.
    if (own.stage == BLOCKS_TABLE) {
        for (uint i = group_lane(); i < TABLE_WORDS; i += GROUP) {
            levels[span_first() + i] = table[i];
        }
        return;
    }
    if (own.stage == BLOCKS_FIND) {
        for (uint i = group_lane(); i < TABLE_WORDS; i += GROUP) {
            table[i] = levels[span_first() + i];
        }
        barrier();
    }
    const uint base = lane_block() * BLOCK, kept = block_kept(), start = starts[lane_block()];
    const uint capacity = push.capacity;
    for (uint c = lane_in_block(); c < kept; c += BLOCK_LANES) {
        const uint value = element_number(span_first() + find(base, c));
        if (own.stage == BLOCKS_FIND) {
            levels[span_first() + base + c] = value;
        } else if (start + c < capacity) {
            put_element(start + c, value);
        }
    }
}

#endif
