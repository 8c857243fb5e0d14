#include "app/cli/rank_device.h"

#include "app/ranks/ranks.h"
#include "volumes/base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rank_device_prepare(struct gpu_params *params)
{
    params->process = (uint32_t)ranks()->local_rank;
    params->processes = (uint32_t)ranks()->local_count;
    if (ranks()->local_count > 1) {
        // llvmpipe would take all cores in each rank.
        char cores[16];
        snprintf(cores, sizeof cores, "%d", ranks()->cores);
        setenv("LP_NUM_THREADS", cores, 0);
    }
}

// What a rank tells the others of its device.
struct rank_device {
    char host[64], name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    uint8_t uuid[VK_UUID_SIZE];
    uint8_t software;
};

static bool rank_device_is(const struct rank_device *a, const struct rank_device *b)
{
    return strcmp(a->host, b->host) == 0 && memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

// How many ranks use the device of rank `of`; *other is one of them, not `of`, if there is one.
static uint32_t rank_device_users(const struct rank_device *all, int of, int *other)
{
    uint32_t users = 0;
    for (int i = ranks()->count - 1; i >= 0; i--) {
        if (rank_device_is(&all[i], &all[of])) {
            users++;
            *other = i == of ? *other : i;
        }
    }
    return users;
}

static void rank_device_note(const struct rank_device *all)
{
    for (int i = 0; i < ranks()->count; i++) {
        int other = i;
        const uint32_t users = rank_device_users(all, i, &other);
        if (users > 1 && !all[i].software) {
            log_note(
                "ranks %d and %d on %s use the same device, %s; each of its %u ranks takes 1/%u of "
                "its memory",
                i, other, all[i].host, all[i].name, users, users);
            return;
        }
    }
}

bool rank_device_share(struct gpu *gpu, struct problem *problem)
{
    if (ranks()->count == 1) {
        return true;
    }
    struct rank_device own = { .software = gpu->software };
    memcpy(own.host, ranks()->host, sizeof own.host);
    memcpy(own.uuid, gpu->device_uuid, sizeof own.uuid);
    memcpy(own.name, gpu->properties.deviceName, sizeof own.name);
    // Before the others take some of it.
    const uint64_t left = gpu_memory_free(gpu);
    struct rank_device *all = calloc((size_t)ranks()->count, sizeof *all);
    if (!all) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory listing the ranks' devices");
    }
    const bool fine = ranks_gather(&own, sizeof own, all, problem);
    if (fine) {
        int other;
        const uint32_t users = rank_device_users(all, ranks()->rank, &other);
        if (users > 1 && gpu->budget.limit == 0) {
            gpu->budget.limit = left / users + 1; // 0 would be no limit
        }
        rank_device_note(all);
    }
    free(all);
    return fine;
}
