// A second account of hazards, kept apart from the code that derives the barriers: it follows what
// passes touch and what barriers were really recorded, and names the first hazard not covered. It
// lives as long as its gpu, so that hazards from one submission to the next count too.
//
// It knows a subset of Vulkan's rules, on the strict side: a barrier covers what its own masks
// name; chains of barriers do not add up, except that a later barrier covers everything before it.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

#define TRACKER_RESOURCES 128
#define TRACKER_SCOPES    8

// Stages and accesses that belong together, as in one half of a barrier.
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
    VkDeviceAddress address;
    const char *name;
    struct tracker_scope write; // the last write; stage 0: none
    const char *writer;
    struct tracker_scope visible[TRACKER_SCOPES]; // to whom a barrier has made it visible
    uint32_t visible_count;
    struct tracker_read reads[TRACKER_SCOPES]; // since the last write
    uint32_t read_count;
};

struct tracker {
    struct tracker_resource resources[TRACKER_RESOURCES];
    uint32_t count;
    uint32_t hazards;
    char first[256]; // the first hazard, for people
};

// A barrier was recorded.
void tracker_barrier(struct tracker *tracker, const VkMemoryBarrier2 *barrier);

// The pass touches what stands at `address`. Counts a hazard where no barrier covers it.
void tracker_access(
    struct tracker *tracker, VkDeviceAddress address, const char *name, const char *pass,
    VkPipelineStageFlags2 stage, VkAccessFlags2 access, bool writes);

// The buffer at `address` is gone, with all resources in it: addresses may come back as others.
void tracker_forget(struct tracker *tracker, VkDeviceAddress address, uint64_t size);
