// Times one isovalue step as an interactive user experiences it: from the isovalue to the finished
// mesh with normals on the device, by the host's clock. Isovalues take turns, so that no timed run
// repeats the one before it. A first round over all of them, in which buffers grow, is not counted.
// The stages are timed in separate rounds, because timing them costs time, too.
#include "app/base/json.h"
#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/report.h"
#include "app/bench/bench.h"
#include "app/bench/turns.h"
#include "app/cli/session.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_run {
    const struct method *method;
    struct extraction_result result; // of the last run
    struct timings time;
    uint32_t stage_count;
    struct stage stages[STOPWATCH_STAGES];
    double stage_ms[STOPWATCH_STAGES]; // medians
    double gpu_ms;     // median of the whole step on the device, if it has timestamps
    bool moves;        // whether a step that only moves the vertices exists:
    double move_ms;    // median of this step; 0: it does not exist
    double against_ms; // the time of another program; 0: not given
    uint64_t ahead;    // isovalues until cubist is ahead, with its one-time costs; 0: never
};

struct bench {
    struct session session;
    struct extraction *extraction; // owned by the session
    struct extract_totals loaded;  // the times of loading
    struct surface surface;
    double isos[OPTIONS_ISOVALUES];
    uint32_t iso_count;
    bool every_brick;
    double first_ms; // the first step: buffers grow, kernels are made
    double other;    // another isovalue, to run between two equal ones
    double last;     // isovalue of the last run
    struct bench_run *runs;
    uint32_t run_count;
    const struct method *method; // the method that is timed now
    struct turns turns;          // the times, by isovalue
};

enum how { ANEW, STAGES, WHOLE, MOVING };

static bool bench_extract_step(
    struct bench *bench, const struct method *method, double iso, enum how how,
    struct extraction_result *result, double *ms, struct problem *problem)
{
    const struct extraction_step step = {
        .iso = iso,
        .method = method,
        .target = &bench->surface,
        .anew = how != MOVING,
        .times = how == STAGES  ? TIME_STAGES
                 : how == WHOLE ? TIME_STEP
                                : TIME_NOTHING,
        .every_brick = bench->every_brick,
    };
    const double start = clock_ms();
    struct problem why;
    const bool fine =
        extraction_run(bench->extraction, &step, result, &why) ||
        problem_set(
            problem, why.kind, "%s%s", why.text,
            why.kind == PROBLEM_LIMIT ? "; work on the volume part by part, with --memory-budget"
                                      : "");
    *ms = clock_ms() - start;
    bench->first_ms = bench->first_ms > 0 ? bench->first_ms : *ms;
    bench->last = iso;
    return fine && progress_go_on(problem);
}

// Another isovalue between the same two integers. With integer data a step to it only moves
// vertices.
static double bench_extract_nudged(double iso)
{
    return iso == ceil(iso) ? iso - 0.5 : (iso + ceil(iso)) / 2;
}

// Series of times of an isovalue: of the host, of the device, of a step that only moves vertices,
// and of the stages.
enum series { SERIES_HOST, SERIES_DEVICE, SERIES_MOVE, SERIES_STAGES };

// Times an isovalue's step on the device: as a whole, and its stages.
static bool bench_extract_time_device(
    struct bench *bench, const struct method *method, uint32_t i, uint32_t round,
    struct problem *problem)
{
    struct bench_run *run = &bench->runs[bench->run_count + i];
    struct extraction_result whole, result;
    double ms;
    if (!bench_extract_step(bench, method, run->result.iso, WHOLE, &whole, &ms, problem) ||
        !bench_extract_step(bench, method, run->result.iso, STAGES, &result, &ms, problem)) {
        return false;
    }
    turns_put(&bench->turns, i, SERIES_DEVICE, round, whole.stage_ms[0]);
    run->stage_count = result.stage_count;
    memcpy(run->stages, result.stages, sizeof run->stages);
    for (uint32_t s = 0; s < result.stage_count; s++) {
        turns_put(&bench->turns, i, SERIES_STAGES + s, round, result.stage_ms[s]);
    }
    return true;
}

