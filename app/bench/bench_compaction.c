// Measures the methods on streams, as the papers do.
#include "app/bench/bench.h"

#include "app/base/target.h"
#include "app/cli/session.h"
#include "compute/compaction/subgroups.h"
#include "volumes/base/log.h"

#include <string.h>

// Makes the plan from the options, and from defaults where they say nothing.
static struct plan
bench_compaction_plan_of(const struct options *options, const struct experiment *experiment)
{
    struct plan plan;
    if (experiment) {
        experiment_plan(experiment, &plan);
    } else {
        plan = (struct plan){ .all_methods = true };
    }
    plan_override(&plan, &options->plan);
    if (plan.size_count == 0) {
        plan.sizes[plan.size_count++] = 4u << 20;
    }
    if (plan.density_count == 0) {
        plan.densities[plan.density_count++] = 10;
        plan.densities[plan.density_count++] = 50;
        plan.densities[plan.density_count++] = 90;
    }
    if (plan.pattern_count == 0 && plan.image_count == 0) {
        plan.patterns[plan.pattern_count++] = (struct pattern){ .kind = PATTERN_RANDOM };
    }
    if (plan.block_count == 0) {
        plan.blocks[plan.block_count++] = BLOCK_DEFAULT;
    }
    if (!plan.has_threshold) {
        plan.threshold = 50;
    }
    return plan;
}

// Measures all streams on one device. Volumes open their own.
static bool bench_compaction_measure_streams(
    const struct options *options, struct bench_table *table, struct problem *problem)
{
    struct session session = { 0 };
    bool fine = session_open(&session, options, problem) &&
                subgroups_offered(&session.gpu, options->plan.subgroup_size, problem);
    if (fine) {
        bench_table_device(table, &session.gpu);
    }
    const uint32_t repeat = bench_repeat(options);
    if (fine && !options->has_rerun) {
        const struct plan plan = bench_compaction_plan_of(options, NULL);
        fine = bench_streams(&session.gpu, &plan, NULL, repeat, table, problem);
    }
    for (uint32_t i = 0; fine && experiments[i].name; i++) {
        if (options->reruns[i] && !experiments[i].volumes) {
            const struct plan plan = bench_compaction_plan_of(options, &experiments[i]);
            fine = bench_streams(&session.gpu, &plan, &experiments[i], repeat, table, problem);
        }
    }
    return session_close(&session, fine, problem);
}

// Whether at least one of the named methods uses --block.
static bool bench_compaction_blocks_matter(const struct options *options, struct problem *problem)
{
    const struct plan *plan = &options->plan;
    bool matter = plan->block_count == 0 || plan->method_count == 0 || options->has_rerun;
    for (uint32_t i = 0; i < plan->method_count; i++) {
        matter |= plan->methods[i]->blocks;
    }
    if (matter) {
        return true;
    }
    char names[200] = "";
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (method->blocks && strlen(names) + strlen(method->name) + 3 < sizeof names) {
            strcat(strcat(names, *names ? ", " : ""), method->name);
        }
    }
    return problem_set(
        problem, PROBLEM_USAGE, "--block: %s has no blocks; those that have are %s",
        plan->methods[0]->name, names);
}

static bool bench_compaction_measure(
    const struct options *options, struct bench_table *table, struct problem *problem)
{
    bool streams = !options->has_rerun, volumes = false;
    for (uint32_t i = 0; experiments[i].name; i++) {
        streams |= options->reruns[i] && !experiments[i].volumes;
        volumes |= options->reruns[i] && experiments[i].volumes;
    }
    if (options->operands[1] && !volumes) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "bench compaction takes FILEs only for --rerun ink-table-1, not also %.80s",
            options->operands[1]);
    }
    if (volumes && !streams && !options->operands[1]) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--rerun ink-table-1 measures volumes: name one FILE or several");
    }
    if (streams && !bench_compaction_measure_streams(options, table, problem)) {
        return false;
    }
    for (uint32_t i = 0; experiments[i].name; i++) {
        if (!options->reruns[i] || !experiments[i].volumes) {
            continue;
        }
        const struct plan plan = bench_compaction_plan_of(options, &experiments[i]);
        if (!(options->operands[1] ? bench_volumes(options, &plan, &experiments[i], table, problem)
                                   : bench_add_gap(
                                         table, &experiments[i], experiments[i].name,
                                         "no FILE was named", problem))) {
            return false;
        }
    }
    return volumes || table->row_count > 0 || table->gap_count == 0 ||
           problem_set(
               problem, PROBLEM_LIMIT, "nothing was measured, since everything was left out: %s",
               table->gaps[0].why);
}

bool bench_compaction(const struct options *options, struct problem *problem)
{
    const bool to_stdout = options->csv && strcmp(options->csv, "-") == 0;
    if (to_stdout && options->json) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--json and --csv - both go to standard output: only one of them");
    }
    if (!bench_compaction_blocks_matter(options, problem)) {
        return false;
    }
    struct output csv = { .fd = -1 };
    if (options->csv &&
        (!target_check(options->csv, NULL, problem) || !output_open(options->csv, &csv, problem))) {
        return false;
    }
    struct bench_table table = { 0 };
    const bool measured = bench_compaction_measure(options, &table, problem);
    // When the user stops it, standard output gets the rows of the finished streams. A file is left
    // unchanged, because an old one may hold a complete table.
    const bool stopped = problem->kind == PROBLEM_INTERRUPTED && table.row_count > 0;
    bool fine = measured || stopped;
    struct problem *const news = measured ? problem : &(struct problem){ 0 };
    if (options->csv) {
        if (measured || to_stdout) {
            fine = fine && bench_write_csv(&table, &csv, news) && output_commit(&csv, news);
        }
        output_abort(&csv);
    }
    if (fine && options->json) {
        fine = bench_print_json(&table, news);
    } else if (fine && !to_stdout) {
        bench_print_text(&table);
    }
    if (fine && stopped) {
        log_note(
            "stopped: standard output has the %u rows that were measured until then%s%s%s",
            table.row_count, options->csv && !to_stdout ? ", " : "",
            options->csv && !to_stdout ? options->csv : "",
            options->csv && !to_stdout ? " is unchanged" : "");
    }
    bench_table_destroy(&table);
    return fine && measured;
}
