#include "compute/gpu/stopwatch.h"

// After a draw, llvmpipe queues a timestamp with the drawing. It takes the time only when the next
// command flushes the queue, after the following stage. So each timestamp is written twice: the
// second one flushes the queue, and the first one is taken in time.
#define SECOND  (STOPWATCH_STAGES + 1)
#define QUERIES (2 * SECOND)

bool stopwatch_create(struct gpu *gpu, struct stopwatch *out, struct problem *problem)
{
    *out = (struct stopwatch){ .period_ns = gpu->properties.limits.timestampPeriod,
                               .stamps_twice = gpu->traits->stamps_twice };
    if (!gpu->timestamps) {
        return true;
    }
    out->mask = UINT64_MAX >> (64 - gpu->timestamps);
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = QUERIES,
    };
    VK_TRY(vkCreateQueryPool(gpu->device, &info, NULL, &out->pool));
    return true;
fail:
    return false;
}

void stopwatch_destroy(struct gpu *gpu, struct stopwatch *timer)
{
    if (timer->pool && !gpu->lost) {
        vkDestroyQueryPool(gpu->device, timer->pool, NULL);
    }
    *timer = (struct stopwatch){ 0 };
}

static void stopwatch_record(const struct stopwatch *timer, VkCommandBuffer cmd)
{
    const VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    vkCmdWriteTimestamp2(cmd, all, timer->pool, timer->count);
    if (timer->stamps_twice) {
        vkCmdWriteTimestamp2(cmd, all, timer->pool, SECOND + timer->count);
    }
}

void stopwatch_begin(struct stopwatch *timer, VkCommandBuffer cmd)
{
    timer->count = 0;
    timer->overflowed = false;
    if (timer->pool) {
        vkCmdResetQueryPool(cmd, timer->pool, 0, QUERIES);
        stopwatch_record(timer, cmd);
    }
}

void stopwatch_stamp(struct stopwatch *timer, VkCommandBuffer cmd, struct stage stage)
{
    if (timer->count == STOPWATCH_STAGES) {
        timer->overflowed = true;
        return;
    }
    timer->stages[timer->count++] = stage;
    if (timer->pool) {
        stopwatch_record(timer, cmd);
    }
}

bool stopwatch_read(struct gpu *gpu, const struct stopwatch *timer, double ms[STOPWATCH_STAGES])
{
    for (uint32_t i = 0; i < timer->count; i++) {
        ms[i] = 0;
    }
    if (!timer->pool || timer->count == 0 || timer->overflowed) {
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

double stopwatch_read_kind(struct gpu *gpu, const struct stopwatch *timer, enum stage_kind kind)
{
    double ms[STOPWATCH_STAGES], sum = 0;
    stopwatch_read(gpu, timer, ms);
    for (uint32_t i = 0; i < timer->count; i++) {
        sum += timer->stages[i].kind == kind ? ms[i] : 0;
    }
    return sum;
}