// In each round, first each isovalue is timed by the host, then each by the device.
static bool bench_extract_turn(void *user, uint32_t i, uint32_t round, struct problem *problem)
{
    struct bench *bench = user;
    struct bench_run *run = &bench->runs[bench->run_count + i % bench->iso_count];
    const struct method *method = bench->method;
    struct extraction_result moved;
    double ms;
    if (i >= bench->iso_count) {
        return bench_extract_time_device(bench, method, i - bench->iso_count, round, problem);
    }
    const double iso = bench->isos[i];
    run->method = method;
    if ((iso == bench->last &&
         !bench_extract_step(bench, method, bench->other, ANEW, &run->result, &ms, problem)) ||
        !bench_extract_step(bench, method, iso, ANEW, &run->result, &ms, problem)) {
        return false;
    }
    turns_put(&bench->turns, i, SERIES_HOST, round, ms);
    if (bench->session.volume.type == VOLUME_FLOAT32) {
        return true;
    }
    const double nudged = bench_extract_nudged(iso);
    if (!bench_extract_step(bench, method, nudged, MOVING, &moved, &ms, problem)) {
        return false;
    }
    run->moves = moved.moved;
    turns_put(&bench->turns, i, SERIES_MOVE, round, ms);
    return true;
}

static bool
bench_extract_time_method(struct bench *bench, const struct method *method, struct problem *problem)
{
    bench->method = method;
    if (!turns_run(2 * bench->iso_count, bench->turns.repeat, bench_extract_turn, bench, problem)) {
        return false;
    }
    for (uint32_t i = 0; i < bench->iso_count; i++) {
        struct bench_run *run = &bench->runs[bench->run_count++];
        run->time = turns_timings(&bench->turns, i, SERIES_HOST);
        run->gpu_ms = turns_timings(&bench->turns, i, SERIES_DEVICE).median_ms;
        run->move_ms = run->moves ? turns_timings(&bench->turns, i, SERIES_MOVE).median_ms : 0;
        for (uint32_t s = 0; s < run->stage_count; s++) {
            run->stage_ms[s] = turns_timings(&bench->turns, i, SERIES_STAGES + s).median_ms;
        }
    }
    return true;
}

// The one-time costs, up to and with the first surface. Reading the file is not included, because
// the other program reads it, too.
static double bench_extract_once_ms(const struct bench *bench)
{
    const struct session *session = &bench->session;
    return session->device_ms + bench->loaded.upload_ms + bench->loaded.ranges_ms +
           bench->loaded.kernels_ms + fmax(0, bench->first_ms - bench->runs[0].time.median_ms);
}

static void bench_extract_compare(struct bench *bench, const struct options *options)
{
    for (uint32_t i = 0; options->against_count > 0 && i < bench->run_count; i++) {
        struct bench_run *run = &bench->runs[i];
        const uint32_t iso = i % bench->iso_count, last = options->against_count - 1;
        run->against_ms = options->against[iso < last ? iso : last];
        const double gain = run->against_ms - run->time.median_ms;
        run->ahead = gain > 0 ? (uint64_t)(bench_extract_once_ms(bench) / gain) + 1 : 0;
    }
}

// Of some isovalues that are spread over the range, returns the first that was not given.
static double bench_extract_another_iso(const struct bench *bench)
{
    const struct volume_facts *facts = &bench->session.facts;
    double iso = facts->min;
    for (uint32_t part = 1; part <= OPTIONS_ISOVALUES + 1; part++) {
        const double share = part / (OPTIONS_ISOVALUES + 2.0);
        iso = facts->min * (1 - share) + facts->max * share;
        bool taken = false;
        for (uint32_t i = 0; i < bench->iso_count; i++) {
            taken |= bench->isos[i] == iso;
        }
        if (!taken) {
            break;
        }
    }
    return iso;
}

