// bench calibrate: measures the times that `auto` uses and saves them. With --check it compares
// auto with every other method on random streams.
#include "app/bench/bench.h"

#include "app/base/cache.h"
#include "app/base/json.h"
#include "app/base/progress.h"
#include "app/base/timings.h"
#include "app/cli/session.h"
#include "compute/compaction/calibrate.h"
#include "compute/compaction/words.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK_SIZES = 3 }; // number of lengths in the grid with --quick
static const double QUICK_MS = 3000;
enum { LEAST_LOG2 = 12, LONGEST_LOG2 = 22, QUICK_LOG2 = 14 }; // lengths of random streams
enum {
    WARM = 2,
    TURNS_MOST = 200
}; // uncounted turns of a stream, and the largest number of counted ones
static const double DRAW_MS = 1500; // a stream gets no more turns after this time
enum { LEARNING = 40 };             // steps of auto alone, before the turns
enum { SHARE_OF_TEN = 9 };          // of ten streams, how many must come within WITHIN of the best
static const double WITHIN = 1.10;
static const double HOPELESS =
    5; // a method this many times slower than the best at first is not timed further

// A random stream and its results.
struct draw {
    uint32_t words, run;
    double density;
    const struct method *best, *picked; // picked: what auto selected most often
    uint32_t picked_turns, turns;       // in how many turns auto selected `picked`; turns of auto
    double best_ms, ms;
    double learning_ms; // mean of auto's first steps, in which it tries other methods
    char why[SELECTION_TEXT];
};

struct calibrate {
    struct session session;
    const struct options *options;
    struct times times;
    bool measured; // measured now, not read from the cache
    double took_ms;
    char *path; // of the saved times; NULL: none
    struct draw *draws;
    uint32_t draw_count;
};

// ---- the table ----

// The number of lengths for which there are times.
static uint32_t bench_calibrate_lengths(const struct times *times)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < method_count(); row++) {
        for (uint32_t size = count; size < TIMES_SIZES; size++) {
            count = times->ms[row][0][size][0][0] > 0 ? size + 1 : count;
        }
    }
    return count;
}

// Times of a quick measurement do not replace those of a full one.
static void bench_calibrate_keep_times(struct calibrate *calibrate)
{
    struct times kept;
    if (calibrate->options->quick && times_cache_load(&calibrate->session.gpu, &kept) &&
        bench_calibrate_lengths(&kept) > bench_calibrate_lengths(&calibrate->times)) {
        log_note(
            "the saved times also cover longer streams, so they are kept; leave out --quick to "
            "measure them anew");
        return;
    }
    calibrate->path = times_cache_save(&calibrate->session.gpu, &calibrate->times);
}

static bool bench_calibrate_measure_times(struct calibrate *calibrate, struct problem *problem)
{
    const double start = clock_ms();
    struct calibration *calibration;
    const struct calibration_params params = {
        .sizes = calibrate->options->quick ? QUICK_SIZES : 0,
        .turns = calibrate->options->repeat,
        .total_ms = calibrate->options->quick ? QUICK_MS : 0,
    };
    if (!calibration_create(&calibrate->session.gpu, &params, &calibration, problem)) {
        return false;
    }
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "calibrating");
    bool fine = true;
    while (fine && !calibration_done(calibration)) {
        fine = calibration_go_on(calibration, 100, problem) && progress_go_on(problem);
        progress.report(progress.user, calibration_share(calibration));
    }
    progress_end(&meter);
    calibrate->times = *calibration_times(calibration);
    calibration_destroy(calibration);
    calibrate->measured = true;
    calibrate->took_ms = clock_ms() - start;
    return fine;
}

// ---- auto against the others ----

static uint32_t bench_calibrate_random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint32_t i = (uint32_t)(*state >> 32);
    i = (i ^ i >> 16) * 0x7feb352du;
    return i ^ i >> 15;
}

static double bench_calibrate_random_share(uint64_t *state)
{
    return bench_calibrate_random_bits(state) / 4294967296.0;
}

// Lengths, small shares and runs are drawn by their logarithm. Half of the streams are in runs.
static void
bench_calibrate_draw_stream(const struct calibrate *calibrate, uint64_t *state, struct draw *out)
{
    const double longest = calibrate->options->quick ? QUICK_LOG2 : LONGEST_LOG2;
    const double log2 = LEAST_LOG2 + bench_calibrate_random_share(state) * (longest - LEAST_LOG2);
    const bool sparse = bench_calibrate_random_bits(state) >> 31;
    const double density = bench_calibrate_random_share(state);
    const bool in_runs = bench_calibrate_random_bits(state) >> 31;
    const double run_log2 = 1 + 9 * bench_calibrate_random_share(state);
    *out = (struct draw){
        .words = (uint32_t)exp2(log2),
        .density = sparse ? exp(log(0.0005) * density) : density,
        .run = in_runs ? (uint32_t)exp2(run_log2) : 1,
    };
}

