// Timestamps around the stages of a command buffer.
#pragma once

#include "compute/gpu/gpu.h"
#include "compute/gpu/stage.h"

#define STOPWATCH_STAGES 24

struct stopwatch {
    VkQueryPool pool; // null where the queue has no timestamps: all stages read 0
    uint32_t count;
    struct stage stages[STOPWATCH_STAGES];
    double period_ns;
    uint64_t mask;
    bool stamps_twice; // see stopwatch.c
    bool overflowed;   // more stages were stamped than there is room for: no time is told
};

bool stopwatch_create(struct gpu *gpu, struct stopwatch *out, struct problem *problem);
void stopwatch_destroy(struct gpu *gpu, struct stopwatch *timer);

// Records the reset and the first stamp; each stopwatch_stamp then ends that stage.
void stopwatch_begin(struct stopwatch *timer, VkCommandBuffer cmd);
void stopwatch_stamp(struct stopwatch *timer, VkCommandBuffer cmd, struct stage stage);

// After the command buffer has finished: milliseconds of each stage into ms[0..timer->count).
// Never waits; returns false, and zeros, where the stamps are not there (yet), or were too many.
bool stopwatch_read(struct gpu *gpu, const struct stopwatch *timer, double ms[STOPWATCH_STAGES]);

// The same for all stages of one kind together; 0 where there are none.
double stopwatch_read_kind(struct gpu *gpu, const struct stopwatch *timer, enum stage_kind kind);
