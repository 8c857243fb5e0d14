// bench cast: times frames of rays on volumes, by all casters in turns, and compares their hits.
#include "app/base/number.h"
#include "app/bench/bench.h"
#include "app/bench/bench_cast_rows.h"
#include "app/bench/bench_lanes.h"
#include "app/bench/bench_tests.h"
#include "volumes/base/apart.h"
#include "volumes/base/log.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE        1024 // pixels along a side, without --size
#define SWEEP_STEPS 16   // a sweep has an isovalue at every 1/SWEEP_STEPS of the range
#define MOST_PIXELS (1u << 26)

// Isovalues of volumes: those of figure 8 of the paper, or one if the figure does not have the
// volume. Other volumes get cast_head, the isovalues of a head of 8 bits.
static const struct {
    const char *name; // how the file's name begins
    double isos[3];   // 0: none
} cast_isovalues[] = {
    { "bonsai", { 36.5, 72.5, 160.5 } },
    { "aneurism", { 32.5, 70.5, 165.5 } },
    { "engine", { 80.5 } },
    { "headsq", { 1150.5 } },
};
static const double cast_head[] = { 40 / 2.55, 120 / 2.55, 200 / 2.55 }; // percent of the range

struct bench_cast {
    const struct options *options;
    const struct plan *plan;
    const struct experiment *experiment; // NULL: none
    struct bench_table *table;
    uint32_t width, height, views, repeat;
    struct session session;
    struct ways ways;
    struct frames frames;
    struct cast_times times;
    double isos[OPTIONS_ISOVALUES];
    uint32_t iso_count;
    const struct bench_row *shared; // what the rows of the current isovalue share
};

static const char *bench_cast_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void bench_cast_add_iso(struct bench_cast *bench, enum isovalue_kind kind, double value)
{
    const struct isovalue iso = { kind, value };
    bench->isos[bench->iso_count++] = session_iso(&bench->session, &iso);
}

static void bench_cast_select_isos(struct bench_cast *bench)
{
    const struct options *options = bench->options;
    const struct experiment *experiment = bench->experiment;
    bench->iso_count = 0;
    if (options->has_iso || !experiment) {
        for (uint32_t i = 0; i < options->iso_count; i++) {
            bench_cast_add_iso(bench, options->isos[i].kind, options->isos[i].value);
        }
        return;
    }
    for (int i = 1; experiment->sweep && i < SWEEP_STEPS; i++) {
        bench_cast_add_iso(bench, ISOVALUE_PERCENT, 100.0 * i / SWEEP_STEPS);
    }
    const char *name = bench_cast_name(bench->session.path);
    for (size_t row = 0; row < sizeof cast_isovalues / sizeof *cast_isovalues; row++) {
        const size_t length = strlen(cast_isovalues[row].name);
        const double *isos = cast_isovalues[row].isos;
        const bool named = strncmp(name, cast_isovalues[row].name, length) == 0;
        for (int i = 0; !experiment->sweep && named && i < 3 && isos[i] > 0; i++) {
            bench_cast_add_iso(bench, ISOVALUE_NUMBER, isos[i]);
        }
    }
    const bool head = bench->iso_count == 0;
    for (int i = 0; head && i < 3; i++) {
        bench_cast_add_iso(bench, ISOVALUE_PERCENT, cast_head[i]);
    }
}

static bool bench_cast_differs(
    const struct bench_cast *bench, uint32_t way, uint32_t view, double iso, uint64_t differ,
    struct problem *problem)
{
    char names[2][128], text[32];
    return problem_set(
        problem, PROBLEM_CHECK,
        "%.200s at isovalue %s, view %s: %s differs from %s in %" PRIu64 " pixels",
        bench->session.path, number_text(iso, text), frame_views[view].name,
        way_text(&bench->ways.ways[way], names[0]), way_text(&bench->ways.ways[0], names[1]),
        differ);
}

