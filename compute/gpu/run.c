#include "compute/gpu/run.h"

#include "compute/gpu/label.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A resource is a buffer, or a slot of a buffer that has slots (the counters of different lists,
// say). It is identified by the place where it starts.
static uint64_t run_place(const struct buffer *buffer, uint64_t offset)
{
    assert(!buffer->slots || offset % BUFFER_SLOT == 0);
    return buffer_place(buffer, buffer->slots ? offset : 0);
}

// The Vulkan stages and accesses of each enum access.
static const struct {
    VkPipelineStageFlags2 stage;
    VkAccessFlags2 access;
    bool writes;
} scopes[ACCESSES] = {
    [ACCESS_READ] = { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                      VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                      false },
    [ACCESS_WRITE] = { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                       true },
    [ACCESS_READ_WRITE] = { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                            VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                                VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                            true },
    [ACCESS_INDIRECT] = { VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                          VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false },
    [ACCESS_OWN] = { VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                     VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                         VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                     true },
    [ACCESS_COPY_FROM] = { VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                           false },
    [ACCESS_COPY_TO] = { VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                         true },
    [ACCESS_COPY_WITHIN] = { VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT, true },
    [ACCESS_DRAW] = { VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                          VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                      VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |
                          VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                          VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT,
                      false },
    [ACCESS_SHOW] = { VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                          VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
                          VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                      VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                          VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT,
                      false },
    [ACCESS_HOST] = { VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT, false },
};

static void run_record_barrier(struct run *run, const VkMemoryBarrier2 *barrier)
{
    if (run->barriers++ == run->drop_barrier) {
        return;
    }
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = barrier,
    };
    vkCmdPipelineBarrier2(run->cmd, &info);
    if (run->tracker) {
        tracker_barrier(run->tracker, barrier);
    }
}

// Everything after this barrier waits for everything before it, and sees its writes.
static void run_record_full_barrier(struct run *run)
{
    run_record_barrier(
        run, &(VkMemoryBarrier2){
                 .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                 .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                 .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                 .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                 .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
             });
    run->resource_count = 0;
}

void run_begin_dropping(
    struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct tracker *tracker,
    uint32_t drop_barrier)
{
    *run = (struct run){
        .gpu = gpu,
        .cmd = cmd,
        .tracker = tracker,
        .drop_barrier = drop_barrier,
        .number = ++gpu->runs,
    };
    run_record_full_barrier(run);
}

void run_begin(struct run *run, struct gpu *gpu, VkCommandBuffer cmd, struct stopwatch *timer)
{
    run_begin_dropping(run, gpu, cmd, gpu->tracker, UINT32_MAX);
    run->timer = timer;
    if (timer) {
        stopwatch_begin(timer, cmd);
    }
}

static struct run_resource *run_find_resource(struct run *run, uint64_t place)
{
    for (uint32_t i = 0; i < run->resource_count; i++) {
        if (run->resources[i].place == place) {
            return &run->resources[i];
        }
    }
    return NULL;
}

// The resource at the place; a new one if it is not followed yet. run_reserve() must have been
// called.
static struct run_resource *run_resource_at(struct run *run, uint64_t place)
{
    struct run_resource *found = run_find_resource(run, place);
    if (found) {
        return found;
    }
    run->resources[run->resource_count] = (struct run_resource){ .place = place };
    return &run->resources[run->resource_count++];
}

// The earlier accesses that `access` must wait for: a bit each.
static uint32_t run_waits_for(const struct run_resource *resource, enum access access)
{
    uint32_t kinds = 0;
    if (resource->written && !(resource->visible & 1u << access)) {
        kinds |= 1u << resource->write;
    }
    for (uint32_t k = 0; scopes[access].writes && k < ACCESSES; k++) {
        if ((resource->reads & 1u << k) && !(resource->ordered[k] & 1u << access)) {
            kinds |= 1u << k;
        }
    }
    return kinds;
}

#define WRITES (VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT)

