// An independent check for hazards. It shares no code with run.c, which derives the barriers. It
// follows the accesses of the passes and the barriers that were recorded, and reports the first
// hazard that no barrier covers. It lives as long as its gpu, so it also finds hazards between
// submissions.
//
// It implements a strict subset of Vulkan's rules: a barrier covers all earlier accesses that its
// own masks name. Chains of barriers do not add up.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

#define TRACKER_RESOURCES 128
#define TRACKER_SCOPES    8

// Stages and accesses of one half of a barrier.
struct tracker_scope {
    VkPipelineStageFlags2 stage;
    VkAccessFlags2 access;
};

struct tracker_read {
    struct tracker_scope scope;
    VkPipelineStageFlags2 ordered; // stages that wait for this read
    const char *pass;
};

struct tracker_resource {
    uint64_t place;
    const char *name;
    struct tracker_scope write; // the last write; stage 0: none
    const char *writer;
    // Scopes that a barrier has made the write visible to.
    struct tracker_scope visible[TRACKER_SCOPES];
    uint32_t visible_count;
    struct tracker_read reads[TRACKER_SCOPES]; // since the last write
    uint32_t read_count;
};

struct tracker {
    struct tracker_resource resources[TRACKER_RESOURCES];
    uint32_t count;
    uint32_t hazards;
    char first[256]; // the first hazard, as text
};

// Notes that a barrier was recorded.
void tracker_barrier(struct tracker *tracker, const VkMemoryBarrier2 *barrier);

// Notes that a pass accesses the resource at `place`. Counts a hazard if no barrier covers the
// access.
void tracker_access(
    struct tracker *tracker, uint64_t place, const char *name, const char *pass,
    VkPipelineStageFlags2 stage, VkAccessFlags2 access, bool writes);

// Forgets the buffer at `place` and all resources in it: no later buffer gets these places.
void tracker_forget(struct tracker *tracker, uint64_t place, uint64_t size);
