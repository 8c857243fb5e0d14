// The runs stand in one order: by length, then by kind of lanes, density and pattern, then turn by
// turn, each method once. A calibration is a place in that order, and moves on step by step.
#include "compute/compaction/calibrate.h"

#include "compute/compaction/cell_stream.h"
#include "compute/compaction/words.h"
#include "volumes/base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ROWS_LOG2 = 18 }; // of the lanes that hold 32 elements each
enum { TURNS = 10 };
enum {
    DECISIVE_SIZE = 3
}; // the first length at which a method may turn out hopeless: on shorter ones
   // dispatches count for more than lanes
static const double HOPELESS = 2.5; // times the best
static const double FLAT_MS = 1;    // and so much
static const double TOTAL_MS = 60000;
static const double AROUND_MS = 0.5;       // of a run, on the host, at most
static const double NEW_MS = 50;           // what nobody knows yet is taken to last
static const uint64_t BYTES_PER_WORD = 40; // of stream, list, scratch and staging, at most

struct grid_point {
    uint32_t size, lanes, density, pattern, turn, row;
    bool filled; // the stream is on the device
};

struct calibration {
    struct gpu *gpu;
    struct calibration_params params; // none is 0 but single_ms
    struct words words;
    struct cell_stream cells;
    uint32_t *host_words; // the words of a stream
    struct times times;
    struct grid_point at;
    bool failed[METHODS_MOST][TIMES_LANES];   // there was no room for it, or the like
    bool closed[TIMES_LANES];                 // no time left for longer ones
    double spent_ms;                          // in all, as params.total_ms counts
    double next_ms[TIMES_LANES];              // what the next length may take, by this one's turns
    float wall_ms[METHODS_MOST][TIMES_LANES]; // of the last run
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

// Long runs are steadier, and dear.
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
    // The shorter of the two shares that are still to go: of the time, and of the grid, in which
    // the runs of a length take about three times as long as those of the one before.
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

static uint32_t calibration_hash(uint32_t i)
{
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

void calibration_words(uint32_t *words, uint32_t count, double density, uint32_t run, uint32_t seed)
{
    const double kept = density * 4294967296.0;
    for (uint32_t i = 0; i < count; i++) {
        const bool keep = calibration_hash(i / run ^ seed) < kept;
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
    return buffer_upload(
        calibration->gpu, &words->source, 0, calibration->host_words, count * 4ull, problem);
}

// The best at a point of the grid; 0: nothing was measured there.
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

// Its time on the longest stream of the kind that is shorter, by `*size` the length: of the same
// density and pattern, or, where it was left out there, of the first. 0: there is none.
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

// Whether the method takes part at this place: it can, and is not hopeless. What it is short of the
// best by a millisecond or two may be its dispatches, and of no weight on longer streams.
static bool calibration_includes(const struct calibration *calibration, uint32_t row)
{
    const struct method *method = method_at(row);
    const struct grid_point *at = &calibration->at;
    if (calibration->failed[row][at->lanes] || method->selects || method->removes ||
        method_refuses(method, calibration->gpu, calibration_length(at->size))) {
        return false;
    }
    const float(*points)[TIMES_PATTERNS] = calibration->times.ms[row][at->lanes][at->size];
    const double hopeless = HOPELESS * calibration_best(calibration, at->size) + FLAT_MS;
    if (at->turn > 1 && points[at->density][at->pattern] > hopeless) {
        return false; // two turns say enough; in one the machine may have been elsewhere
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
    // Its time may not depend on the length at all: then it may be the best in time.
    return at->size > DECISIVE_SIZE && !gap ? last < HOPELESS * best
                                            : last < HOPELESS * 4 * best + FLAT_MS;
}

// A method's first run, in which its kernels are made, says nothing of its time, and does not count
// against the time for all either: *counts is false.
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
    // On four times as many lanes, four times the device's part of it. What else a busy machine
    // puts between shall not cost the long streams their place.
    const double device = ms > 0 && ms < wall ? ms : wall;
    const double around = fmin(wall - device, AROUND_MS);
    calibration->next_ms[at->lanes] += 4 * device + around;
    calibration->spent_ms += device + around;
    if (!fine) {
        // No room for its scratch, say: it goes on without. A lost device ends it.
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

// At the start of a length: whether there is time for it.
static void calibration_close_sizes(struct calibration *calibration)
{
    const struct grid_point *at = &calibration->at;
    const double left = calibration->params.total_ms - calibration->spent_ms;
    calibration->closed[at->lanes] |= at->size > 0 && calibration->next_ms[at->lanes] > left;
    calibration->closed[at->lanes] |=
        at->lanes == 1 && at->size >= calibration_cell_sizes(calibration);
    calibration->next_ms[at->lanes] = 0;
}

// On to the next stream.
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

// On to the next run that takes place.
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

// What the next step may take on the host's clock. With a method's first run its kernels are made.
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