// The times of a stream, by method and turn.
struct draw_times {
    double ms[METHODS_MOST][TURNS_MOST];
    uint32_t count[METHODS_MOST];
};

// The median of the even turns (`odd` 0) or of the odd turns (`odd` 1).
static double bench_calibrate_median_of(const struct draw_times *turns, uint32_t row, uint32_t odd)
{
    double some[TURNS_MOST];
    uint32_t count = 0;
    for (uint32_t i = odd; i < turns->count[row]; i += 2) {
        some[count++] = turns->ms[row][i];
    }
    return count ? timings_of(some, count).median_ms : INFINITY;
}

// Runs the steps in which auto learns about a stream. At first it knows only the length.
static bool bench_calibrate_learn(struct words *stream, struct draw *draw, struct problem *problem)
{
    const struct words_step step = { .method = method_find("auto") };
    double total = 0;
    for (int i = 0; i < LEARNING; i++) {
        struct words_result result;
        if (!words_run(stream, &step, &result, problem) || !progress_go_on(problem)) {
            return false;
        }
        total += result.ms;
    }
    draw->learning_ms = total / LEARNING;
    return true;
}

// Times all methods in turns. Each turn has a random order, so that no method always follows the
// same one. The first two turns are not counted: in them kernels are made and the slowest methods
// are excluded. Short streams get more turns. The even turns decide which method is the best. The
// odd turns give its median and auto's, so that a method that wins by luck among equals does not
// count against auto.
static bool bench_calibrate_try_stream(
    struct calibrate *calibrate, struct words *stream, struct draw *draw, struct problem *problem)
{
    const uint32_t least = 2 * bench_repeat(calibrate->options);
    const double start = clock_ms();
    struct draw_times all = { 0 };
    double warm[METHODS_MOST], quickest = INFINITY;
    uint32_t picks[METHODS_MOST] = { 0 };
    uint32_t order[METHODS_MOST];
    uint64_t chance = stream->count;
    for (uint32_t row = 0; row < method_count(); row++) {
        warm[row] = INFINITY;
        order[row] = row;
    }
    for (uint32_t turn = 0; turn < WARM + TURNS_MOST; turn++) {
        if (turn == WARM) {
            // By now all kernels are made, and have run on this many words.
            stream->has_density = false; // auto does not know the density yet
            selector_set_times(&stream->selector, &calibrate->times);
            if (!bench_calibrate_learn(stream, draw, problem)) {
                return false;
            }
        }
        if (turn >= WARM + least && clock_ms() - start > DRAW_MS) {
            break;
        }
        for (uint32_t i = 0; i < method_count(); i++) {
            const uint32_t other = i + bench_calibrate_random_bits(&chance) % (method_count() - i);
            const uint32_t row = order[other];
            order[other] = order[i];
            order[i] = row;
            const struct method *method = method_at(row);
            const bool hopeless =
                turn >= WARM && !method->selects && warm[row] > HOPELESS * quickest;
            if (hopeless || method->removes || method_refuses(method, stream->gpu, stream->count)) {
                continue;
            }
            struct words_result result;
            const struct words_step step = { .method = method };
            if (!words_run(stream, &step, &result, problem) || !progress_go_on(problem)) {
                return false;
            }
            if (turn < WARM) {
                warm[row] = fmin(warm[row], result.ms);
                quickest = method->selects ? quickest : fmin(quickest, result.ms);
            } else {
                all.ms[row][all.count[row]++] = result.ms;
            }
            if (method->selects && turn >= WARM) {
                const uint32_t times = ++picks[method_row(result.method)];
                draw->picked = times > draw->picked_turns ? result.method : draw->picked;
                draw->picked_turns = times > draw->picked_turns ? times : draw->picked_turns;
                draw->turns++;
                memcpy(draw->why, result.why, sizeof draw->why);
            }
        }
    }
    double best = INFINITY;
    for (uint32_t row = 0; row < method_count(); row++) {
        const double ms = bench_calibrate_median_of(&all, row, 0);
        if (method_at(row)->selects) {
            draw->ms = bench_calibrate_median_of(&all, row, 1);
        } else if (ms < best) {
            best = ms;
            draw->best = method_at(row);
            draw->best_ms = bench_calibrate_median_of(&all, row, 1);
        }
    }
    return true;
}