static bool
bench_extract_prepare(struct bench *bench, const struct options *options, struct problem *problem)
{
    bench->iso_count = options->iso_count;
    bench->every_brick = options->view.every_brick;
    for (uint32_t i = 0; i < bench->iso_count; i++) {
        bench->isos[i] = session_iso(&bench->session, &options->isos[i]);
    }
    bench->other = bench_extract_another_iso(bench);
    bench->last = NAN;
    const struct plan *plan = &options->plan;
    const size_t rows = plan->all_methods    ? method_count()
                        : plan->method_count ? plan->method_count
                                             : 1;
    bench->runs = calloc(rows * bench->iso_count, sizeof *bench->runs);
    return turns_create(
               bench->iso_count, SERIES_STAGES + STOPWATCH_STAGES, bench_repeat(options),
               &bench->turns, problem) &&
           (bench->runs ||
            problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the timings"));
}

static bool
bench_extract_time_all(struct bench *bench, const struct options *options, struct problem *problem)
{
    const struct plan *plan = &options->plan;
    if (!plan->all_methods) {
        for (uint32_t i = 0; i < plan->method_count || i == 0; i++) {
            const struct method *method = plan->method_count ? plan->methods[i] : NULL;
            if (!session_method(&bench->session, method, &method, problem) ||
                !bench_extract_time_method(bench, method, problem)) {
                return false;
            }
        }
        return true;
    }
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const char *why = extraction_refuses(bench->extraction, method);
        if (why) {
            log_note("%s left out: %s", method->name, why);
        } else if (
            !session_method(&bench->session, method, &method, problem) ||
            !bench_extract_time_method(bench, method, problem)) {
            return false;
        }
    }
    return true;
}

static double bench_extract_skipped(const struct extraction_result *result)
{
    return 1 - (double)result->active_bricks / (double)result->bricks;
}

static double
bench_extract_bytes_per_voxel(const struct bench *bench, const struct extraction_result *result)
{
    const struct volume *volume = &bench->session.volume;
    return (double)extraction_bytes_moved(result, volume_type_size(volume->type)) /
           (double)volume_count(volume);
}

static bool bench_extract_print_json(const struct bench *bench, struct problem *problem)
{
    const struct session *session = &bench->session;
    json_t *json = json_begin_report();
    session_json(session, json);
    json_add_count(json, "repeat", bench->turns.repeat);
    json_add_count(json, "device_bytes", session->gpu.budget.peak);
    device_memory_json(&session->gpu, json);
    json_add_number(json, "load_ms", session->read_ms);
    json_add_number(json, "device_ms", session->device_ms);
    json_add_number(json, "upload_ms", bench->loaded.upload_ms);
    json_add_number(json, "bricks_ms", bench->loaded.ranges_ms);
    json_add_number(json, "kernels_ms", bench->loaded.kernels_ms);
    json_add_number(json, "first_ms", bench->first_ms);
    json_t *rows = json_add_array(json, "runs");
    for (uint32_t i = 0; i < bench->run_count; i++) {
        const struct bench_run *run = &bench->runs[i];
        json_t *row = json_add_object(rows, NULL);
        json_add_number(row, "iso", run->result.iso);
        json_add_text(row, "method", run->method->name);
        choices_json(&run->result, row);
        json_add_count(row, "bricks", run->result.bricks);
        json_add_count(row, "active_bricks", run->result.active_bricks);
        json_add_number(row, "skipped_share", bench_extract_skipped(&run->result));
        json_add_number(row, "bytes_per_voxel", bench_extract_bytes_per_voxel(bench, &run->result));
        json_add_count(row, "active_cells", run->result.active_cells);
        json_add_count(row, "vertices", run->result.vertices);
        json_add_count(row, "triangles", run->result.triangles);
        if (run->method->removes) {
            json_add_count(row, "removed", run->result.cells_events.removed);
            json_add_count(row, "entered", run->result.cells_events.entered);
        }
        json_add_number(row, "median_ms", run->time.median_ms);
        json_add_number(row, "min_ms", run->time.min_ms);
        json_add_number(row, "p95_ms", run->time.p95_ms);
        if (bench->session.gpu.timestamps) {
            json_add_number(row, "gpu_ms", run->gpu_ms);
        } else {
            json_add_null(row, "gpu_ms");
        }
        if (run->move_ms > 0) {
            json_add_number(row, "move_ms", run->move_ms);
        }
        if (run->against_ms > 0) {
            json_add_number(row, "against_ms", run->against_ms);
            if (run->ahead > 0) {
                json_add_count(row, "ahead_after", run->ahead);
            } else {
                json_add_null(row, "ahead_after");
            }
        }
        json_t *stages = json_add_object(row, "stages");
        for (uint32_t s = 0; s < run->stage_count; s++) {
            json_add_number(stages, run->stages[s].name, run->stage_ms[s]);
        }
    }
    return json_finish(json, stdout, problem);
}

