// The state that Redzone keeps from run to run: the compaction_state of its rows. Also for tests.
#pragma once

#include "compute/compaction/compaction.h"
#include "shaders/shared/redzone.h"

// A list that is reused. A mask for each lane that the stream could have says which elements a run
// kept. One buffer has the masks of the last run, the other one those of the run before.
struct redzone_kept {
    struct buffer masks[2];
    uint32_t newest; // index of the buffer of the last run
    uint64_t list;   // serial of the list that the masks describe
    bool recorded;   // a run was recorded, but not yet confirmed as complete
    bool valid;      // the list exists and holds what the masks say
};

// Memory that both forms share, beside the scratch of the compaction.
struct redzone {
    struct gpu *gpu;
    struct buffer removals; // positions, if a run makes the removal list itself
    bool in_place;          // orphans are stored in the red zone and in the removal list
    struct buffer orphans;  // or, in place, how many each batch has: see shaders/lib/redzone*.glsl
    struct buffer words;    // small data: slots as below
    struct redzone_kept kept[STREAMS];
};

// Slots of `words`: the counter of the removal list, the work words of a run, dispatch arguments
// over the list and over the removals, and for each stream the length of its reused list.
enum { SLOT_REMOVALS, SLOT_WORK, SLOT_LIST_ARGUMENTS, SLOT_REMOVAL_ARGUMENTS, SLOT_KEPT };
#define REDZONE_SLOTS (SLOT_KEPT + STREAMS_OF_ALL)
