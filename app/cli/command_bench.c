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
    "size",        "density",  "pattern", "image", "threshold", "block", "subgroup-size",
    "concatenate", "removals", "stages",  "rerun", "csv",       NULL,
};

static const char *const of_extraction[] = { "against", "memory-budget", NULL };

// The first of the names that was given on the command line; NULL: none.
static const char *bench_given(const struct options *options, const char *const *names)
{
    while (*names && !option_given(options, *names)) {
        names++;
    }
    return *names;
}

bool command_bench(const struct options *options, struct problem *problem)
{
    const char *which = options->operands[0], *name;
    if (strcmp(which, "calibrate") == 0) {
        if (options->operands[1]) {
            return problem_set(
                problem, PROBLEM_USAGE, "bench calibrate takes no FILE, not %.80s",
                options->operands[1]);
        }
        name = bench_given(options, of_volumes);
        name = name ? name : bench_given(options, of_extraction);
        name = name ? name : bench_given(options, of_streams);
        name = name ? name : option_given(options, "method") ? "method" : NULL;
        return name ? problem_set(problem, PROBLEM_USAGE, "bench calibrate takes no --%s", name)
                    : bench_calibrate(options, problem);
    }
    name = bench_given(options, of_calibration);
    if (name) {
        return problem_set(problem, PROBLEM_USAGE, "--%s is for bench calibrate", name);
    }
    if (strcmp(which, "extract") == 0) {
        if (!options->operands[1]) {
            return problem_set(problem, PROBLEM_USAGE, "bench extract needs FILE");
        }
        if (options->operands[2]) {
            return problem_set(
                problem, PROBLEM_USAGE, "bench extract takes one FILE, not also %.80s",
                options->operands[2]);
        }
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
    name = bench_given(options, of_volumes);
    if (name && !options->operands[1]) {
        return problem_set(
            problem, PROBLEM_USAGE, "--%s is for a FILE, and none was given to bench compaction",
            name);
    }
    return bench_compaction(options, problem);
}
