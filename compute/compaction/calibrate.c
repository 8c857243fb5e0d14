// The runs have a fixed order: by length, kind of lanes, density, pattern. On each stream, every
// turn runs each method once. A calibration is a position in this order that moves on step by step.
#include "compute/compaction/calibrate.h"

#include "compute/compaction/cell_stream.h"
#include "compute/compaction/words.h"
#include "volumes/base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ROWS_LOG2 = 18 }; // the longest stream of cells, in lanes of 32 elements
enum { TURNS = 10 };
enum {
    DECISIVE_SIZE = 3
}; // from this length on a method can be too slow; on shorter streams dispatches cost more than
   // lanes
static const double HOPELESS = 2.5; // too slow: above HOPELESS * best time + FLAT_MS
static const double FLAT_MS = 1;    // see HOPELESS
static const double TOTAL_MS = 60000;
static const double AROUND_MS = 0.5;       // host time that counts per run, at most
static const double NEW_MS = 50;           // expected time of a step that was never timed
static const uint64_t BYTES_PER_WORD = 40; // at most, for stream, list, scratch and staging buffer

struct grid_point {
    uint32_t size, lanes, density, pattern, turn, row;
    bool filled; // the stream has been uploaded
};

struct calibration {
    struct gpu *gpu;
    struct calibration_params params; // defaults filled in: only single_ms may be 0
    struct words words;
    struct cell_stream cells;
    uint32_t *host_words; // the words of a stream, on the host
    struct times times;
    struct grid_point at;
    bool failed[METHODS_MOST][TIMES_LANES]; // the method failed, for lack of memory for example
    bool closed[TIMES_LANES];               // no time is left for longer streams
    double spent_ms;                        // time so far, counted as for params.total_ms
    double next_ms[TIMES_LANES]; // expected time of the next length, by the turns on this one
    float wall_ms[METHODS_MOST][TIMES_LANES]; // host time of the method's last run
    double fill_ms;
};

static uint32_t calibration_length(uint32_t size)
{
    return 1u << (TIMES_LEAST_LOG2 + 2 * size);
}

static uint32_t calibration_cell_sizes(const struct calibration *calibration)
{
    const uint32_t most = (LONGEST_ROWS_LOG2 - TIMES_LEAST_LOG2) / 2 + 1;
    return calibration->params.sizes < most ? calibration->params.sizes : most;
}

// Turns on the current stream. Long runs vary less and cost more, so they get fewer turns.
static uint32_t calibration_turns(const struct calibration *calibration)
{
    const struct grid_point *at = &calibration->at;
    const uint32_t size = at->size + 2 * at->lanes, less = size < 4 ? 0 : size - 3;
    return calibration->params.turns > less ? calibration->params.turns - less : 1;
}

bool calibration_create(
    struct gpu *gpu, const struct calibration_params *params, struct calibration **out,
    struct problem *problem)
{
    *out = NULL;
    struct calibration *calibration = calloc(1, sizeof *calibration);
    if (!calibration) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the calibration");
    }
    calibration->gpu = gpu;
    calibration->params = *params;
    struct calibration_params *own = &calibration->params;
    own->sizes = own->sizes && own->sizes < TIMES_SIZES ? own->sizes : TIMES_SIZES;
    own->turns = own->turns ? own->turns : TURNS;
    own->total_ms = own->total_ms > 0 ? own->total_ms : TOTAL_MS;
    const uint64_t room = gpu_memory_free(gpu) / 2;
    while (own->sizes > 1 && calibration_length(own->sizes - 1) * BYTES_PER_WORD > room) {
        own->sizes--;
    }
    const uint32_t longest = calibration_length(own->sizes - 1);
    calibration->host_words = malloc(longest * sizeof *calibration->host_words);
    if (!calibration->host_words) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the streams to time");
        goto fail;
    }
    if (!words_create(
            gpu, &(struct words_params){ .count = longest }, &calibration->words, problem) ||
        !cell_stream_create(
            gpu, calibration_length(calibration_cell_sizes(calibration) - 1), &calibration->cells,
            problem)) {
        goto fail;
    }
    *out = calibration;
    return true;
fail:
    calibration_destroy(calibration);
    return false;
}

void calibration_destroy(struct calibration *calibration)
{
    if (calibration) {
        words_destroy(&calibration->words);
        cell_stream_destroy(&calibration->cells);
        free(calibration->host_words);
        free(calibration);
    }
}

bool calibration_done(const struct calibration *calibration)
{
    return calibration->at.size >= calibration->params.sizes ||
           (calibration->closed[0] && calibration->closed[1]);
}

