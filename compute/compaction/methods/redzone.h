// What Redzone keeps from run to run: compaction_state of its rows. For tests.
#pragma once

#include "compute/compaction/compaction.h"
#include "shaders/shared/redzone.h"

// A list that lives on: what the last run kept, a mask for each lane that there could be. The run
// before stands in the other of the two buffers.
struct redzone_kept {
    struct buffer masks[2];
    uint32_t newest;      // which of them
    VkDeviceAddress list; // that they are about
    bool recorded;        // by a run that has not yet proved whole
    bool valid;           // the list is there, and as the masks say
};

// What both forms share beside the compaction's own scratch.
struct redzone {
    struct gpu *gpu;
    struct buffer removals; // positions, where a run finds them itself
    struct buffer orphans;  // see shaders/lib/redzone.glsl
    struct buffer words;    // the small things: slots of REDZONE_SLOT bytes, as below
    struct redzone_kept kept[STREAMS];
};

// The removal list's head, what a run works with, indirect groups over the list and over the
// removals, and a count per stream that lives on.
enum { SLOT_REMOVALS, SLOT_WORK, SLOT_LIST_ARGUMENTS, SLOT_REMOVAL_ARGUMENTS, SLOT_KEPT };
#define REDZONE_SLOT 16
