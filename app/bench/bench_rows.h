// The results of bench compaction and bench cast: one tidy table, as text, CSV or JSON.
#pragma once

#include "app/base/json.h"
#include "app/base/timings.h"
#include "app/cli/experiments.h"
#include "compute/gpu/gpu.h"
#include "volumes/base/output.h"

// One row of the table: for a stream, for a volume if `file` is set, or for rays if also `caster`
// is set. Zero and NULL mean that a column does not apply.
struct bench_row {
    const struct experiment *experiment; // NULL: the row is of no experiment
    const char *method;                  // "copy": the kernel that only copies
    const char *ran;   // the last method that `auto` selected; NULL: the method itself
    bool concatenated; // blocks are compacted separately, then concatenated
    const char *list;  // of removals: "given" or "made"
    uint32_t size, block, subgroup;
    uint32_t element; // bytes of an element of a stream
    uint32_t work;    // rounds of a hash that the predicate computes
    char pattern[32], image[264];
    uint32_t kept;
    double asked;        // percent of kept elements that was asked for; 0: the pattern fixes it
    double share;        // r of the Redzone paper, in percent
    const char *stage;   // NULL: all stages
    uint32_t repeat;     // timed runs
    struct timings time; // of the stage
    double copy_ms;      // median of a copy that moves as many bytes
    bool waits;          // workgroups wait for others, and count it:
    double spins, fallbacks, late; // see struct compaction_events; means of a run
    const char *file;              // path of the volume; NULL: a stream
    double iso;                    // of volumes and rays
    uint32_t isos;                 // in rows over all isovalues: their number
    double fps, fps_sd;
    // For rays:
    const char *caster, *form; // form: where the method compacts
    const char *test;          // the test of cells
    uint32_t leaf;             // requested cells along a side of a leaf; very large trees use more
    char rounds[12];           // "8", "host"
    uint32_t width, height, views;
    double cpu_ms;               // median CPU time of all threads
    double cpu_ratio;            // CPU time / that of the first way to cast, median over frames
    uint64_t lost, misplaced;    // pixels of all views that a test gets wrong
    uint64_t hits;               // of all views
    double busy;                 // percent of a subgroup's lanes that work, in rows about lanes
    uint32_t round;              // of a list, from 1
    double rays, rays_in_leaves; // in the list, means over the views
    // Columns that bench_add_row derives from others.
    const char *ran_name, *form_name, *stage_name; // as shown
    double density, removed, red_zone;             // k and r of the papers, in percent; NAN: none
    double per_s, copy_share;                      // elements per second; time of a copy / time
    uint64_t
        bytes; // element * (size + kept): what the smallest possible compaction reads and writes
};

// Something that was not measured, and why.
struct bench_gap {
    const struct experiment *experiment;
    char what[160], why[400];
};

struct bench_table {
    char device[256], driver[256];
    struct bench_row *rows;
    uint32_t row_count, row_room;
    struct bench_gap *gaps;
    uint32_t gap_count, gap_room;
};

// Sets the device's names. Call it before rows are added.
void bench_table_device(struct bench_table *table, const struct gpu *gpu);

bool bench_add_row(struct bench_table *table, const struct bench_row *row, struct problem *problem);
// Adds a gap, and prints a note on stderr.
bool bench_add_gap(
    struct bench_table *table, const struct experiment *experiment, const char *what,
    const char *why, struct problem *problem);
void bench_table_destroy(struct bench_table *table);

// Returns part / whole in percent.
double bench_percent(uint32_t part, uint32_t whole);

// Prints the row's experiment as a heading. Prints nothing if the row has no experiment.
void bench_print_experiment(const struct bench_row *row);
// Prints all rows, a line each.
void bench_print_text(const struct bench_table *table);
// Prints the results as tables, for example of methods by sizes. PROBLEM_HOST_MEMORY.
bool bench_print_tables(const struct bench_table *table, struct problem *problem);
bool bench_print_json(const struct bench_table *table, struct problem *problem);
bool bench_write_csv(
    const struct bench_table *table, struct output *output, struct problem *problem);