double calibration_share(const struct calibration *calibration)
{
    // The larger of two shares: of the time, and of the grid. The runs of a length take about three
    // times as long as those of the previous length.
    const struct grid_point *at = &calibration->at;
    const double within =
        ((at->lanes * TIMES_DENSITIES + at->density) * TIMES_PATTERNS + at->pattern) /
        (double)(TIMES_LANES * TIMES_DENSITIES * TIMES_PATTERNS);
    const double grid =
        (pow(3, at->size) * (1 + 2 * within) - 1) / (pow(3, calibration->params.sizes) - 1);
    const double time = calibration->spent_ms / calibration->params.total_ms;
    return calibration_done(calibration) ? 1 : fmin(1, fmax(grid, time));
}

const struct times *calibration_times(const struct calibration *calibration)
{
    return &calibration->times;
}

void calibration_words(uint32_t *words, uint32_t count, double density, uint32_t run, uint32_t seed)
{
    const double kept = density * 4294967296.0;
    for (uint32_t i = 0; i < count; i++) {
        const bool keep = cell_stream_hash(i / run ^ seed) < kept;
        words[i] = (i & ~WORD_INVALID) | (keep ? 0 : WORD_INVALID);
    }
}

static bool calibration_fill(struct calibration *calibration, struct problem *problem)
{
    const struct grid_point *at = &calibration->at;
    const uint32_t count = calibration_length(at->size);
    const double density = times_densities[at->density];
    if (at->lanes == 1) {
        return cell_stream_fill(&calibration->cells, count, density, at->pattern, problem);
    }
    struct words *words = &calibration->words;
    words->count = words->capacity = count;
    calibration_words(calibration->host_words, count, density, at->pattern ? TIMES_RUN : 1, 0);
    return transfer_upload(
        calibration->gpu, &words->source, 0, calibration->host_words, count * 4ull, problem);
}

// The best time of all methods at the current density and pattern, for the length `size`; 0: none.
static float calibration_best(const struct calibration *calibration, uint32_t size)
{
    const struct grid_point *at = &calibration->at;
    float best = 0;
    for (uint32_t row = 0; row < method_count(); row++) {
        const float ms = calibration->times.ms[row][at->lanes][size][at->density][at->pattern];
        best = ms > 0 && (best <= 0 || ms < best) ? ms : best;
    }
    return best;
}

// The method's time on the longest measured stream that is shorter than the current one; *size is
// its length. It has the current density and pattern, or the first ones if the method was not
// measured with the current ones. 0 if there is none.
static float calibration_last(const struct calibration *calibration, uint32_t row, uint32_t *size)
{
    const struct grid_point *at = &calibration->at;
    for (int s = (int)at->size - 1; s >= 0; s--) {
        const float(*points)[TIMES_PATTERNS] = calibration->times.ms[row][at->lanes][s];
        const float same = points[at->density][at->pattern];
        *size = (uint32_t)s;
        if (same > 0 || points[0][0] > 0) {
            return same > 0 ? same : points[0][0];
        }
    }
    return 0;
}

// Whether the method is measured at the current point: it can run, and it is not too slow. A
// difference of a millisecond or two may be due to the method's dispatches, which matter less on
// longer streams.
static bool calibration_includes(const struct calibration *calibration, uint32_t row)
{
    const struct method *method = method_at(row);
    const struct grid_point *at = &calibration->at;
    if (calibration->failed[row][at->lanes] || method->selects || method->removes ||
        method_tiles(method) ||
        method_refuses(method, calibration->gpu, calibration_length(at->size))) {
        return false;
    }
    const float(*points)[TIMES_PATTERNS] = calibration->times.ms[row][at->lanes][at->size];
    const double hopeless = HOPELESS * calibration_best(calibration, at->size) + FLAT_MS;
    if (at->turn > 1 && points[at->density][at->pattern] > hopeless) {
        return false; // two turns are enough; one is not: the machine may have been busy
    }
    if (at->size == 0) {
        return at->density + at->pattern == 0 || points[0][0] < 4 * FLAT_MS;
    }
    uint32_t size = 0;
    const float last = calibration_last(calibration, row, &size);
    const double best = calibration_best(calibration, at->size - 1);
    const bool gap = size + 1 < at->size;
    const double single_ms = calibration->params.single_ms;
    if (last <= 0 || (single_ms > 0 && last * (gap ? 1 : 4) > single_ms)) {
        return false;
    }
    // A method whose time does not depend on the length may become the best one on longer streams.
    return at->size > DECISIVE_SIZE && !gap ? last < HOPELESS * best
                                            : last < HOPELESS * 4 * best + FLAT_MS;
}

