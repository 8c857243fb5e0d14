// The times that bench cast measures, and the rows of the table that are made of them.
#pragma once

#include "app/bench/bench_frames.h"
#include "app/bench/turns.h"

// CAST_CPU_RATIO: CPU time / that of the first way, in the same round.
enum cast_series { CAST_MS, CAST_CPU_MS, CAST_CPU_RATIO, CAST_SERIES };

// Times of the frames of one volume: at the current isovalue, and sums over all its isovalues.
// Zero-initialised means empty.
struct cast_times {
    uint32_t ways, views;
    struct turns turns;   // [way][view]; see enum cast_series
    struct frame *frames; // [way][view]: the last one; it has stages if they were timed
    struct cast_sum {
        uint32_t isos;
        double sum, squares; // over the frames per second of each isovalue and view
        double ms[OPTIONS_ISOVALUES], cpu_ms[OPTIONS_ISOVALUES]; // medians
    } * sums;                                                    // [way]
};

// PROBLEM_HOST_MEMORY. On false `out` is empty.
bool cast_times_create(
    uint32_t ways, uint32_t views, uint32_t repeat, struct cast_times *out,
    struct problem *problem);
void cast_times_destroy(struct cast_times *times);

// Stores the times of a frame, as turns_put does. In each round call it for the first way first.
void cast_times_note(
    struct cast_times *times, uint32_t way, uint32_t view, uint32_t round,
    const struct frame *frame);
struct frame *cast_times_frame(const struct cast_times *times, uint32_t way, uint32_t view);

// `shared`: values that all rows share: experiment, file, isovalue, size, repeat, rounds, views.

// Adds the rows of an isovalue: for each way one of the whole frame; with `stages` also one for
// each stage and, for a way in rounds, one for the length of each list (means over the views).
bool cast_times_add_rows(
    struct cast_times *times, const struct ways *ways, const struct bench_row *shared, bool stages,
    struct bench_table *table, struct problem *problem);

// Adds for each way a row over all isovalues.
bool cast_times_add_sums(
    struct cast_times *times, const struct ways *ways, const struct bench_row *shared,
    struct bench_table *table, struct problem *problem);
