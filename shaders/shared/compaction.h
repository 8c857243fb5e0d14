// Shared by the kernels of compaction and the C side.
//
// A stream is read by lanes. A lane has up to 32 consecutive elements, and the predicate gives a
// mask of the kept ones. The brick stream has one element per lane, the cell stream a row of 32.
// The word stream has one: a word that is kept unless its top bit is set.
#ifndef SHADERS_SHARED_COMPACTION_H
#define SHADERS_SHARED_COMPACTION_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

// STRETCH: lanes of the stream that a workgroup reads per turn when it reads a range. RANGES:
// Chag's largest number of ranges, about as many workgroups as a large GPU runs at once.
#define STRETCH (8 * GROUP)
#define RANGES  1024 // at most

// Every kernel that includes lib/stream.glsl has this struct first in its push constants. Its own
// parameters follow in a struct that a header of the method declares.
struct compact_push {
    uint key; // of the isovalue
    // Of the stream, if the host knows it, else at most; the cell stream has 16 per active brick.
    uint lanes;
    uint every;    // brick stream: 1 keeps all bricks, even those that do not span the isovalue
    uint capacity; // of the list: nothing is written beyond it
};

// For bench: marks words as not kept, by a list of their positions.
struct mark_push {
    uint count;
};

#define WORD_INVALID 0x80000000u // top bit of a word that is not kept

// Events of a run that a method reports, beside its result.
struct compaction_events {
    uint spins;     // turns that workgroups waited for another one
    uint fallbacks; // times that a workgroup stopped waiting and did the other's work
    uint removed;   // elements that were removed from a kept list, and that joined it
    uint entered;
};

// Indices of the events, for kernels.
#define EVENT_SPINS     0
#define EVENT_FALLBACKS 1
#define EVENT_REMOVED   2
#define EVENT_ENTERED   3

#endif