// Times one run. A method's first run creates its kernels: it is not counted, neither as the
// method's time nor against total_ms. *counts is false then.
static bool calibration_time(struct calibration *calibration, bool *counts, struct problem *problem)
{
    const struct grid_point *at = &calibration->at;
    const struct method *method = method_at(at->row);
    const double start = clock_ms();
    double ms = 0;
    struct problem why = { 0 };
    bool fine;
    if (at->lanes == 1) {
        uint32_t kept;
        fine = cell_stream_run(&calibration->cells, method, &kept, &ms, &why);
    } else {
        struct words_result result;
        fine =
            words_run(&calibration->words, &(struct words_step){ .method = method }, &result, &why);
        ms = result.ms;
    }
    const float wall = (float)(clock_ms() - start);
    *counts = calibration->wall_ms[at->row][at->lanes] > 0 || !fine;
    calibration->wall_ms[at->row][at->lanes] = wall;
    if (!*counts) {
        return true;
    }
    // On four times as many lanes, the device's part takes four times as long. Time that a busy
    // machine adds on the host must not shorten the list of lengths.
    const double device = ms > 0 && ms < wall ? ms : wall;
    const double around = fmin(wall - device, AROUND_MS);
    calibration->next_ms[at->lanes] += 4 * device + around;
    calibration->spent_ms += device + around;
    if (!fine) {
        // A method that fails, for lack of scratch for example, is left out. A lost device ends the
        // calibration.
        if (why.kind == PROBLEM_INTERRUPTED || calibration->gpu->lost) {
            *problem = why;
            return false;
        }
        calibration->failed[at->row][at->lanes] = true;
        return true;
    }
    float *best = &calibration->times.ms[at->row][at->lanes][at->size][at->density][at->pattern];
    const float took = ms > 0 ? (float)ms : wall;
    *best = *best > 0 && *best < took ? *best : took;
    return true;
}

// At the start of a length: closes this kind of lanes if no time is left for the length.
static void calibration_close_sizes(struct calibration *calibration)
{
    const struct grid_point *at = &calibration->at;
    const double left = calibration->params.total_ms - calibration->spent_ms;
    calibration->closed[at->lanes] |= at->size > 0 && calibration->next_ms[at->lanes] > left;
    calibration->closed[at->lanes] |=
        at->lanes == 1 && at->size >= calibration_cell_sizes(calibration);
    calibration->next_ms[at->lanes] = 0;
}

// Moves on to the next stream.
static void calibration_next_stream(struct calibration *calibration)
{
    struct grid_point *at = &calibration->at;
    at->turn = at->row = 0;
    at->filled = false;
    if (++at->pattern < TIMES_PATTERNS) {
        return;
    }
    at->pattern = 0;
    if (++at->density < TIMES_DENSITIES) {
        return;
    }
    at->density = 0;
    do {
        if (++at->lanes == TIMES_LANES) {
            at->lanes = 0;
            at->size++;
        }
        if (!calibration_done(calibration)) {
            calibration_close_sizes(calibration);
        }
    } while (!calibration_done(calibration) && calibration->closed[at->lanes]);
}

// Moves on to the next run that is measured.
static void calibration_next_run(struct calibration *calibration)
{
    struct grid_point *at = &calibration->at;
    do {
        if (++at->row == method_count()) {
            at->row = 0;
            at->turn++;
        }
        if (at->turn >= calibration_turns(calibration)) {
            calibration_next_stream(calibration);
        }
    } while (!calibration_done(calibration) && !calibration_includes(calibration, at->row));
}

// The expected time of the next step on the host's clock. The first run of a method includes the
// creation of its kernels.
static double calibration_expected_ms(const struct calibration *calibration)
{
    const struct grid_point *at = &calibration->at;
    const bool longer = at->turn == 0 && at->density == 0 && at->pattern == 0;
    const double last =
        at->filled ? calibration->wall_ms[at->row][at->lanes] : calibration->fill_ms;
    return last > 0 ? last * (longer ? 4 : 1) : NEW_MS;
}

bool calibration_go_on(struct calibration *calibration, double budget_ms, struct problem *problem)
{
    const double start = clock_ms();
    do {
        struct grid_point *at = &calibration->at;
        if (calibration_done(calibration)) {
            return true;
        }
        if (!at->filled) {
            const double before = clock_ms();
            if (!calibration_fill(calibration, problem)) {
                return false;
            }
            calibration->fill_ms = clock_ms() - before;
            calibration->spent_ms += calibration->fill_ms;
            at->filled = true;
            if (!calibration_includes(calibration, at->row)) {
                calibration_next_run(calibration);
            }
        } else {
            bool counts;
            if (!calibration_time(calibration, &counts, problem)) {
                return false;
            }
            if (counts) {
                calibration_next_run(calibration);
            }
        }
    } while (clock_ms() - start + calibration_expected_ms(calibration) < budget_ms);
    return true;
}
