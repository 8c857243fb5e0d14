// The benches, and which options each of them takes.
#include "app/bench/bench.h"
#include "app/cli/option_table.h"

#include <string.h>

static const char *const of_calibration[] = { "check", "seed", "quick", NULL };
static const char *const of_extraction[] = { "against", "memory-budget", NULL };
static const char *const of_rays[] = {
    "caster", "rounds", "leaf", "separate", "views", "images", "break", NULL,
};
static const char *const of_pictures[] = { "draw", "frames", "samples", NULL };
static const char *const of_streams[] = {
    "density", "pattern",       "image",       "seeds",    "threshold", "element",
    "block",   "subgroup-size", "concatenate", "removals", "work",      NULL,
};
static const char *const of_tables[] = { "stages", "rerun", "csv", "long", NULL };
static const char *const of_volumes[] = {
    "iso",  "dims",    "type",  "endian", "offset",     "spacing", "atlas",      "slices",  "array",
    "time", "channel", "level", "gaps",   "axis-index", "storage", "max-extent", "no-skip", NULL,
};
static const char *const of_size[] = { "size", NULL };
static const char *const of_method[] = { "method", NULL };
static const char *const of_skipping[] = { "no-skip", NULL };
static const char *const of_repeat[] = { "repeat", NULL };

enum { REFUSALS = 8 };

static const struct bench {
    const char *name;
    command_run *run;
    uint32_t least, most;                 // number of FILEs
    bool pixels;                          // --size is in pixels, WxH
    const char *const *own;               // options that only this bench takes
    const char *const *refuses[REFUSALS]; // lists of options that this bench does not take
    const char *why;                      // the end of the message
} benches[] = {
    {
        .name = "extract",
        .run = bench_extract,
        .least = 1,
        .most = 1,
        .own = of_extraction,
        .refuses = { of_size, of_streams, of_tables },
        .why = "; it is for bench compaction",
    },
    {
        .name = "view",
        .run = bench_view,
        .least = 1,
        .most = 1,
        .pixels = true,
        .own = of_pictures,
        .refuses = { of_streams, of_tables, of_repeat, of_skipping },
    },
    {
        .name = "cast",
        .run = bench_cast,
        .least = 1,
        .most = MOST_VOLUMES,
        .pixels = true,
        .own = of_rays,
        .refuses = { of_streams, of_extraction, of_pictures, of_skipping },
    },
    {
        .name = "compaction",
        .run = bench_compaction,
        .most = MOST_VOLUMES,
    },
    {
        .name = "calibrate",
        .run = bench_calibrate,
        .own = of_calibration,
        .refuses = { of_volumes, of_extraction, of_size, of_streams, of_tables, of_pictures,
                     of_method },
    },
};
enum { BENCHES = sizeof benches / sizeof *benches };

// The first of the names that was given on the command line; NULL: none.
static const char *bench_given(const struct options *options, const char *const *names)
{
    while (names && *names && !option_given(options, *names)) {
        names++;
    }
    return names ? *names : NULL;
}

static bool
bench_check_files(const struct bench *bench, const struct options *options, struct problem *problem)
{
    const char *const *files = options->operands + 1;
    if (bench->least > 0 && !files[0]) {
        return problem_set(problem, PROBLEM_USAGE, "bench %s needs FILE", bench->name);
    }
    return bench->most > 1 || !files[bench->most] ||
           problem_set(
               problem, PROBLEM_USAGE, "bench %s takes %s %.80s", bench->name,
               bench->most ? "one FILE, not also" : "no FILE, not", files[bench->most]);
}

static bool bench_check_options(
    const struct bench *bench, const struct options *options, struct problem *problem)
{
    if (!bench->pixels && bench->most > 0 && options->width) { // most 0: --size is refused below
        return problem_set(problem, PROBLEM_USAGE, "--size of pixels, WxH, is for bench view");
    }
    for (int i = 0; i < REFUSALS; i++) {
        const char *name = bench_given(options, bench->refuses[i]);
        if (name) {
            return problem_set(
                problem, PROBLEM_USAGE, "bench %s takes no --%s%s", bench->name, name,
                bench->why ? bench->why : "");
        }
    }
    for (int i = 0; i < BENCHES; i++) {
        const char *name = &benches[i] == bench ? NULL : bench_given(options, benches[i].own);
        if (name) {
            return problem_set(
                problem, PROBLEM_USAGE, "--%s is for bench %s", name, benches[i].name);
        }
    }
    if (bench->pixels && option_given(options, "size") && !options->width) {
        return problem_set(
            problem, PROBLEM_USAGE, "--size of bench %s: expected WIDTHxHEIGHT in pixels",
            bench->name);
    }
    const char *name = options->operands[1] ? NULL : bench_given(options, of_volumes);
    return !name || problem_set(
                        problem, PROBLEM_USAGE,
                        "--%s is for a FILE, and none was given to bench %s", name, bench->name);
}

bool bench_command(const struct options *options, struct problem *problem)
{
    const struct bench *bench = benches;
    while (strcmp(bench->name, options->operands[0]) != 0) {
        bench++; // arguments_parse accepts no other word
    }
    if (!bench_check_files(bench, options, problem) ||
        !bench_check_options(bench, options, problem)) {
        return false;
    }
    return bench->run(options, problem);
}
