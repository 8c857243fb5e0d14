// What the files of bench share.
#pragma once

#include "app/bench/bench_rows.h"
#include "app/cli/options.h"

// Number of timed runs without --repeat.
#define BENCH_REPEAT 9

// Runs the bench that the first operand names, after a check of its options.
command_run bench_command;

command_run bench_extract, bench_view, bench_cast, bench_compaction, bench_calibrate;
command_run bench_parts; // bench extract with --memory-budget

static inline uint32_t bench_repeat(const struct options *options)
{
    return options->repeat ? options->repeat : BENCH_REPEAT;
}

// Opens the outputs that the options name, lets `measure` fill a table, and writes the table. If
// the user interrupts, standard output gets the finished rows, and a file is left unchanged,
// because it may hold an older, complete table.
typedef bool
bench_measure(const struct options *options, struct bench_table *table, struct problem *problem);
bool bench_report(const struct options *options, bench_measure *measure, struct problem *problem);

// Measures all streams of a plan on an open device and adds rows to the table. `experiment` may be
// NULL.
bool bench_streams(
    struct gpu *gpu, const struct plan *plan, const struct experiment *experiment, uint32_t repeat,
    struct bench_table *table, struct problem *problem);

// Measures the whole extraction of each volume on the command line.
bool bench_volumes(
    const struct options *options, const struct plan *plan, const struct experiment *experiment,
    struct bench_table *table, struct problem *problem);
