// Timestamps around the stages of a command buffer.
#pragma once

#include "compute/gpu/gpu.h"

#define TIMER_STAGES 24

struct timer {
    VkQueryPool pool; // null where the queue has no timestamps: all stages read 0
    uint32_t count;
    const char *names[TIMER_STAGES];
    double period_ns;
    uint64_t mask;
};

bool timer_create(struct gpu *gpu, struct timer *out, struct problem *problem);
void timer_destroy(struct gpu *gpu, struct timer *timer);

// Records the reset and the first stamp; each timer_stamp then ends a stage of that name.
void timer_begin(struct timer *timer, VkCommandBuffer cmd);
void timer_stamp(struct timer *timer, VkCommandBuffer cmd, const char *stage);

// After the command buffer has finished: milliseconds of each stage into ms[0..timer->count).
// Never waits; returns false where the stamps are not there (yet).
bool timer_read(struct gpu *gpu, const struct timer *timer, double ms[TIMER_STAGES]);
