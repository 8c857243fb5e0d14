// Redzone stream compaction (Bontes & Gain 2024): takes k elements out of a kept list in O(k), in
// place. A list of plain words loses those whose positions the caller gives, or all that are not
// kept. The lists of the other streams live on from run to run: what the stream keeps now and did
// not before joins the list, then what it keeps no more leaves.
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
    bool known;           // the list is there, and as the masks say
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
enum { SLOT_REMOVALS, SLOT_WORK, SLOT_LIST_GROUPS, SLOT_REMOVAL_GROUPS, SLOT_KEPT };
#define REDZONE_SLOT 16

extern const struct kernel_info removal_begin[STREAMS], removal_enter[STREAMS],
    removal_list[STREAMS], redzone_one[STREAMS], redzone_open[STREAMS], redzone_mark[STREAMS],
    redzone_pair[STREAMS], redzone_settle[STREAMS];

// NULL with PROBLEM_DEVICE.
struct redzone *redzone_create(struct gpu *gpu, struct problem *problem);
void redzone_destroy(struct redzone *redzone);
void redzone_strip(struct redzone *redzone); // gives its lists back, until the next prepare

// Room for one stream of these. On false everything is as it was.
bool redzone_prepare(
    struct redzone *redzone, enum stream stream, const struct compaction_size size[STREAMS],
    struct problem *problem);

// Device memory that these take, prepared for streams of these sizes; and what is always there.
uint64_t redzone_bytes(const struct gpu *gpu, const struct compaction_size size[STREAMS]);
uint64_t redzone_words_bytes(const struct gpu *gpu);

struct compaction_scratch
redzone_scratch(const struct compaction_size *size, enum stream stream, uint32_t block);

// Another method writes the stream's list: the next run begins with none.
void redzone_forget(struct redzone *redzone, enum stream stream);

// What has been recorded has run. Not whole: the lists are of no more use.
void redzone_finished(struct redzone *redzone, bool whole);

void redzone_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what);
