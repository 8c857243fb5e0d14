// Times one isovalue step of a volume that is extracted part by part, as the window does it: from
// the isovalue to the last part's mesh on the device, by the host's clock. Parts stay on the device
// as far as the budget allows. The others are read from the file at every step. Isovalues take
// turns. The first round, which reads everything, is reported separately.
#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/report.h"
#include "app/bench/bench.h"
#include "app/bench/turns.h"
#include "app/cli/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
    const struct method *method;
    double first_ms;
    struct timings time;
    struct extract_totals found; // of the last run
};

struct bench {
    struct session session;
    bool every_brick;
    double isos[OPTIONS_ISOVALUES];
    uint32_t iso_count;
    const struct method *method; // the method that is timed now
    struct turns turns;          // the times, by isovalue
    struct row *rows;            // one for each method and isovalue
    uint32_t row_count;
};

static bool bench_parts_turn(void *user, uint32_t i, uint32_t round, struct problem *problem)
{
    struct bench *bench = user;
    struct row *row = &bench->rows[bench->row_count + i];
    const struct query query = {
        .iso = bench->isos[i],
        .method = bench->method,
        .every_brick = bench->every_brick,
    };
    const double start = clock_ms();
    if (!session_each(&bench->session, &query, "timing", NULL, NULL, &row->found, problem)) {
        return false;
    }
    const double ms = clock_ms() - start;
    row->method = query.method;
    row->first_ms = round == 0 ? ms : row->first_ms;
    turns_put(&bench->turns, i, 0, round, ms);
    return true;
}

static bool
bench_parts_time_method(struct bench *bench, const struct method *method, struct problem *problem)
{
    if (!session_method(&bench->session, method, &bench->method, problem)) {
        return false;
    }
    parts_release(bench->session.parts);
    if (!turns_run(bench->iso_count, bench->turns.repeat, bench_parts_turn, bench, problem)) {
        return false;
    }
    for (uint32_t i = 0; i < bench->iso_count; i++) {
        bench->rows[bench->row_count++].time = turns_timings(&bench->turns, i, 0);
    }
    return true;
}

static bool
bench_parts_time_all(struct bench *bench, const struct options *options, struct problem *problem)
{
    const struct plan *plan = &options->plan;
    for (uint32_t i = 0; !plan->all_methods && (i < plan->method_count || i == 0); i++) {
        if (!bench_parts_time_method(
                bench, plan->method_count ? plan->methods[i] : NULL, problem)) {
            return false;
        }
    }
    for (const struct method *method = plan->all_methods ? method_next(NULL) : NULL; method;
         method = method_next(method)) {
        if (!method_unavailable(method, &bench->session.gpu) &&
            !bench_parts_time_method(bench, method, problem)) {
            return false;
        }
    }
    return true;
}

static bool bench_parts_print_json(const struct bench *bench, struct problem *problem)
{
    const struct session *session = &bench->session;
    const struct parts_plan *plan = parts_planned(session->parts);
    json_t *json = json_begin_report();
    session_json(session, json);
    json_add_count(json, "repeat", bench->turns.repeat);
    json_add_count(json, "budget_bytes", plan->budget);
    json_add_count(json, "device_bytes", session->gpu.budget.peak);
    device_memory_json(&session->gpu, json);
    json_t *rows = json_add_array(json, "runs");
    for (uint32_t i = 0; i < bench->row_count; i++) {
        const struct row *row = &bench->rows[i];
        const struct extract_totals *found = &row->found;
        json_t *object = json_add_object(rows, NULL);
        json_add_number(object, "iso", bench->isos[i % bench->iso_count]);
        json_add_text(object, "method", row->method->name);
        json_add_count(object, "active_cells", found->active_cells);
        json_add_count(object, "triangles", found->triangles);
        json_add_number(object, "first_ms", row->first_ms);
        json_add_number(object, "median_ms", row->time.median_ms);
        json_add_number(object, "min_ms", row->time.min_ms);
        json_add_number(object, "p95_ms", row->time.p95_ms);
        json_t *parts = json_add_object(object, "slabs");
        json_add_count(parts, "count", found->parts);
        json_add_count(parts, "held", found->held);
        json_add_count(parts, "resident", found->resident);
        json_add_count(parts, "loaded", found->loaded);
        json_add_count(parts, "missed", found->missed);
        json_add_count(parts, "bytes_read", found->bytes_read);
    }
    return json_finish(json, stdout, problem);
}

static void bench_parts_print_text(const struct bench *bench, bool verbose)
{
    printf(
        "%-18s%10s%12s%11s%11s%11s%7s%9s%8s%8s%10s\n", "method", "isovalue", "triangles",
        "first ms", "median ms", "p95 ms", "parts", "on it", "loaded", "missed", "MiB read");
    for (uint32_t i = 0; i < bench->row_count; i++) {
        const struct row *row = &bench->rows[i];
        const struct extract_totals *found = &row->found;
        char iso[32];
        printf(
            "%-18s%10s%12" PRIu64 "%11.2f%11.2f%11.2f%7u%9u%8u%8u%10.1f\n", row->method->name,
            number_text(bench->isos[i % bench->iso_count], iso), found->triangles, row->first_ms,
            row->time.median_ms, row->time.p95_ms, found->parts, found->held, found->loaded,
            found->missed, (double)found->bytes_read / 0x1p20);
    }
    if (verbose) {
        char memory[DEVICE_MEMORY_TEXT];
        printf("device memory %s\n", device_memory_text(&bench->session.gpu, memory));
    }
}

static bool
bench_parts_prepare(struct bench *bench, const struct options *options, struct problem *problem)
{
    const struct plan *plan = &options->plan;
    const size_t methods_most = plan->all_methods ? method_count() : METHODS_MOST;
    bench->iso_count = options->iso_count;
    for (uint32_t i = 0; i < bench->iso_count; i++) {
        bench->isos[i] = session_iso(&bench->session, &options->isos[i]);
    }
    bench->every_brick = options->view.every_brick;
    bench->rows = calloc(methods_most * bench->iso_count, sizeof *bench->rows);
    return turns_create(bench->iso_count, 1, bench_repeat(options), &bench->turns, problem) &&
           (bench->rows ||
            problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the timings"));
}

bool bench_parts(const struct options *options, struct problem *problem)
{
    if (options->against_count > 0) {
        return problem_set(
            problem, PROBLEM_USAGE, "--against is for volumes that fit, without --memory-budget");
    }
    struct bench bench = { 0 };
    struct session *session = &bench.session;
    bool fine = session_load(session, options->operands[1], options, "timed", problem);
    if (fine) {
        struct parts_params params = session_parts_params(session, options);
        params.residents = 0; // parts stay on the device
        const struct plan *plan = &options->plan;
        const bool one = plan->method_count == 1 && !plan->all_methods;
        params.method = one ? plan->methods[0] : NULL; // several methods get the same parts
        fine = session_parts(session, options, &params, problem) &&
               bench_parts_prepare(&bench, options, problem) &&
               bench_parts_time_all(&bench, options, problem);
    }
    if (fine && options->json) {
        fine = bench_parts_print_json(&bench, problem);
    } else if (fine) {
        bench_parts_print_text(&bench, options->verbose);
    }
    free(bench.rows);
    turns_destroy(&bench.turns);
    return session_close(session, fine, problem);
}
