#include "app/bench/bench_cast_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cast_times_create(
    uint32_t ways, uint32_t views, uint32_t repeat, struct cast_times *out, struct problem *problem)
{
    const uint32_t count = ways * views;
    *out = (struct cast_times){
        .ways = ways,
        .views = views,
        .frames = calloc(count, sizeof *out->frames),
        .sums = calloc(ways, sizeof *out->sums),
    };
    if (!turns_create(count, CAST_SERIES, repeat, &out->turns, problem)) {
        cast_times_destroy(out);
        return false;
    }
    if (!out->frames || !out->sums) {
        cast_times_destroy(out);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the timings");
    }
    return true;
}

void cast_times_destroy(struct cast_times *times)
{
    turns_destroy(&times->turns);
    free(times->frames);
    free(times->sums);
    *times = (struct cast_times){ 0 };
}

struct frame *cast_times_frame(const struct cast_times *times, uint32_t way, uint32_t view)
{
    return &times->frames[(size_t)way * times->views + view];
}

void cast_times_note(
    struct cast_times *times, uint32_t way, uint32_t view, uint32_t round,
    const struct frame *frame)
{
    struct turns *turns = &times->turns;
    const uint32_t i = way * times->views + view;
    turns_put(turns, i, CAST_MS, round, frame->ms);
    turns_put(turns, i, CAST_CPU_MS, round, frame->cpu_ms);
    if (round > 0 && round <= turns->repeat) {
        const double first = turns_of(turns, view, CAST_CPU_MS)[round - 1];
        turns_put(turns, i, CAST_CPU_RATIO, round, frame->cpu_ms / first);
    }
    *cast_times_frame(times, way, view) = *frame;
}

// The times of one way at all views.
static struct timings cast_timings(struct cast_times *times, uint32_t way, enum cast_series series)
{
    return timings_of(
        turns_of(&times->turns, way * times->views, series), times->views * times->turns.repeat);
}

// Fills the row of the whole frame. Frames per second: mean over the views of 1 / median time.
static void cast_row_of_whole(struct cast_times *times, uint32_t way, struct bench_row *row)
{
    double sum = 0, squares = 0;
    struct cast_sum *all = &times->sums[way];
    row->hits = row->lost = row->misplaced = 0;
    for (uint32_t view = 0; view < times->views; view++) {
        const double fps =
            1e3 / turns_timings(&times->turns, way * times->views + view, CAST_MS).median_ms;
        sum += fps;
        squares += fps * fps;
        const struct frame *frame = cast_times_frame(times, way, view);
        row->hits += frame->hits;
        row->lost += frame->lost;
        row->misplaced += frame->misplaced;
    }
    row->time = cast_timings(times, way, CAST_MS);
    row->cpu_ms = cast_timings(times, way, CAST_CPU_MS).median_ms;
    row->cpu_ratio = cast_timings(times, way, CAST_CPU_RATIO).median_ms;
    row->fps = sum / times->views;
    row->fps_sd = timings_deviation(sum, squares, times->views);
    all->sum += sum;
    all->squares += squares;
    all->ms[all->isos] = row->time.median_ms;
    all->cpu_ms[all->isos++] = row->cpu_ms;
}

static bool cast_add_stages(
    const struct cast_times *times, uint32_t way, struct bench_row row, struct bench_table *table,
    struct problem *problem)
{
    bool fine = true;
    for (int kind = 0; fine && kind < STAGE_KINDS; kind++) {
        double ms[FRAMES_VIEWS];
        bool any = false;
        for (uint32_t view = 0; view < times->views; view++) {
            const struct frame *frame = cast_times_frame(times, way, view);
            ms[view] = frame->stages[kind];
            any |= frame->staged && ms[view] > 0;
        }
        if (any) {
            row.stage = stage_of(kind).name;
            row.time = timings_of(ms, times->views);
            fine = bench_add_row(table, &row, problem);
        }
    }
    return fine;
}

// Adds rows with the lengths of the lists. A round that the host has not begun has no list.
static bool cast_add_rounds(
    const struct cast_times *times, uint32_t way, struct bench_row row, struct bench_table *table,
    struct problem *problem)
{
    uint32_t rounds = 0;
    for (uint32_t view = 0; view < times->views; view++) {
        const uint32_t count = cast_times_frame(times, way, view)->rounds.count;
        rounds = count > rounds ? count : rounds;
    }
    rounds = rounds < CAST_ROUNDS_MOST ? rounds : CAST_ROUNDS_MOST;
    bool fine = true;
    for (uint32_t round = 0; fine && round <= rounds; round++) {
        double rays = 0, leaves = 0;
        for (uint32_t view = 0; view < times->views; view++) {
            const struct cast_rounds *lists = &cast_times_frame(times, way, view)->rounds;
            rays += round <= lists->count ? lists->rays[round] : 0;
            leaves += round < lists->count ? lists->leaves[round] : 0;
        }
        row.stage = "list";
        row.round = round + 1;
        row.rays = rays / times->views;
        row.rays_in_leaves = leaves / times->views;
        fine = bench_add_row(table, &row, problem);
    }
    return fine;
}

bool cast_times_add_rows(
    struct cast_times *times, const struct ways *ways, const struct bench_row *shared, bool stages,
    struct bench_table *table, struct problem *problem)
{
    bool fine = true;
    for (uint32_t way = 0; fine && way < times->ways; way++) {
        struct bench_row row = *shared;
        way_row(&ways->ways[way], &row);
        struct bench_row part = row;
        part.repeat = 1;
        cast_row_of_whole(times, way, &row);
        fine = bench_add_row(table, &row, problem) &&
               (!stages || cast_add_stages(times, way, part, table, problem)) &&
               (!stages || !ways->ways[way].caster->wavefront ||
                cast_add_rounds(times, way, part, table, problem));
    }
    return fine;
}

bool cast_times_add_sums(
    struct cast_times *times, const struct ways *ways, const struct bench_row *shared,
    struct bench_table *table, struct problem *problem)
{
    bool fine = true;
    for (uint32_t way = 0; fine && way < times->ways; way++) {
        struct cast_sum *all = &times->sums[way];
        struct bench_row row = *shared;
        const uint32_t frames = all->isos * times->views;
        way_row(&ways->ways[way], &row);
        row.isos = all->isos;
        row.fps = all->sum / frames;
        row.fps_sd = timings_deviation(all->sum, all->squares, frames);
        row.time = timings_of(all->ms, all->isos);
        row.cpu_ms = timings_of(all->cpu_ms, all->isos).median_ms;
        fine = bench_add_row(table, &row, problem);
    }
    return fine;
}
