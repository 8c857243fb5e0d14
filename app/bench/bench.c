// The benches, and which options each of them takes.
#include "app/bench/bench.h"
#include "app/cli/option_table.h"

#include <string.h>

static const char *const of_calibration[] = { "check", "seed", "quick", NULL };

static const char *const of_volumes[] = {
    "iso",    "dims",  "type",    "endian",     "offset",  "spacing", "atlas",
    "slices", "array", "storage", "max-extent", "no-skip", NULL,
};
static const char *const of_streams[] = {
    "size", // bench view has a size, too
    "density",     "pattern",  "image",  "threshold", "block", "subgroup-size",
    "concatenate", "removals", "stages", "rerun",     "csv",   NULL,
};
static const char *const of_streams_alone[] = {
    "density",       "pattern",     "image",    "threshold", "block",
    "subgroup-size", "concatenate", "removals", NULL,
};

static const char *const of_extraction[] = { "against", "memory-budget", NULL };
static const char *const of_rays[] = {
    "caster", "rounds", "leaf", "separate", "views", "images", "break", NULL,
};
static const char *const of_pictures[] = { "draw", "frames", "samples", NULL };

// The first of the names that was given on the command line; NULL: none.
static const char *bench_given(const struct options *options, const char *const *names)
{
    while (*names && !option_given(options, *names)) {
        names++;
    }
    return *names;
}

static bool bench_check_view(const struct options *options, struct problem *problem)
{
    const char *const *names = of_streams + 1; // without the size
    const char *name = bench_given(options, names);
    name = name ? name : options->repeat ? "repeat" : options->every_brick ? "no-skip" : NULL;
    if (name) {
        return problem_set(problem, PROBLEM_USAGE, "bench view takes no --%s", name);
    }
    if (option_given(options, "size") && !options->width) {
        return problem_set(
            problem, PROBLEM_USAGE, "--size of bench view: expected WIDTHxHEIGHT in pixels");
    }
    if (options->iso_count > 1 || options->plan.method_count > 1 || options->plan.all_methods) {
        return problem_set(
            problem, PROBLEM_USAGE, "bench view takes one --%s",
            options->iso_count > 1 ? "iso" : "method");
    }
    return bench_view(options, problem);
}

static bool bench_check_cast(const struct options *options, struct problem *problem)
{
    const char *name = bench_given(options, of_streams_alone);
    name = name ? name : bench_given(options, of_extraction);
    name = name ? name : bench_given(options, of_pictures);
    name = name ? name : options->every_brick ? "no-skip" : NULL;
    if (name) {
        return problem_set(problem, PROBLEM_USAGE, "bench cast takes no --%s", name);
    }
    if (!options->operands[1]) {
        return problem_set(problem, PROBLEM_USAGE, "bench cast needs FILE");
    }
    if (option_given(options, "size") && !options->width) {
        return problem_set(
            problem, PROBLEM_USAGE, "--size of bench cast: expected WIDTHxHEIGHT in pixels");
    }
    return bench_cast(options, problem);
}

bool bench_command(const struct options *options, struct problem *problem)
{
    const char *which = options->operands[0], *name;
    if (strcmp(which, "cast") != 0 && (name = bench_given(options, of_rays))) {
        return problem_set(problem, PROBLEM_USAGE, "--%s is for bench cast", name);
    }
    if (strcmp(which, "calibrate") == 0) {
        if (options->operands[1]) {
            return problem_set(
                problem, PROBLEM_USAGE, "bench calibrate takes no FILE, not %.80s",
                options->operands[1]);
        }
        name = bench_given(options, of_volumes);
        name = name ? name : bench_given(options, of_extraction);
        name = name ? name : bench_given(options, of_streams);
        name = name ? name : bench_given(options, of_pictures);
        name = name ? name : option_given(options, "method") ? "method" : NULL;
        return name ? problem_set(problem, PROBLEM_USAGE, "bench calibrate takes no --%s", name)
                    : bench_calibrate(options, problem);
    }
    name = bench_given(options, of_calibration);
    if (name) {
        return problem_set(problem, PROBLEM_USAGE, "--%s is for bench calibrate", name);
    }
    if (strcmp(which, "cast") == 0) {
        return bench_check_cast(options, problem);
    }
    const bool extracts = strcmp(which, "extract") == 0, views = strcmp(which, "view") == 0;
    if (extracts || views) {
        if (!options->operands[1]) {
            return problem_set(problem, PROBLEM_USAGE, "bench %s needs FILE", which);
        }
        if (options->operands[2]) {
            return problem_set(
                problem, PROBLEM_USAGE, "bench %s takes one FILE, not also %.80s", which,
                options->operands[2]);
        }
    }
    name = views ? NULL : bench_given(options, of_pictures);
    if (name || (!views && options->width)) {
        return problem_set(
            problem, PROBLEM_USAGE, "--%s is for bench view", name ? name : "size of pixels, WxH,");
    }
    if (extracts) {
        name = bench_given(options, of_streams);
        return name ? problem_set(
                          problem, PROBLEM_USAGE,
                          "bench extract takes no --%s; it is for bench compaction", name)
               : options->memory_budget ? bench_parts(options, problem)
                                        : bench_extract(options, problem);
    }
    name = bench_given(options, of_extraction);
    if (name) {
        return problem_set(problem, PROBLEM_USAGE, "--%s is for bench extract", name);
    }
    if (views) {
        return bench_check_view(options, problem);
    }
    name = bench_given(options, of_volumes);
    if (name && !options->operands[1]) {
        return problem_set(
            problem, PROBLEM_USAGE, "--%s is for a FILE, and none was given to bench compaction",
            name);
    }
    return bench_compaction(options, problem);
}