// Notes what a barrier covers: every access that its masks include, not only the one that it was
// recorded for.
static void run_note_barrier(struct run *run, const VkMemoryBarrier2 *barrier)
{
    // A write must become visible to an access. A read only has to end before a stage begins.
    uint32_t before = 0, after = 0, later = 0;
    for (uint32_t k = 0; k < ACCESSES; k++) {
        if (!(scopes[k].stage & ~barrier->srcStageMask) &&
            !(scopes[k].access & WRITES & ~barrier->srcAccessMask)) {
            before |= 1u << k;
        }
        if (!(scopes[k].stage & ~barrier->dstStageMask)) {
            later |= 1u << k;
            after |= scopes[k].access & ~barrier->dstAccessMask ? 0 : 1u << k;
        }
    }
    for (uint32_t i = 0; i < run->resource_count; i++) {
        struct run_resource *resource = &run->resources[i];
        if (resource->written && (before & 1u << resource->write)) {
            resource->visible |= after;
        }
        for (uint32_t k = 0; k < ACCESSES; k++) {
            if (resource->reads & before & 1u << k) {
                resource->ordered[k] |= later;
            }
        }
    }
}

static void run_note_access(struct run_resource *resource, enum access access)
{
    if (scopes[access].writes) {
        *resource = (struct run_resource){
            .place = resource->place,
            .written = true,
            .write = access,
        };
    } else {
        resource->reads |= 1u << access;
        resource->ordered[access] = 0;
    }
}

// Makes sure that all resources of a pass can be followed, if needed by a full barrier.
static void run_reserve(struct run *run, const struct kernel_use *touches, uint32_t count)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        fresh += !run_find_resource(run, touches[i].place);
    }
    if (fresh > RUN_RESOURCES - run->resource_count) {
        run_record_full_barrier(run);
    }
}

// Records the barrier that a pass needs, if it needs one, and notes the pass's accesses.
static void
run_sync(struct run *run, const char *pass, const struct kernel_use *touches, uint32_t count)
{
    uint32_t before = 0, after = 0;
    run_reserve(run, touches, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kinds =
            run_waits_for(run_resource_at(run, touches[i].place), touches[i].access);
        before |= kinds;
        after |= kinds ? 1u << touches[i].access : 0;
    }
    if (before) {
        VkMemoryBarrier2 barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2 };
        for (uint32_t k = 0; k < ACCESSES; k++) {
            if (before & 1u << k) {
                barrier.srcStageMask |= scopes[k].stage;
                barrier.srcAccessMask |= scopes[k].access & WRITES;
            }
            if (after & 1u << k) {
                barrier.dstStageMask |= scopes[k].stage;
                barrier.dstAccessMask |= scopes[k].access;
            }
        }
        run_record_barrier(run, &barrier);
        run_note_barrier(run, &barrier);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct kernel_use *touch = &touches[i];
        run_note_access(run_resource_at(run, touch->place), touch->access);
        if (run->tracker) {
            tracker_access(
                run->tracker, touch->place, touch->name, pass, scopes[touch->access].stage,
                scopes[touch->access].access, scopes[touch->access].writes);
        }
    }
    if (run->tracker && run->tracker == run->gpu->tracker && run->tracker->hazards) {
        fprintf(stderr, "cubist: hazard: %s\n", run->tracker->first);
        abort();
    }
}

#define TOUCHES (KERNEL_BINDINGS + RUN_SLOTS) // accesses of one pass at most
_Static_assert(TOUCHES <= RUN_RESOURCES, "a pass can be followed");

// Adds an access of a pass. A pass that accesses a resource twice (a kernel whose list is its own
// source, a copy within a buffer) gets one access of both kinds.
static uint32_t run_add_touch(struct kernel_use *touches, uint32_t count, struct kernel_use touch)
{
    for (uint32_t i = 0; i < count; i++) {
        if (touches[i].place == touch.place) {
            touches[i].access = touches[i].access == touch.access ? touch.access
                                : touch.access == ACCESS_COPY_TO  ? ACCESS_COPY_WITHIN
                                                                  : ACCESS_READ_WRITE;
            return count;
        }
    }
    touches[count] = touch;
    return count + 1;
}

// Adds an access to a buffer; if it has slots, an access to each slot in the range.
static uint32_t run_add_range(
    struct kernel_use *touches, uint32_t count, const struct buffer *buffer, uint64_t offset,
    uint64_t size, enum access access)
{
    const uint64_t end = buffer->slots ? offset + size : offset + 1;
    assert(!buffer->slots || size <= RUN_SLOTS * BUFFER_SLOT);
    for (uint64_t at = offset; at < end; at += BUFFER_SLOT) {
        count = run_add_touch(
            touches, count, (struct kernel_use){ run_place(buffer, at), buffer->name, access });
    }
    return count;
}

