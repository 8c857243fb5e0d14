#include "compute/gpu/tracker.h"

#include <stdio.h>

static bool tracker_stage_covers(VkPipelineStageFlags2 mask, VkPipelineStageFlags2 stage)
{
    return (mask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) || (stage & ~mask) == 0;
}

static bool tracker_access_covers(VkAccessFlags2 mask, VkAccessFlags2 access)
{
    if (mask & VK_ACCESS_2_MEMORY_WRITE_BIT) {
        mask |= VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
    }
    if (mask & VK_ACCESS_2_MEMORY_READ_BIT) {
        mask |= VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT |
                VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |
                VK_ACCESS_2_HOST_READ_BIT;
    }
    return (access & ~mask) == 0;
}

// Adds a scope that a write is visible to. A scope that another one covers is not added: a run may
// have any number of barriers.
static void tracker_make_visible(struct tracker_resource *resource, struct tracker_scope scope)
{
    for (uint32_t k = 0; k < resource->visible_count; k++) {
        if (tracker_stage_covers(resource->visible[k].stage, scope.stage) &&
            tracker_access_covers(resource->visible[k].access, scope.access)) {
            return;
        }
    }
    // The oldest scope is dropped. That can only cause a false alarm, it cannot hide a hazard.
    if (resource->visible_count == TRACKER_SCOPES) {
        for (uint32_t k = 1; k < TRACKER_SCOPES; k++) {
            resource->visible[k - 1] = resource->visible[k];
        }
        resource->visible_count--;
    }
    resource->visible[resource->visible_count++] = scope;
}

// Whether everything after the barrier waits for everything before it, and sees its writes.
static bool tracker_is_full(const VkMemoryBarrier2 *barrier)
{
    const VkAccessFlags2 all = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    return (barrier->srcStageMask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) &&
           (barrier->dstStageMask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) &&
           (barrier->srcAccessMask & VK_ACCESS_2_MEMORY_WRITE_BIT) &&
           (barrier->dstAccessMask & all) == all;
}

void tracker_barrier(struct tracker *tracker, const VkMemoryBarrier2 *barrier)
{
    if (tracker_is_full(barrier)) {
        tracker->count = 0; // no earlier access can cause a hazard any more
        return;
    }
    for (uint32_t i = 0; i < tracker->count; i++) {
        struct tracker_resource *resource = &tracker->resources[i];
        if (resource->write.stage &&
            tracker_stage_covers(barrier->srcStageMask, resource->write.stage) &&
            tracker_access_covers(barrier->srcAccessMask, resource->write.access)) {
            tracker_make_visible(
                resource, (struct tracker_scope){ barrier->dstStageMask, barrier->dstAccessMask });
        }
        for (uint32_t k = 0; k < resource->read_count; k++) {
            if (tracker_stage_covers(barrier->srcStageMask, resource->reads[k].scope.stage)) {
                resource->reads[k].ordered |= barrier->dstStageMask;
            }
        }
    }
}

static struct tracker_resource *tracker_find(struct tracker *tracker, uint64_t place)
{
    for (uint32_t i = 0; i < tracker->count; i++) {
        if (tracker->resources[i].place == place) {
            return &tracker->resources[i];
        }
    }
    return NULL;
}

static void tracker_hazard(
    struct tracker *tracker, const struct tracker_resource *resource, const char *what,
    const char *earlier, const char *pass)
{
    if (tracker->hazards++ == 0) {
        snprintf(
            tracker->first, sizeof tracker->first,
            "%s on '%s': '%s', then '%s', no barrier covers it", what, resource->name, earlier,
            pass);
    }
}

void tracker_access(
    struct tracker *tracker, uint64_t place, const char *name, const char *pass,
    VkPipelineStageFlags2 stage, VkAccessFlags2 access, bool writes)
{
    struct tracker_resource *resource = tracker_find(tracker, place);
    if (!resource) {
        if (tracker->count == TRACKER_RESOURCES) {
            tracker->hazards++;
            snprintf(tracker->first, sizeof tracker->first, "more resources than can be tracked");
            return;
        }
        resource = &tracker->resources[tracker->count++];
        *resource = (struct tracker_resource){ .place = place, .name = name };
    }
    if (resource->write.stage) {
        bool visible = false;
        for (uint32_t k = 0; k < resource->visible_count; k++) {
            visible |= tracker_stage_covers(resource->visible[k].stage, stage) &&
                       tracker_access_covers(resource->visible[k].access, access);
        }
        if (!visible) {
            tracker_hazard(
                tracker, resource, writes ? "write after write" : "read after write",
                resource->writer, pass);
        }
    }
    if (!writes) {
        for (uint32_t k = 0; k < resource->read_count; k++) {
            if (resource->reads[k].scope.stage == stage) {
                resource->reads[k].ordered = 0;
                resource->reads[k].pass = pass;
                return;
            }
        }
        if (resource->read_count < TRACKER_SCOPES) {
            resource->reads[resource->read_count++] = (struct tracker_read){
                { stage, access },
                0,
                pass,
            };
        }
        return;
    }
    for (uint32_t k = 0; k < resource->read_count; k++) {
        if (!tracker_stage_covers(resource->reads[k].ordered, stage)) {
            tracker_hazard(tracker, resource, "write after read", resource->reads[k].pass, pass);
        }
    }
    resource->write = (struct tracker_scope){
        stage,
        access & (VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT),
    };
    resource->writer = pass;
    resource->visible_count = 0;
    resource->read_count = 0;
}

void tracker_forget(struct tracker *tracker, uint64_t place, uint64_t size)
{
    for (uint32_t i = tracker->count; i-- > 0;) {
        if (tracker->resources[i].place - place < size) {
            tracker->resources[i] = tracker->resources[--tracker->count];
        }
    }
}
