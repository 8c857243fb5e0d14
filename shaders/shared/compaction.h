// What the kernels of compaction and the C side agree on.
//
// A stream is read by lanes; a lane holds up to 32 consecutive elements and answers with a mask of
// the kept ones. The brick stream has one element per lane, the cell stream a row of 32. The word
// stream, for bench and tests, has one: a word that is kept unless its top bit is set.
#ifndef SHADERS_SHARED_COMPACTION_H
#define SHADERS_SHARED_COMPACTION_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

#define SECTION 32 // blocks (workgroups) of a section in ink-compact

// Lanes of the stream that a workgroup reads in one turn where it streams a range, and Chag's number
// of ranges: about as many workgroups as a large GPU holds at once.
#define STRETCH (8 * GROUP)
#define RANGES  1024 // at most

struct compact_push {
    // The stream. Bricks: `source` are the ranges. Cells: `source` is the list of active bricks,
    // `source_head` its head, and rows and gaps as in extraction. Words: `source` are the words.
    ADDRESS(ReadUints) source;
    ADDRESS(ListHead) source_head;
    ADDRESS(ReadUvec2s) rows; // read through BINDING_ROWS
    ADDRESS(ReadUvec4s) gaps;
    // The result.
    ADDRESS(ListHead) head;
    ADDRESS(WriteUints) list;
    // The method's own.
    ADDRESS(Uints) masks;  // one word per lane; block methods: a bit per element
    ADDRESS(Uints) blocks; // counts or offsets per block; ink-compact: its state too; histopyramids:
                           // groups of the traversal
    ADDRESS(Uints) levels; // histopyramids: all levels; block methods: blocks to concatenate
    ADDRESS(Uints) events; // struct compaction_events, for the host
    ADDRESS(Uints) groups; // brick stream, methods that arrange: for who classifies them; 0 at first
    uint key;    // of the isovalue
    uint lanes;  // of the stream, where the host knows; the cell stream's are 16 per active brick
    uint leaves; // histopyramids: texels of the base that there is room for
    uint level;  // the level that the pass reads; in traversal, the last one
    uint top;    // where that level stands in `levels`, in fours
    uint last;   // the last level
    uint drop;   // test: leave out every so many-th post to another workgroup; 0: none
    uint every;  // brick stream: 1 keeps all of them, whether or not they span the isovalue
    uint stage;  // block methods: BLOCKS_STRAIGHT ...
};

// For bench: marks words as not kept, by a list of their places.
struct mark_push {
    ADDRESS(ReadUints) removals;
    ADDRESS(WriteUints) words;
    uint count;
};

#define WORD_INVALID 0x80000000u // top bit of a word that is not kept

// What a method tells of a run, beside its result.
struct compaction_events {
    uint spins;     // turns spent waiting for another workgroup
    uint fallbacks; // times that a workgroup gave up waiting and did the other's work
    uint removed;   // elements that left a kept list, and that entered it
    uint entered;
};

// Their numbers, for kernels.
#define EVENT_SPINS     0
#define EVENT_FALLBACKS 1
#define EVENT_REMOVED   2
#define EVENT_ENTERED   3

// Outputs per lane of the HistoPyramids' traversal. Active bricks are too few for more; of cells, a
// subgroup looks only the first of all its outputs up.
#ifdef STREAM_BRICKS
#define LOOKUPS 2
#elif defined(STREAM_CELLS)
#define LOOKUPS 16
#else
#define LOOKUPS 8
#endif

// Lanes of a stream that a lane of ink-collate takes; rows of the cell stream.
#define INK_LANES 16
#define INK_ROWS  4

// lookback's words in `blocks`: the ticket, then, on a cache line of their own, a word per tile. A
// lane of a workgroup takes so many lanes of a stream, where the host knows how many there are.
#define LOOKBACK_TICKET 0
#define LOOKBACK_TILES  32
#define LOOKBACK_LANES  16

// ink-compact's words in `blocks`: the ticket, then per section STATE, DONE, TOTAL, PREFIX, then a
// count per block.
#define INK_TICKET        0
#define INK_SECTIONS      1
#define INK_SECTION_WORDS 4
#define INK_READY         1 // all blocks of the section have counted and staged
#define INK_REACHED       2 // the section's prefix is known
#define INK_COPIED        4 // the section's controller copies it in-kernel

// Block methods: sizes of a block; elements of a workgroup that counts, and of one that searches,
// both in whole blocks; and what a search is to do.
#define BLOCK_LEAST     16
#define BLOCK_MOST      2048
#define BLOCK_TILE      (32 * GROUP)
#define BLOCK_SPAN      BLOCK_MOST
#define BLOCKS_STRAIGHT 0 // make the table, find, write into the list
#define BLOCKS_TABLE    1 // make the table, in `levels`
#define BLOCKS_FIND     2 // find by that table, write each block in its own place of `levels`

#endif
