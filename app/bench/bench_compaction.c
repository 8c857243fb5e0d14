// Measures the methods on streams, as the papers do.
#include "app/bench/bench.h"

#include "app/cli/session.h"
#include "compute/compaction/compaction.h"

#include <string.h>

// Makes the plan from the experiment, the options, and defaults for what is not given.
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
    if (plan.element_count == 0) {
        plan.elements[plan.element_count++] = 4;
    }
    if (plan.work_count == 0) {
        plan.works[plan.work_count++] = 0;
    }
    if (!plan.has_threshold) {
        plan.threshold = 50;
    }
    return plan;
}

// Measures all streams on one device. bench_volumes opens a device for each volume.
static bool bench_compaction_measure_streams(
    const struct options *options, struct bench_table *table, struct problem *problem)
{
    struct session session = { 0 };
    bool fine = session_open(&session, options, problem) &&
                compaction_offers(&session.gpu, options->plan.subgroup_size, problem);
    if (fine) {
        bench_table_device(table, &session.gpu);
    }
    const uint32_t repeat = bench_repeat(options);
    if (fine && !options->has_rerun) {
        const struct plan plan = bench_compaction_plan_of(options, NULL);
        fine = bench_streams(&session.gpu, &plan, NULL, repeat, table, problem);
    }
    for (uint32_t i = 0; fine && experiments[i].name; i++) {
        if (options->reruns[i] && !experiments[i].volumes && !experiments[i].casts) {
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
    bool streams = !options->has_rerun, volumes = false, casts = false;
    for (uint32_t i = 0; experiments[i].name; i++) {
        const struct experiment *row = &experiments[i];
        streams |= options->reruns[i] && !row->volumes && !row->casts;
        volumes |= options->reruns[i] && row->volumes;
        casts |= options->reruns[i] && row->casts;
    }
    if (casts && !streams && !volumes) {
        return problem_set(problem, PROBLEM_USAGE, "--rerun: these experiments are for bench cast");
    }
    if (options->operands[1] && !volumes) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "bench compaction takes FILEs only for --rerun ink-extraction, not also %.80s",
            options->operands[1]);
    }
    if (volumes && !streams && !options->operands[1]) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--rerun ink-extraction measures volumes: name one FILE or several");
    }
    if (streams && !bench_compaction_measure_streams(options, table, problem)) {
        return false;
    }
    for (uint32_t i = 0; experiments[i].name; i++) {
        if (options->reruns[i] && experiments[i].casts &&
            !bench_add_gap(
                table, &experiments[i], experiments[i].name, "it is one of bench cast", problem)) {
            return false;
        }
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
    return bench_compaction_blocks_matter(options, problem) &&
           bench_report(options, bench_compaction_measure, problem);
}
