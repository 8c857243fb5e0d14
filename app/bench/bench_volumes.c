// Measures the whole extraction on real volumes, a frame per isovalue, with one method after the
// other: the comparison of Hughes et al. Isovalues take turns within a method's turn, so that no
// run repeats the one before it.
#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/bench/bench.h"
#include "app/bench/turns.h"
#include "app/cli/session.h"

#include <inttypes.h>
#include <stdio.h>

// Without --iso, isovalues at every 1/STEPS of the range are tried. A surface is interesting (in
// the paper: neither empty nor noisy) if its share of active cells is between LEAST_CUT and
// MOST_CUT.
#define STEPS     32
#define LEAST_CUT 0.0005
#define MOST_CUT  0.1
#define MOST_ISOS (OPTIONS_ISOVALUES > STEPS ? OPTIONS_ISOVALUES : STEPS)

struct volumes {
    struct session session;
    struct extraction *extraction; // owned by the session
    struct surface surface;
    const struct plan *plan;
    const struct experiment *experiment;
    struct bench_table *table;
    const struct method *methods[METHODS_MOST];
    uint32_t method_count;
    double isos[MOST_ISOS];
    uint64_t cells[MOST_ISOS]; // active cells, by the first method
    uint32_t iso_count;
    struct turns turns; // of each method at each isovalue: times, spins, fallbacks, late elements
};

static bool bench_volumes_step(
    struct volumes *volumes, const struct method *method, double iso,
    struct extraction_result *result, struct problem *problem)
{
    const struct extraction_step step = {
        .iso = iso,
        .method = method,
        .target = &volumes->surface,
    };
    return extraction_run(volumes->extraction, &step, result, problem) && progress_go_on(problem);
}

static bool bench_volumes_select_isos(
    struct volumes *volumes, const struct options *options, struct problem *problem)
{
    const struct session *session = &volumes->session;
    const struct volume_facts *facts = &session->facts;
    volumes->iso_count = 0;
    if (options->has_iso) {
        for (uint32_t i = 0; i < options->iso_count; i++) {
            volumes->isos[volumes->iso_count++] = session_iso(session, &options->isos[i]);
        }
        return true;
    }
    const uint32_t *dim = session->volume.dim;
    const double all = (dim[0] - 1.0) * (dim[1] - 1.0) * (dim[2] - 1.0);
    for (uint32_t i = 1; i < STEPS; i++) {
        const double share = (double)i / STEPS;
        const double iso = facts->min * (1 - share) + facts->max * share;
        struct extraction_result result;
        if (!bench_volumes_step(volumes, method_default(), iso, &result, problem)) {
            return false;
        }
        const double cut = (double)result.active_cells / all;
        if (cut >= LEAST_CUT && cut <= MOST_CUT) {
            volumes->isos[volumes->iso_count++] = iso;
        }
    }
    return true;
}

// Selects the methods of the plan that can run here.
static bool bench_volumes_select_methods(struct volumes *volumes, struct problem *problem)
{
    const struct plan *plan = volumes->plan;
    const uint32_t count = plan->all_methods ? method_count() : plan->method_count;
    volumes->method_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct method *method = plan->all_methods ? method_at(i) : plan->methods[i];
        struct problem refused = { 0 };
        const char *why = method_unavailable(method, &volumes->session.gpu);
        if (!why && !extraction_prepare(volumes->extraction, &volumes->surface, method, &refused)) {
            if (refused.kind == PROBLEM_DEVICE_LOST || !problem_of_device(refused.kind)) {
                *problem = refused;
                return false;
            }
            why = refused.text;
        }
        if (!why) {
            volumes->methods[volumes->method_count++] = method;
        } else if (!bench_add_gap(
                       volumes->table, volumes->experiment, method->name, why, problem)) {
            return false;
        }
    }
    return true;
}

