// Timestamps around the stages of a command buffer.
#pragma once

#include "compute/gpu/gpu.h"
#include "compute/gpu/stage.h"

#define STOPWATCH_STAGES 272 // a cast of 64 rounds has up to 261 stages

struct stopwatch {
    VkQueryPool pool; // VK_NULL_HANDLE if the queue has no timestamps: all stages take 0 ms
    uint32_t count;
    struct stage stages[STOPWATCH_STAGES];
    double period_ns;
    uint64_t mask;
    bool stamps_twice; // see stopwatch.c
    bool overflowed;   // there were more stages than STOPWATCH_STAGES: no times can be read
};

bool stopwatch_create(struct gpu *gpu, struct stopwatch *out, struct problem *problem);
void stopwatch_destroy(struct gpu *gpu, struct stopwatch *timer);

// Records the reset and the first timestamp. Each stopwatch_stamp then ends a stage.
void stopwatch_begin(struct stopwatch *timer, VkCommandBuffer cmd);
void stopwatch_stamp(struct stopwatch *timer, VkCommandBuffer cmd, struct stage stage);

// After the command buffer has finished: writes the milliseconds of each stage into
// ms[0..timer->count). Never waits. Returns false, and zeros, if the timestamps are not available
// (yet), or if there were too many stages.
bool stopwatch_read(struct gpu *gpu, const struct stopwatch *timer, double ms[STOPWATCH_STAGES]);

// Milliseconds of all stages of one kind together; 0 if there are none.
double stopwatch_read_kind(struct gpu *gpu, const struct stopwatch *timer, enum stage_kind kind);