static bool bench_calibrate_close_to_best(const struct draw *draw)
{
    return draw->ms <= WITHIN * draw->best_ms;
}

static bool bench_calibrate_check(struct calibrate *calibrate, struct problem *problem)
{
    const struct options *options = calibrate->options;
    const uint32_t longest = 1u << (options->quick ? QUICK_LOG2 : LONGEST_LOG2);
    struct words stream = { 0 };
    uint32_t *made = malloc(longest * sizeof *made);
    calibrate->draws = calloc(options->check, sizeof *calibrate->draws);
    bool fine = (made && calibrate->draws) ||
                problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the check");
    fine = fine && words_create(
                       &calibrate->session.gpu,
                       &(struct words_params){ .count = longest, .times = &calibrate->times },
                       &stream, problem);
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "checking");
    uint64_t state = options->seed;
    for (uint32_t i = 0; fine && i < options->check; i++) {
        struct draw *draw = &calibrate->draws[i];
        bench_calibrate_draw_stream(calibrate, &state, draw);
        stream.count = stream.capacity = draw->words;
        calibration_words(
            made, draw->words, draw->density, draw->run, bench_calibrate_random_bits(&state));
        fine = transfer_upload(stream.gpu, &stream.source, 0, made, draw->words * 4ull, problem) &&
               bench_calibrate_try_stream(calibrate, &stream, draw, problem);
        calibrate->draw_count += fine;
        progress.report(progress.user, (i + 1.0) / options->check);
    }
    progress_end(&meter);
    words_destroy(&stream);
    free(made);
    return fine;
}

static uint32_t bench_calibrate_count_close(const struct calibrate *calibrate)
{
    uint32_t close = 0;
    for (uint32_t i = 0; i < calibrate->draw_count; i++) {
        close += bench_calibrate_close_to_best(&calibrate->draws[i]);
    }
    return close;
}

// ---- the report ----

static const struct method *
bench_calibrate_fastest(const struct times *times, int lanes, int size, int d, int p)
{
    const struct method *best = NULL;
    float least = 0;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const float ms = times->ms[method_row(method)][lanes][size][d][p];
        if (ms > 0 && (!best || ms < least)) {
            best = method;
            least = ms;
        }
    }
    return best;
}

static const char *const lane_names[TIMES_LANES] = { "words", "rows of 32 cells" };
static const char *const pattern_names[TIMES_PATTERNS] = { "at random", "in runs" };

// One line per length: the fastest method up to each density.
static void bench_calibrate_print_times(const struct times *times)
{
    for (int lanes = 0; lanes < TIMES_LANES; lanes++) {
        for (int pattern = 0; pattern < TIMES_PATTERNS; pattern++) {
            printf("%s, kept %s:\n", lane_names[lanes], pattern_names[pattern]);
            for (int size = 0; size < TIMES_SIZES; size++) {
                if (!bench_calibrate_fastest(times, lanes, size, 0, pattern)) {
                    continue;
                }
                printf("%10u  ", 1u << (TIMES_LEAST_LOG2 + 2 * size));
                for (int d = 0, from = 0; d < TIMES_DENSITIES; d++) {
                    const struct method *best =
                        bench_calibrate_fastest(times, lanes, size, d, pattern);
                    if (d + 1 < TIMES_DENSITIES &&
                        bench_calibrate_fastest(times, lanes, size, d + 1, pattern) == best) {
                        continue;
                    }
                    printf("%s%s ", from ? "; " : "", best ? best->name : "none");
                    if (from < d) {
                        printf("%g to ", 100 * times_densities[from]);
                    }
                    printf("%g %%", 100 * times_densities[d]);
                    from = d + 1;
                }
                putchar('\n');
            }
        }
    }
}

