// Lists whose counters hold the arguments for dispatches over them (struct raised_counter).
#pragma once

#include "compute/gpu/run.h"
#include "shaders/shared/extraction.h"

// Bytes from the counter's begin to its arguments.
#define COUNTER_FIRST  16
#define COUNTER_SECOND 32

// Records that the list is empty. `each`: elements per workgroup of either dispatch, powers of two.
void counter_record_none(
    struct run *run, const struct buffer *counter, uint32_t capacity, uint32_t each_first,
    uint32_t each_second);

// For lists of hits or of samples. The first arguments are for workgroups of GROUP lanes; those of
// counter_casts for workgroups that cast rays. Each lane has an element.
void counter_record_no_rays(struct run *run, const struct buffer *counter, uint32_t capacity);

// Lanes of a workgroup that casts the rays of squares, hits or samples.
uint32_t counter_cast_lanes(const struct gpu *gpu);

uint64_t counter_casts(const struct gpu *gpu); // COUNTER_FIRST or COUNTER_SECOND