// Contestant i is method i / iso_count at isovalue i % iso_count.
static bool bench_volumes_turn(void *user, uint32_t i, uint32_t round, struct problem *problem)
{
    struct volumes *volumes = user;
    const uint32_t m = i / volumes->iso_count, at = i % volumes->iso_count;
    struct extraction_result result;
    const double start = clock_ms();
    if (!bench_volumes_step(volumes, volumes->methods[m], volumes->isos[at], &result, problem)) {
        return false;
    }
    turns_put(&volumes->turns, i, 0, round, clock_ms() - start);
    turns_put(&volumes->turns, i, 1, round, result.cells_events.spins);
    turns_put(&volumes->turns, i, 2, round, result.cells_events.fallbacks);
    turns_put(&volumes->turns, i, 3, round, result.cells_events.late);
    if (round == 0 && m == 0) {
        volumes->cells[at] = result.active_cells;
    }
    char iso[32];
    return result.active_cells == volumes->cells[at] ||
           problem_set(
               problem, PROBLEM_CHECK, "%s kept %" PRIu64 " active cells at %s, %s %" PRIu64,
               volumes->methods[m]->name, result.active_cells, number_text(volumes->isos[at], iso),
               volumes->methods[0]->name, volumes->cells[at]);
}

// Adds one row per isovalue, and one over all of them.
static bool bench_volumes_add_rows(struct volumes *volumes, uint32_t m, struct problem *problem)
{
    double sum = 0, squares = 0;
    struct bench_row row = {
        .experiment = volumes->experiment,
        .file = volumes->session.path,
        .method = volumes->methods[m]->name,
        .repeat = volumes->turns.repeat,
    };
    double medians[MOST_ISOS];
    for (uint32_t i = 0; i < volumes->iso_count; i++) {
        const uint32_t at = m * volumes->iso_count + i;
        row.iso = volumes->isos[i];
        row.time = turns_timings(&volumes->turns, at, 0);
        row.waits = volumes->methods[m]->has_events && !volumes->methods[m]->removes;
        row.spins = turns_timings(&volumes->turns, at, 1).mean_ms;
        row.fallbacks = turns_timings(&volumes->turns, at, 2).mean_ms;
        row.late = turns_timings(&volumes->turns, at, 3).mean_ms;
        row.fps = 1e3 / row.time.median_ms;
        row.fps_sd = row.fps * row.time.sd_ms / row.time.mean_ms; // for the text only
        medians[i] = row.time.median_ms;
        sum += row.fps;
        squares += row.fps * row.fps;
        if (!bench_add_row(volumes->table, &row, problem)) {
            return false;
        }
    }
    row.isos = volumes->iso_count;
    row.waits = false;
    row.fps = sum / row.isos;
    row.fps_sd = timings_deviation(sum, squares, row.isos);
    row.time = timings_of(medians, volumes->iso_count);
    return bench_add_row(volumes->table, &row, problem);
}

static bool bench_volumes_measure(
    struct volumes *volumes, const struct options *options, struct problem *problem)
{
    struct session *session = &volumes->session;
    struct extract_totals loaded;
    if (!session_whole(session, options, &volumes->extraction, &loaded, problem)) {
        return false;
    }
    bench_table_device(volumes->table, &session->gpu);
    if (!bench_volumes_select_methods(volumes, problem) ||
        !bench_volumes_select_isos(volumes, options, problem)) {
        return false;
    }
    if (volumes->iso_count == 0 || volumes->method_count == 0) {
        return bench_add_gap(
            volumes->table, volumes->experiment, session->path,
            volumes->iso_count ? "no method can run here"
                               : "no isovalue has 0.05 to 10 % active cells; give some with --iso",
            problem);
    }
    const uint32_t count = volumes->method_count * volumes->iso_count;
    if (!turns_create(count, 4, bench_repeat(options), &volumes->turns, problem) ||
        !turns_run(count, volumes->turns.repeat, bench_volumes_turn, volumes, problem)) {
        return false;
    }
    for (uint32_t m = 0; m < volumes->method_count; m++) {
        if (!bench_volumes_add_rows(volumes, m, problem)) {
            return false;
        }
    }
    return true;
}

bool bench_volumes(
    const struct options *options, const struct plan *plan, const struct experiment *experiment,
    struct bench_table *table, struct problem *problem)
{
    struct volumes volumes = {
        .plan = plan,
        .experiment = experiment,
        .table = table,
    };
    bool fine = true;
    for (uint32_t i = 1; i <= MOST_VOLUMES && options->operands[i] && fine; i++) {
        struct session *session = &volumes.session;
        *session = (struct session){ 0 };
        fine = session_read(session, options->operands[i], options, problem) &&
               session_open(session, options, problem) &&
               bench_volumes_measure(&volumes, options, problem);
        turns_destroy(&volumes.turns);
        surface_destroy(&session->gpu, &volumes.surface);
        fine = session_close(session, fine, problem);
    }
    return fine;
}
