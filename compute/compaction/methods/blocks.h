// Shared by the block methods. The stream is divided into blocks of 16 to 2048 elements. Each block
// is compacted separately in shared memory. The methods differ in how an output finds its element:
// each has its own search kernel.
#pragma once

#include "compute/compaction/compaction.h"
#include "shaders/shared/blocks.h"

struct blocks_push {
    struct compact_push stream;
    struct blocks_own own;
};

// Said of every block method.
#define BLOCKS_NOTES                                                                               \
    "The predicate is evaluated once, to a bit per element. A workgroup makes the table of its "   \
    "blocks from the bits in shared memory, not by passes over textures.",                         \
        "Elements are written straight into the list. With bench compaction --concatenate blocks " \
        "are compacted separately and then copied, where the papers draw a textured line per "     \
        "block."

// The passes of a block method.
#define BLOCKS_PASSES(label, search)                                                               \
    {                                                                                              \
        { "block count", STREAM_SHADERS(block_count) },                                            \
            { "block scan", STREAM_SHADERS(block_scan) }, { label, STREAM_SHADERS(search) },       \
            { "block concatenate", STREAM_SHADERS(block_concatenate) },                            \
    }

// Shared memory of a search: a table of BLOCK_SPAN words, the memory of the scan, and the starts of
// the blocks.
#define BLOCKS_SHARED ((BLOCK_SPAN + 512) * (uint32_t)sizeof(uint32_t))

// Functions for the rows of the block methods.
bool blocks_check(
    const struct method *method, const struct compaction *compaction, struct problem *problem);
void blocks_constants(
    const struct compaction *compaction, enum stream stream, uint32_t constants[CONSTANTS]);
struct compaction_scratch
blocks_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

// Records a run. By default each block is written directly into the list. The passes are "count",
// "scan" (over the blocks) and "search", which makes its table first. If size.concatenate is set,
// the blocks are concatenated as in the papers: passes "count", "scan", the table, "search",
// "concatenate". The papers call "scan" and "concatenate" together concatenation. Here the
// pass that makes the table is named "prefix sum"; blocks_record_table names it by its argument.
void blocks_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
void blocks_record_table(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const char *table);
