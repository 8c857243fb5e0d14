#version 460
// Block methods as in the papers, last pass: appends the blocks, each compacted in place, to
// the list. The papers draw a line per block, textured with its elements.

#include "block_open.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    if (!open_blocks()) {
        return;
    }
    const uint base = lane_block() * BLOCK, kept = block_kept(), start = starts[lane_block()];
    const uint capacity = push.capacity;
    for (uint c = lane_in_block(); c < kept && start + c < capacity; c += BLOCK_LANES) {
        list[start + c] = levels[span_first() + base + c];
    }
}
