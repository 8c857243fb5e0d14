#include "compute/casting/counter.h"

#include <stddef.h>

_Static_assert(
    offsetof(struct raised_counter, x0) == COUNTER_FIRST &&
        offsetof(struct raised_counter, x1) == COUNTER_SECOND,
    "the arguments are elsewhere");

// Doubles y until x is at most 65535, the least limit of Vulkan.
static void counter_fold(uint32_t capacity, uint32_t each, uint32_t *y, uint32_t *shift)
{
    *y = 1;
    *shift = 0;
    while (each >> *shift > 1) {
        ++*shift;
    }
    while (capacity >> *shift >= 65535) {
        ++*shift;
        *y *= 2;
    }
}

void counter_record_none(
    struct run *run, const struct buffer *counter, uint32_t capacity, uint32_t each_first,
    uint32_t each_second)
{
    struct raised_counter none = { .capacity = capacity, .z0 = 1, .z1 = 1 };
    counter_fold(capacity, each_first, &none.y0, &none.shift0);
    counter_fold(capacity, each_second, &none.y1, &none.shift1);
    run_update(run, counter, 0, &none, sizeof none);
}

void counter_record_no_rays(struct run *run, const struct buffer *counter, uint32_t capacity)
{
    counter_record_none(run, counter, capacity, GROUP, counter_cast_lanes(run->gpu));
}

uint32_t counter_cast_lanes(const struct gpu *gpu)
{
    const uint32_t lanes = gpu->traits->cast_lanes;
    return lanes > gpu->subgroup_lanes ? lanes : gpu->subgroup_lanes; // subgroups are full
}

uint64_t counter_casts(const struct gpu *gpu)
{
    return counter_cast_lanes(gpu) == GROUP ? COUNTER_FIRST : COUNTER_SECOND;
}
