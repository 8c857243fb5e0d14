// What the kernels of compaction and the C side agree on.
//
// A stream is read by lanes; a lane holds up to 32 consecutive elements and answers with a mask of
// the kept ones. The brick stream has one element per lane, the cell stream a row of 32. The word
// stream, for bench and tests, has one: a word that is kept unless its top bit is set.
#ifndef SHADERS_SHARED_COMPACTION_H
#define SHADERS_SHARED_COMPACTION_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

// Lanes of the stream that a workgroup reads in one turn where it streams a range, and Chag's
// number of ranges: about as many workgroups as a large GPU holds at once.
#define STRETCH (8 * GROUP)
#define RANGES  1024 // at most

// The stream, and the list that a run makes of it. Every kernel that includes lib/stream.glsl has
// this first in its push constants. What else it takes follows in a struct of its own, 64 bytes at
// most, which a header of the method's declares.
struct compact_push {
    // Bricks: `source` are the ranges. Cells: `source` is the list of active bricks,
    // `source_counter` its counter, and rows and gaps as in extraction. Words: `source` are the
    // words.
    ADDRESS(ReadUints) source;
    ADDRESS(ListCounter) source_counter;
    ADDRESS(ReadUvec2s) row_masks; // read through BINDING_ROW_MASKS
    ADDRESS(ReadUvec4s) valid_masks;
    ADDRESS(ListCounter) counter;
    ADDRESS(WriteUints) list;
    uint key;   // of the isovalue
    uint lanes; // of the stream, where the host knows; the cell stream's are 16 per active brick
    uint every; // brick stream: 1 keeps all of them, whether or not they span the isovalue
    uint spare; // to a multiple of 8 bytes
};

// For bench: marks words as not kept, by a list of their places.
struct mark_push {
    ADDRESS(ReadUints) removals;
    ADDRESS(WriteUints) words;
    uint count;
};

#define WORD_INVALID 0x80000000u // top bit of a word that is not kept

// What a method publishes of a run, beside its result.
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

// Lanes of a stream that a lane of a PASS_ITEMS takes (compute/compaction/method.h); of the cell
// stream, rows.
#define ITEM_LANES 16
#define ITEM_ROWS  4

#endif