static void bench_calibrate_print_text(const struct calibrate *calibrate)
{
    if (calibrate->measured) {
        printf(
            "fastest on %s, measured in %.1f s\n", calibrate->session.gpu.properties.deviceName,
            calibrate->took_ms / 1e3);
        bench_calibrate_print_times(&calibrate->times);
        if (calibrate->path) {
            printf("saved in ");
            printable_put(calibrate->path, stdout);
            putchar('\n');
        }
    }
    for (uint32_t i = 0; i < calibrate->draw_count; i++) {
        const struct draw *draw = &calibrate->draws[i];
        char run[40] = "at random";
        if (draw->run > 1) {
            snprintf(run, sizeof run, "in runs of %u", draw->run);
        }
        printf(
            "%9u words, %6.3g %% kept %-15s auto, as %s in %u of %u steps: %.3f ms; best, %s: %.3f "
            "ms; %.2f "
            "(%.2f while it learned)\n",
            draw->words, 100 * draw->density, run, draw->picked->name, draw->picked_turns,
            draw->turns, draw->ms, draw->best->name, draw->best_ms, draw->ms / draw->best_ms,
            draw->learning_ms / draw->best_ms);
        if (calibrate->options->verbose) {
            printf("          %s\n", draw->why);
        }
    }
    if (calibrate->draw_count) {
        printf(
            "auto came within 10 %% of the best in %u of %u draws\n",
            bench_calibrate_count_close(calibrate), calibrate->draw_count);
    }
}

static bool bench_calibrate_print_json(const struct calibrate *calibrate, struct problem *problem)
{
    json_t *json = json_begin_report();
    json_add_text(json, "device", calibrate->session.gpu.properties.deviceName);
    json_add_text(json, "driver", calibrate->session.gpu.driver);
    json_add_bool(json, "measured", calibrate->measured);
    json_add_number(json, "took_ms", calibrate->took_ms);
    json_add_text(json, "path", calibrate->path);
    json_t *rows = json_add_array(json, "times");
    for (uint32_t row = 0; row < method_count(); row++) {
        for (int l = 0; l < TIMES_LANES; l++) {
            for (int s = 0; s < TIMES_SIZES; s++) {
                for (int i = 0; i < TIMES_DENSITIES * TIMES_PATTERNS; i++) {
                    const int d = i / TIMES_PATTERNS, p = i % TIMES_PATTERNS;
                    const float ms = calibrate->times.ms[row][l][s][d][p];
                    if (ms > 0) {
                        json_t *one = json_add_object(rows, NULL);
                        json_add_text(one, "method", method_at(row)->name);
                        json_add_text(one, "lanes", lane_names[l]);
                        json_add_count(one, "count", 1ull << (TIMES_LEAST_LOG2 + 2 * s));
                        json_add_number(one, "density", times_densities[d]);
                        json_add_bool(one, "in_runs", p);
                        json_add_number(one, "ms", ms);
                    }
                }
            }
        }
    }
    json_t *draws = json_add_array(json, "draws");
    for (uint32_t i = 0; i < calibrate->draw_count; i++) {
        const struct draw *draw = &calibrate->draws[i];
        json_t *one = json_add_object(draws, NULL);
        json_add_count(one, "words", draw->words);
        json_add_number(one, "density", draw->density);
        json_add_count(one, "run", draw->run);
        json_add_text(one, "picked", draw->picked->name);
        json_add_text(one, "why", draw->why);
        json_add_number(one, "ms", draw->ms);
        json_add_number(one, "learning_ms", draw->learning_ms);
        json_add_text(one, "best", draw->best->name);
        json_add_number(one, "best_ms", draw->best_ms);
        json_add_bool(one, "within", bench_calibrate_close_to_best(draw));
    }
    return json_finish(json, stdout, problem);
}

bool bench_calibrate(const struct options *options, struct problem *problem)
{
    struct calibrate *calibrate = calloc(1, sizeof *calibrate);
    if (!calibrate) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the calibration");
    }
    calibrate->options = options;
    bool fine = session_open(&calibrate->session, options, problem);
    const bool kept =
        fine && options->check && times_cache_load(&calibrate->session.gpu, &calibrate->times);
    if (fine && !kept) {
        fine = bench_calibrate_measure_times(calibrate, problem);
        if (fine) {
            bench_calibrate_keep_times(calibrate);
        }
    }
    fine = fine && (!options->check || bench_calibrate_check(calibrate, problem));
    if (fine && options->json) {
        fine = bench_calibrate_print_json(calibrate, problem);
    } else if (fine) {
        bench_calibrate_print_text(calibrate);
    }
    if (fine &&
        10 * bench_calibrate_count_close(calibrate) < SHARE_OF_TEN * calibrate->draw_count) {
        fine = problem_set(
            problem, PROBLEM_CHECK,
            "auto came within 10 %% of the best method in %u of %u draws only; was the machine "
            "busy?",
            bench_calibrate_count_close(calibrate), calibrate->draw_count);
    }
    fine = session_close(&calibrate->session, fine, problem);
    free(calibrate->draws);
    free(calibrate->path);
    free(calibrate);
    return fine;
}
