#include "app/bench/bench_ways.h"

#include "compute/casting/wavefront.h"

#include <stdio.h>
#include <string.h>

const char *way_form(const struct way *way)
{
    const bool in_kernel = way->method && way->method->once && !way->caster->separate;
    return !way->method ? NULL : in_kernel ? "in kernel" : "own kernels";
}

const char *way_text(const struct way *way, char text[128])
{
    const bool leaf = way->caster->tree != CASTER_CUBES;
    char leaves[32] = "";
    if (leaf) {
        snprintf(leaves, sizeof leaves, ", leaves of %u", 1u << way->caster->leaf);
    }
    snprintf(
        text, 128, "%s%s%s%s%s", way->caster->name, way->method ? " with " : "",
        way->method ? way->method->name : "", way->caster->separate ? " in own kernels" : "",
        leaves);
    return text;
}

void way_row(const struct way *way, struct bench_row *row)
{
    row->caster = way->caster->name;
    row->method = way->method ? way->method->name : NULL;
    row->form = way_form(way);
    row->test = way->test;
    row->leaf = way->caster->tree == CASTER_CUBES ? 0 : 1u << way->caster->leaf;
    if (!way->caster->wavefront) {
        *row->rounds = '\0';
    }
}

static bool ways_add(
    struct ways *ways, const struct caster *caster, const struct method *method,
    struct problem *problem)
{
    if (ways->count == WAYS_MOST) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "these are more than %d ways to cast: name fewer casters, "
            "methods or leaves",
            WAYS_MOST);
    }
    ways->ways[ways->count++] = (struct way){ .caster = caster, .method = method };
    return true;
}

bool ways_add_caster(
    struct ways *ways, const struct caster *row, const struct method *const *methods,
    uint32_t method_count, struct problem *problem)
{
    if (ways->caster_count == CASTERS_MOST) {
        return problem_set(
            problem, PROBLEM_USAGE, "these are more than %d casters with their leaves: name fewer",
            CASTERS_MOST);
    }
    struct caster *caster = &ways->casters[ways->caster_count++];
    *caster = *row;
    bool fine = row->wavefront || ways_add(ways, caster, NULL, problem);
    for (uint32_t i = 0; fine && row->wavefront && i < method_count; i++) {
        fine = (row->separate && !methods[i]->once) || ways_add(ways, caster, methods[i], problem);
    }
    return fine;
}

// The methods of the plan that can compact rays; the default one if the plan names none.
static bool ways_methods(
    const struct plan *plan, const struct gpu *gpu, const struct experiment *experiment,
    struct bench_table *table, const struct method *methods[METHODS_MOST], uint32_t *count,
    struct problem *problem)
{
    const uint32_t asked = plan->all_methods ? method_count() : plan->method_count;
    *count = 0;
    if (asked == 0) {
        methods[(*count)++] = wavefront_method(NULL);
    }
    for (uint32_t i = 0; i < asked; i++) {
        const struct method *method = plan->all_methods ? method_at(i) : plan->methods[i];
        const char *why =
            method->selects ? "it has not measured lists of rays" : wavefront_refuses(gpu, method);
        if (!why) {
            methods[(*count)++] = method;
        } else if (!bench_add_gap(table, experiment, method->name, why, problem)) {
            return false;
        }
    }
    return true;
}

static bool ways_add_leaves(
    struct ways *ways, const struct plan *plan, struct caster row,
    const struct method *const *methods, uint32_t method_count, struct problem *problem)
{
    const bool leaves = row.tree != CASTER_CUBES && plan->leaf_count > 0;
    bool fine = true;
    for (uint32_t i = 0; fine && i < (leaves ? plan->leaf_count : 1); i++) {
        for (row.leaf = leaves ? 0 : row.leaf; leaves && 1u << row.leaf < plan->leaves[i];) {
            row.leaf++;
        }
        row.separate = false;
        fine = ways_add_caster(ways, &row, methods, method_count, problem);
        row.separate = plan->separate && row.wavefront;
        fine =
            fine && (!row.separate || ways_add_caster(ways, &row, methods, method_count, problem));
    }
    return fine;
}

bool ways_of(
    const struct plan *plan, const struct gpu *gpu, const struct experiment *experiment,
    struct bench_table *table, struct ways *out, struct problem *problem)
{
    const struct method *methods[METHODS_MOST];
    uint32_t method_count;
    const bool all = plan->all_casters || plan->caster_count == 0;
    *out = (struct ways){ 0 };
    if (!ways_methods(plan, gpu, experiment, table, methods, &method_count, problem)) {
        return false;
    }
    const struct caster *caster = all ? caster_next(NULL) : plan->casters[0];
    for (uint32_t i = 0; caster; i++) {
        if (!ways_add_leaves(out, plan, *caster, methods, method_count, problem)) {
            return false;
        }
        caster = all                          ? caster_next(caster)
                 : i + 1 < plan->caster_count ? plan->casters[i + 1]
                                              : NULL;
    }
    return out->count > 0 ||
           problem_set(problem, PROBLEM_USAGE, "none of these methods can compact rays");
}
