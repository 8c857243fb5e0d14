#include "app/bench/bench_cast_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cast_times_create(
    uint32_t ways, uint32_t views, uint32_t repeat, struct cast_times *out, struct problem *problem)
{
    const size_t frames = (size_t)ways * views;
    *out = (struct cast_times){
        .ways = ways,
        .views = views,
        .repeat = repeat,
        .ms = calloc(frames * repeat, sizeof *out->ms),
        .cpu_ms = calloc(frames * repeat, sizeof *out->cpu_ms),
        .cpu_ratio = calloc(frames * repeat, sizeof *out->cpu_ratio),
        .frames = calloc(frames, sizeof *out->frames),
        .sums = calloc(ways, sizeof *out->sums),
    };
    if (!out->ms || !out->cpu_ms || !out->cpu_ratio || !out->frames || !out->sums) {
        cast_times_destroy(out);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the timings");
    }
    return true;
}

void cast_times_destroy(struct cast_times *times)
{
    free(times->ms);
    free(times->cpu_ms);
    free(times->cpu_ratio);
    free(times->frames);
    free(times->sums);
    *times = (struct cast_times){ 0 };
}

struct frame *cast_times_frame(const struct cast_times *times, uint32_t way, uint32_t view)
{
    return &times->frames[(size_t)way * times->views + view];
}

static size_t cast_times_place(const struct cast_times *times, uint32_t way, uint32_t view)
{
    return ((size_t)way * times->views + view) * times->repeat;
}

void cast_times_note(
    struct cast_times *times, uint32_t way, uint32_t view, uint32_t round,
    const struct frame *frame)
{
    const size_t place = cast_times_place(times, way, view) + round;
    times->ms[place] = frame->ms;
    times->cpu_ms[place] = frame->cpu_ms;
    times->cpu_ratio[place] =
        frame->cpu_ms / times->cpu_ms[cast_times_place(times, 0, view) + round];
}

static double cast_mean(double sum, uint32_t count)
{
    return sum / count;
}

static double cast_deviation(double sum, double squares, uint32_t count)
{
    const double mean = sum / count;
    const double variance = count > 1 ? (squares - count * mean * mean) / (count - 1) : 0;
    return sqrt(variance > 0 ? variance : 0);
}

// The whole: frames per second over the views, of each the median.
static void cast_row_of_whole(struct cast_times *times, uint32_t way, struct bench_row *row)
{
    double sum = 0, squares = 0;
    struct cast_sum *all = &times->sums[way];
    row->hits = row->lost = row->misplaced = 0;
    for (uint32_t view = 0; view < times->views; view++) {
        double *ms = times->ms + cast_times_place(times, way, view);
        const double fps = 1e3 / timings_of(ms, times->repeat).median_ms;
        sum += fps;
        squares += fps * fps;
        const struct frame *frame = cast_times_frame(times, way, view);
        row->hits += frame->hits;
        row->lost += frame->lost;
        row->misplaced += frame->misplaced;
    }
    const uint32_t samples = times->views * times->repeat;
    const size_t place = cast_times_place(times, way, 0);
    row->time = timings_of(times->ms + place, samples);
    row->cpu_ms = timings_of(times->cpu_ms + place, samples).median_ms;
    row->cpu_ratio = timings_of(times->cpu_ratio + place, samples).median_ms;
    row->fps = cast_mean(sum, times->views);
    row->fps_sd = cast_deviation(sum, squares, times->views);
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

// The lengths of the lists. A round that the host has not begun has none.
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
        row.fps = cast_mean(all->sum, frames);
        row.fps_sd = cast_deviation(all->sum, all->squares, frames);
        row.time = timings_of(all->ms, all->isos);
        row.cpu_ms = timings_of(all->cpu_ms, all->isos).median_ms;
        fine = bench_add_row(table, &row, problem);
    }
    return fine;
}
