// The times of frames, surfaces and rays, for the panel.
#pragma once

#include <stdint.h>
#include <string.h>

#define METERS_HISTORY 120

struct meters {
    uint64_t frames;               // finished frames with a volume
    float history[METERS_HISTORY]; // milliseconds of the last extractions or casts, oldest first
    uint32_t history_count;
    double gpu_ms, fps, frame_time;
};

// Notes the time of a step or a cast. A full history loses its oldest time.
static inline void meters_note(struct meters *meters, double ms)
{
    if (meters->history_count == METERS_HISTORY) {
        memmove(
            meters->history, meters->history + 1, (METERS_HISTORY - 1) * sizeof *meters->history);
        meters->history_count--;
    }
    meters->history[meters->history_count++] = (float)ms;
}
