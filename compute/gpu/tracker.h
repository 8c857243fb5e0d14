// A second account of hazards, kept apart from the code that derives the barriers: it follows what
// passes touch and what barriers were really recorded, and names the first hazard not covered.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

#define TRACKER_RESOURCES 64
#define TRACKER_STAGES    8

struct tracker_resource {
    VkDeviceAddress address;
    const char *name;
    // The last write: its stages and accesses, and to which (stage, access) it has been made
    // visible since; the reads since that write, and which stages have waited for them.
    VkPipelineStageFlags2 write_stage;
    VkAccessFlags2 write_access;
    VkPipelineStageFlags2 ordered_stage;  // stages ordered after the write
    VkPipelineStageFlags2 visible_stage;
    VkAccessFlags2 visible_access;
    VkPipelineStageFlags2 read_stage;         // stages that read since the write
    VkPipelineStageFlags2 read_ordered_stage; // stages ordered after all those reads
    const char *writer, *reader;
};

struct tracker {
    struct tracker_resource resources[TRACKER_RESOURCES];
    uint32_t count;
    uint32_t hazards;
    char first[256]; // the first hazard, for people
};

// A barrier was recorded (one VkMemoryBarrier2).
void tracker_barrier(struct tracker *tracker, const VkMemoryBarrier2 *barrier);

// A pass touches the resource at `address`. Counts a hazard where no barrier covers it.
void tracker_access(struct tracker *tracker, VkDeviceAddress address, const char *name,
                    const char *pass, VkPipelineStageFlags2 stage, VkAccessFlags2 access,
                    bool writes);