// The pictures of --images are FOLDER/FILE-ISOVALUE-VIEW.png. The isovalues are not known yet, so
// any file with such a name may be replaced.
static bool bench_cast_check_images(const struct options *options, struct problem *problem)
{
    DIR *folder = options->images ? opendir(options->images) : NULL;
    bool fine = true;
    for (struct dirent *entry; folder && fine && (entry = readdir(folder));) {
        for (int i = 1; fine && options->operands[i]; i++) {
            char start[256], path[PATH_MAX + NAME_MAX];
            snprintf(start, sizeof start, "%.200s-", bench_cast_name(options->operands[i]));
            snprintf(path, sizeof path, "%s/%s", options->images, entry->d_name);
            fine = strncmp(entry->d_name, start, strlen(start)) != 0 || apart_output(path, problem);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return fine;
}

// Writes the last frame as FOLDER/FILE-ISOVALUE-VIEW.png.
static bool bench_cast_save(
    struct bench_cast *bench, const struct view *view, uint32_t number, struct problem *problem)
{
    char path[2048], iso[32];
    snprintf(
        path, sizeof path, "%s/%.200s-%s-%s.png", bench->options->images,
        bench_cast_name(bench->session.path), number_text(view->isos[0], iso),
        frame_views[number].name);
    return frames_save(&bench->frames, view, path, problem);
}

// Casts with way i % ways from view i / ways. The round after the last one times the stages.
static bool bench_cast_turn(void *user, uint32_t i, uint32_t round, struct problem *problem)
{
    struct bench_cast *bench = user;
    const struct options *options = bench->options;
    const uint32_t way = i % bench->ways.count, v = i / bench->ways.count;
    const bool last = round > bench->repeat;
    const bool stages = last && options->view.rounds != CAST_ROUNDS_HOST;
    const bool damage = options->damage == DAMAGE_HITS && way == bench->ways.count - 1;
    struct view view = options->view;
    struct placement placement;
    struct frame frame;
    uint64_t differ;
    frames_look(&bench->frames, v, bench->shared->iso, options->view.rounds, &placement, &view);
    if (!frames_cast(&bench->frames, &bench->ways.ways[way], stages, &frame, problem) ||
        !frames_compare(&bench->frames, way == 0, damage, &differ, problem)) {
        return false;
    }
    if (bench->ways.ways[way].test && way > 0) {
        tests_count(&bench->frames, &frame.lost, &frame.misplaced);
    } else if (differ > 0) {
        return bench_cast_differs(bench, way, v, bench->shared->iso, differ, problem);
    }
    cast_times_note(&bench->times, way, v, round, &frame);
    return !options->images || round > 0 || way > 0 || bench_cast_save(bench, &view, v, problem);
}

static bool bench_cast_measure_iso(
    struct bench_cast *bench, const struct bench_row *shared, struct problem *problem)
{
    const bool stages = bench->plan->stages;
    const uint32_t count = bench->views * bench->ways.count;
    bench->shared = shared;
    bool fine = turns_run(count, bench->repeat, bench_cast_turn, bench, problem);
    for (uint32_t i = 0; fine && stages && i < count; i++) {
        fine = bench_cast_turn(bench, i, bench->repeat + 1, problem);
    }
    return fine &&
           cast_times_add_rows(&bench->times, &bench->ways, shared, stages, bench->table, problem);
}

static void bench_cast_rounds_text(uint32_t rounds, char text[12])
{
    if (rounds == CAST_ROUNDS_HOST) {
        snprintf(text, 12, "host");
    } else {
        snprintf(
            text, 12, "%u",
            rounds == CAST_ROUNDS_DEFAULT ? CAST_ROUNDS
            : rounds == CAST_ROUNDS_NONE  ? 0
                                          : rounds);
    }
}

static bool bench_cast_measure_volume(struct bench_cast *bench, struct problem *problem)
{
    struct bench_row shared = {
        .experiment = bench->experiment,
        .file = bench->session.path,
        .repeat = bench->repeat,
        .width = bench->width,
        .height = bench->height,
        .views = bench->views,
    };
    bench_cast_rounds_text(bench->options->view.rounds, shared.rounds);
    bench_table_device(bench->table, &bench->session.gpu);
    bench_cast_select_isos(bench);
    const bool lanes = bench->experiment && bench->experiment->lanes;
    const bool tests = bench->experiment && bench->experiment->tests;
    bool fine =
        ways_of(
            bench->plan, &bench->session.gpu, bench->experiment, bench->table, &bench->ways,
            problem) &&
        (!lanes || lanes_prepare(&bench->ways, bench->experiment, bench->table, problem)) &&
        (!tests || tests_prepare(&bench->ways, bench->experiment, bench->table, problem)) &&
        frames_open(
            &bench->session, bench->options, bench->ways.ways[0].caster, bench->width,
            bench->height, &bench->frames, problem) &&
        cast_times_create(bench->ways.count, bench->views, bench->repeat, &bench->times, problem);
    for (uint32_t i = 0; fine && i < bench->iso_count; i++) {
        shared.iso = bench->isos[i];
        fine = lanes ? lanes_measure(
                           &bench->frames, &bench->ways, bench->views, &bench->options->view,
                           &shared, bench->table, problem)
                     : bench_cast_measure_iso(bench, &shared, problem);
    }
    fine =
        fine &&
        (lanes || cast_times_add_sums(&bench->times, &bench->ways, &shared, bench->table, problem));
    cast_times_destroy(&bench->times);
    frames_close(&bench->frames);
    return fine;
}

static bool bench_cast_volumes(
    const struct options *options, const struct plan *plan, const struct experiment *experiment,
    struct bench_table *table, struct problem *problem)
{
    struct bench_cast *bench = calloc(1, sizeof *bench);
    if (!bench) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory");
    }
    *bench = (struct bench_cast){
        .options = options,
        .plan = plan,
        .experiment = experiment,
        .table = table,
        .width = options->width ? options->width : SIZE,
        .height = options->height ? options->height : SIZE,
        .views = options->views ? options->views : FRAMES_VIEWS,
        .repeat = bench_repeat(options),
    };
    bool fine = true;
    for (uint32_t i = 1; i <= MOST_VOLUMES && options->operands[i] && fine; i++) {
        struct session *session = &bench->session;
        *session = (struct session){ .draws = options->images };
        fine = session_read(session, options->operands[i], options, problem) &&
               session_open(session, options, problem) && bench_cast_measure_volume(bench, problem);
        fine = session_close(session, fine, problem);
    }
    free(bench);
    return fine;
}

static bool bench_cast_measure(
    const struct options *options, struct bench_table *table, struct problem *problem)
{
    bool fine = true;
    if (!options->has_rerun) {
        return bench_cast_volumes(options, &options->plan, NULL, table, problem);
    }
    for (uint32_t i = 0; fine && experiments[i].name; i++) {
        if (options->reruns[i] && experiments[i].casts) {
            struct plan plan;
            experiment_plan(&experiments[i], &plan);
            plan_override(&plan, &options->plan);
            fine = bench_cast_volumes(options, &plan, &experiments[i], table, problem);
        } else if (options->reruns[i]) {
            fine = bench_add_gap(
                table, &experiments[i], experiments[i].name, "it is one of bench compaction",
                problem);
        }
    }
    return fine;
}

bool bench_cast(const struct options *options, struct problem *problem)
{
    bool casts = !options->has_rerun;
    for (uint32_t i = 0; experiments[i].name; i++) {
        casts |= options->reruns[i] && experiments[i].casts;
    }
    if (!casts) {
        return problem_set(
            problem, PROBLEM_USAGE, "--rerun: these experiments are for bench compaction");
    }
    if ((uint64_t)options->width * options->height > MOST_PIXELS) {
        return problem_set(
            problem, PROBLEM_LIMIT, "--size: bench cast casts at most 2^26 pixels at a time");
    }
    return bench_cast_check_images(options, problem) &&
           bench_report(options, bench_cast_measure, problem);
}