// Binds what the kernel accesses, and records the barrier for that. `arguments`: the access to its
// dispatch arguments; may be NULL.
static void run_prepare(
    struct run *run, struct kernel *kernel, const struct binding table[BINDINGS], const void *push,
    const struct kernel_use *arguments)
{
    struct kernel_use touches[TOUCHES];
    uint32_t count = 0;
    const struct kernel_bound *bound = kernel_bind(run->gpu, kernel, table, run->number);
    if (!bound) {
        fprintf(
            stderr, "cubist: %s was dispatched twice in a run with other buffers\n", kernel->name);
        abort();
    }
    for (uint32_t i = 0; i < kernel->shader->binding_count; i++) {
        const struct kernel_use *use = &bound->uses[i];
        if (use->place) {
            count = run_add_touch(touches, count, *use);
        }
    }
    uint32_t own = count;
    for (uint32_t i = 0; arguments && i < count; i++) {
        const bool same = touches[i].place == arguments->place;
        own = same && scopes[touches[i].access].writes ? i : own;
    }
    if (own < count) {
        touches[own].access = ACCESS_OWN;
    } else if (arguments) {
        touches[count++] = *arguments;
    }
    run_sync(run, kernel->name, touches, count);
    vkCmdBindPipeline(run->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    descriptors_use(&bound->descriptors, run->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, push);
}

void run_dispatch(
    struct run *run, struct kernel *kernel, const struct binding table[BINDINGS], const void *push,
    uint32_t x, uint32_t y, uint32_t z)
{
    if (x && y && z) {
        label_begin(run->gpu, run->cmd, kernel->name);
        run_prepare(run, kernel, table, push, NULL);
        vkCmdDispatch(run->cmd, x, y, z);
        label_end(run->gpu, run->cmd);
    }
}

void run_dispatch_indirect(
    struct run *run, struct kernel *kernel, const struct binding table[BINDINGS], const void *push,
    const struct buffer *arguments, uint64_t offset)
{
    label_begin(run->gpu, run->cmd, kernel->name);
    run_prepare(
        run, kernel, table, push,
        &(struct kernel_use){ run_place(arguments, offset), arguments->name, ACCESS_INDIRECT });
    vkCmdDispatchIndirect(run->cmd, arguments->handle, offset);
    label_end(run->gpu, run->cmd);
}

void run_fill(
    struct run *run, const struct buffer *buffer, uint64_t offset, uint64_t size, uint32_t word)
{
    struct kernel_use touches[TOUCHES];
    run_sync(run, "fill", touches, run_add_range(touches, 0, buffer, offset, size, ACCESS_COPY_TO));
    vkCmdFillBuffer(run->cmd, buffer->handle, offset, size, word);
}

void run_update(
    struct run *run, const struct buffer *buffer, uint64_t offset, const void *data, uint32_t size)
{
    struct kernel_use touches[TOUCHES];
    run_sync(
        run, "update", touches, run_add_range(touches, 0, buffer, offset, size, ACCESS_COPY_TO));
    vkCmdUpdateBuffer(run->cmd, buffer->handle, offset, size, data);
}

void run_copy(
    struct run *run, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t size)
{
    struct kernel_use touches[2 * TOUCHES];
    uint32_t count = run_add_range(touches, 0, from, from_offset, size, ACCESS_COPY_FROM);
    count = run_add_range(touches, count, to, to_offset, size, ACCESS_COPY_TO);
    run_sync(run, "copy", touches, count);
    const VkBufferCopy region = { from_offset, to_offset, size };
    vkCmdCopyBuffer(run->cmd, from->handle, to->handle, 1, &region);
}

void run_use(struct run *run, const struct buffer *buffer, enum access access)
{
    run_use_part(run, buffer, 0, access);
}

void run_use_part(struct run *run, const struct buffer *buffer, uint64_t offset, enum access access)
{
    run_sync(
        run, "use", &(struct kernel_use){ run_place(buffer, offset), buffer->name, access }, 1);
}

void run_stamp(struct run *run, enum stage_kind kind)
{
    if (run->timer) {
        stopwatch_stamp(run->timer, run->cmd, stage_of(kind));
    }
}

void run_stamp_pass(struct run *run, const char *name)
{
    if (run->timer) {
        stopwatch_stamp(run->timer, run->cmd, (struct stage){ STAGE_PASS, name });
    }
}

void run_fold(uint64_t count, uint32_t local, uint32_t groups[2])
{
    const uint64_t all = (count + local - 1) / local;
    groups[0] = (uint32_t)(all < 65535 ? all : 65535);
    groups[1] = (uint32_t)(all < 65535 ? (all ? 1 : 0) : (all + 65534) / 65535);
}
