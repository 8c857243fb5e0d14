#include "compute/gpu/stopwatch.h"

#include <assert.h>

bool stopwatch_create(struct gpu *gpu, struct stopwatch *out, struct problem *problem)
{
    *out = (struct stopwatch){ .period_ns = gpu->properties.limits.timestampPeriod };
    if (!gpu->timestamps) {
        return true;
    }
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
    const uint32_t bits = families[gpu->queue_family].timestampValidBits;
    out->mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = STOPWATCH_STAGES + 1,
    };
    VK_TRY(vkCreateQueryPool(gpu->device, &info, NULL, &out->pool));
    return true;
fail:
    return false;
}

void stopwatch_destroy(struct gpu *gpu, struct stopwatch *timer)
{
    if (timer->pool && !gpu->hung) {
        vkDestroyQueryPool(gpu->device, timer->pool, NULL);
    }
    *timer = (struct stopwatch){ 0 };
}

void stopwatch_begin(struct stopwatch *timer, VkCommandBuffer cmd)
{
    timer->count = 0;
    if (timer->pool) {
        vkCmdResetQueryPool(cmd, timer->pool, 0, STOPWATCH_STAGES + 1);
        vkCmdWriteTimestamp2(cmd, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, timer->pool, 0);
    }
}

void stopwatch_stamp(struct stopwatch *timer, VkCommandBuffer cmd, const char *stage)
{
    assert(timer->count < STOPWATCH_STAGES);
    timer->names[timer->count++] = stage;
    if (timer->pool) {
        vkCmdWriteTimestamp2(cmd, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, timer->pool, timer->count);
    }
}

bool stopwatch_read(struct gpu *gpu, const struct stopwatch *timer, double ms[STOPWATCH_STAGES])
{
    for (uint32_t i = 0; i < timer->count; i++) {
        ms[i] = 0;
    }
    if (!timer->pool || timer->count == 0) {
        return false;
    }
    uint64_t ticks[STOPWATCH_STAGES + 1];
    if (vkGetQueryPoolResults(
            gpu->device, timer->pool, 0, timer->count + 1, sizeof ticks, ticks, sizeof *ticks,
            VK_QUERY_RESULT_64_BIT) != VK_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < timer->count; i++) {
        ms[i] = (double)((ticks[i + 1] - ticks[i]) & timer->mask) * timer->period_ns / 1e6;
    }
    return true;
}
