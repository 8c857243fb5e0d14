// A table of results, written where the options say.
#include "app/base/target.h"
#include "app/bench/bench.h"
#include "volumes/base/log.h"

#include <string.h>

bool bench_report(const struct options *options, bench_measure *measure, struct problem *problem)
{
    const bool to_stdout = options->csv && strcmp(options->csv, "-") == 0;
    if (to_stdout && options->json) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--json and --csv - both write to standard output: give only one of them");
    }
    struct output csv = { .fd = -1 };
    if (options->csv &&
        (!target_check(options->csv, NULL, problem) || !output_open(options->csv, &csv, problem))) {
        return false;
    }
    struct bench_table table = { 0 };
    const bool measured = measure(options, &table, problem);
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
    } else if (fine && !to_stdout && options->each) {
        bench_print_text(&table);
    } else if (fine && !to_stdout) {
        fine = bench_print_tables(&table, news);
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