static void bench_extract_print_text(const struct bench *bench, bool verbose)
{
    const struct session *session = &bench->session;
    printf(
        "load %.1f ms; once: device %.1f, upload %.1f, bricks %.1f, kernels %.1f, first step "
        "%.1f\n",
        session->read_ms, session->device_ms, bench->loaded.upload_ms, bench->loaded.ranges_ms,
        bench->loaded.kernels_ms, bench->first_ms);
    printf(
        "%-18s%10s%14s%12s%12s%11s%11s%11s%11s\n", "method", "isovalue", "active cells", "vertices",
        "triangles", "median ms", "min ms", "p95 ms", "move ms");
    for (uint32_t i = 0; i < bench->run_count; i++) {
        const struct bench_run *run = &bench->runs[i];
        char move[32] = "-", cells[32], vertices[32], triangles[32];
        if (run->move_ms > 0) {
            snprintf(move, sizeof move, "%.2f", run->move_ms);
        }
        printf(
            "%-18s%10.7g%14s%12s%12s%11.2f%11.2f%11.2f%11s\n", run->method->name, run->result.iso,
            number_thousands(run->result.active_cells, cells),
            number_thousands(run->result.vertices, vertices),
            number_thousands(run->result.triangles, triangles), run->time.median_ms,
            run->time.min_ms, run->time.p95_ms, move);
        if (run->against_ms > 0 && run->ahead > 0) {
            printf(
                "    against %.4g ms: ahead after %" PRIu64 " isovalues, one-time costs included\n",
                run->against_ms, run->ahead);
        } else if (run->against_ms > 0) {
            printf("    against %.4g ms: never ahead\n", run->against_ms);
        }
        if (run->method->selects) {
            char choices[CHOICES_TEXT];
            printf("    %s\n", choices_text(&run->result, choices));
        }
        if (verbose && run->method->removes) {
            printf(
                "    removed %" PRIu64 " cells, added %" PRIu64 "\n",
                (uint64_t)run->result.cells_events.removed,
                (uint64_t)run->result.cells_events.entered);
        }
        if (verbose) {
            choices_print_why(&run->result, 4, stdout);
        }
        if (verbose) {
            printf(
                "    %.1f %% of %" PRIu64 " bricks skipped, %.2f bytes moved per voxel\n",
                100 * bench_extract_skipped(&run->result), run->result.bricks,
                bench_extract_bytes_per_voxel(bench, &run->result));
        }
        for (uint32_t s = 0; verbose && s < run->stage_count; s++) {
            printf("    %-22s%10.2f\n", run->stages[s].name, run->stage_ms[s]);
        }
    }
    if (verbose) {
        char memory[DEVICE_MEMORY_TEXT];
        printf("device memory %s\n", device_memory_text(&bench->session.gpu, memory));
    }
}

bool bench_extract(const struct options *options, struct problem *problem)
{
    if (options->memory_budget) {
        return bench_parts(options, problem);
    }
    if (options->against_count > 1 && options->against_count != options->iso_count) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--against has %u values for %u isovalues: give one for all, or %u",
            options->against_count, options->iso_count, options->iso_count);
    }
    for (uint32_t i = 0; i < options->plan.method_count; i++) {
        const struct method *method = options->plan.methods[i];
        if (method->cpu) {
            return problem_set(
                problem, PROBLEM_USAGE, "--method %s: %s", method->name,
                method_unavailable(method, NULL));
        }
    }
    struct bench bench = { 0 };
    struct session *session = &bench.session;
    bool fine = session_read(session, options->operands[1], options, problem) &&
                session_open(session, options, problem) &&
                session_whole(session, options, &bench.extraction, &bench.loaded, problem);
    if (fine) {
        fine = bench_extract_prepare(&bench, options, problem) &&
               bench_extract_time_all(&bench, options, problem);
    }
    if (fine) {
        bench_extract_compare(&bench, options);
    }
    if (fine && options->json) {
        fine = bench_extract_print_json(&bench, problem);
    } else if (fine) {
        bench_extract_print_text(&bench, options->verbose);
    }
    turns_destroy(&bench.turns);
    free(bench.runs);
    surface_destroy(&session->gpu, &bench.surface);
    return session_close(session, fine, problem);
}
