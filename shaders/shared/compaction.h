// Shared by the kernels of compaction and the C side.
//
// A stream is read by lanes. A lane has up to 32 consecutive elements, and the predicate gives a
// mask of the kept ones. A lane of the brick stream has one element, a lane of the cell stream a
// row of 32 cells. A lane of the word stream has one word, which is kept unless its top bit is set.
#ifndef SHADERS_SHARED_COMPACTION_H
#define SHADERS_SHARED_COMPACTION_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

// STRETCH: lanes of the stream that a workgroup reads per iteration when it reads a range. RANGES:
// the most ranges of Chag, about as many workgroups as a large GPU runs at once.
#define STRETCH (8 * GROUP)
#define RANGES  1024 // at most

// Every kernel that includes lib/stream.glsl has this struct first in its push constants. Its own
// parameters follow in a struct that a header of the method declares.
struct compact_push {
    uint key; // the isovalue as a key; of words: word_hash(WORD_NEVER, CONSTANT_WORK)
    // Lanes of the stream, or at most if only the device knows; the cell stream has 16 per brick.
    uint lanes;
    uint every;    // brick stream: 1 keeps all bricks, even those that do not span the isovalue
    uint capacity; // capacity of the list; elements beyond it are not written
};

// Of two kernels of bench. Both get a list of positions. mark.comp marks the elements there as not kept;
// preserve.comp copies these elements.
struct mark_push {
    uint count;   // number of positions
    uint payload; // words of an element after its first one
};

#define WORD_INVALID 0x80000000u // top bit of a word that is not kept
#define WORD_NEVER   0xffffffffu // no word of a stream whose predicate does work

// A hash that takes `rounds` rounds. It maps different words to different ones.
INLINE uint word_hash(uint word, uint rounds)
{
    UNROLL for (uint i = 0; i < rounds; i++)
    {
        word = (word ^ word >> 16) * 0x85ebca6bu + 1;
    }
    return word;
}

// Forms of methods, which take a paper's words literally. They are constants of the same kernels.
#define FORM_PLAIN    0
#define FORM_BALLOTS  1 // offsets by a ballot per bit
#define FORM_DOUBLING 2 // run lengths by recursive doubling
#define FORM_TREE     3 // run lengths by a balanced tree
#define FORM_HYBRID   4 // a scan by a balanced tree, whose top is scanned by recursive doubling
#define FORM_ATLAS    5 // cells: a pyramid over the slices as tiles, by kernels of its own
#define FORM_IN_PLACE 7 // Redzone: orphans are stored in the red zone and in the removal list
#define FORM_BOTH     6 // rays: the method compacts the hits, too
#define FORM_MARK     8 // the stream is read twice; who marks its words may count the blocks

// Events that a method reports besides its result.
struct compaction_events {
    uint spins;     // iterations in which a workgroup waited for another one
    uint fallbacks; // times that a workgroup stopped waiting and did the other's work
    uint removed;   // elements that were removed from a kept list
    uint entered;   // elements that joined a kept list
    uint late;      // elements that a second kernel moved, because the first one did not wait
};

// Indices of the events, for kernels.
#define EVENT_SPINS     0
#define EVENT_FALLBACKS 1
#define EVENT_REMOVED   2
#define EVENT_ENTERED   3
#define EVENT_LATE      4

#endif
