// Shared by the kernels of the block methods and the C side.
#ifndef SHADERS_SHARED_BLOCKS_H
#define SHADERS_SHARED_BLOCKS_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

// Elements of the smallest and the largest block. BLOCK_TILE, BLOCK_SPAN: elements per workgroup of
// the count and of the search, in whole blocks. BLOCKS_*: the stage of a search.
#define BLOCK_LEAST     16
#define BLOCK_MOST      2048
#define BLOCK_TILE      (32 * GROUP)
#define BLOCK_SPAN      BLOCK_MOST
#define BLOCKS_STRAIGHT 0 // makes the table, searches it, writes into the list
#define BLOCKS_TABLE    1 // makes the table and writes it to `levels`
#define BLOCKS_FIND     2 // searches in the table of BLOCKS_TABLE; writes each compacted block to `levels`

#define CONSTANT_BLOCK CONSTANT_METHOD // elements of a block

struct blocks_own {
    uint stage; // one of BLOCKS_*
};

#endif
