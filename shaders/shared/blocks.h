// What the kernels of the block methods and the C side agree on.
#ifndef SHADERS_SHARED_BLOCKS_H
#define SHADERS_SHARED_BLOCKS_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

// Sizes of a block; elements of a workgroup that counts, and of one that searches, both in whole
// blocks; and what a search is to do.
#define BLOCK_LEAST     16
#define BLOCK_MOST      2048
#define BLOCK_TILE      (32 * GROUP)
#define BLOCK_SPAN      BLOCK_MOST
#define BLOCKS_STRAIGHT 0 // make the table, find, write into the list
#define BLOCKS_TABLE    1 // make the table, in `levels`
#define BLOCKS_FIND     2 // find by that table, write each block in its own place of `levels`

#define CONSTANT_BLOCK CONSTANT_METHOD // elements of a block

struct blocks_own {
    ADDRESS(Uints) masks;  // a bit per element
    ADDRESS(Uints) blocks; // per tile, then per block, where its elements go
    ADDRESS(Uints) levels; // blocks to concatenate
    uint stage;            // BLOCKS_STRAIGHT ...
};

#endif
