// The command line after it was read (see app/cli/option_table.h).
#pragma once

#include "app/base/isovalue.h"
#include "app/bench/bench_plan.h"
#include "app/bench/bench_reruns.h"
#include "app/cli/command.h"
#include "app/picture/view.h"
#include "compute/atlas.h"
#include "compute/compaction/compaction.h"
#include "compute/mesh/mesh_formats.h"
#include "volumes/formats/write.h"
#include "volumes/resample.h"

#include <stdio.h>

#define OPTIONS_ISOVALUES 64
#define OPTIONS_OPERANDS  17 // bench, and 16 volumes
#define OPTION_ROWS       96 // of the table of options, at most

// What verify changes in the device's result before it compares (for tests: it must notice each).
enum damage { DAMAGE_NONE, DAMAGE_DROP_CELL, DAMAGE_FLIP_INDEX, DAMAGE_MOVE_VERTEX };

// Zero means not given. Strings belong to argv.
struct options {
    const struct command *command;
    const char *operands[OPTIONS_OPERANDS + 1]; // of the command, NULL where absent
    // --help, --version and the like: prints something and exits. NULL: runs the command.
    void (*print)(const struct command *command, FILE *out);
    bool json, validate;
    bool verbose; // prints more on stderr
    bool quiet;   // prints only errors on stderr, and no report beside an output
    const char *device;
    struct volume_params volume;
    struct atlas_params atlas;
    struct isovalue isos[OPTIONS_ISOVALUES]; // [0] is auto where none was given
    uint32_t iso_count;                      // at least 1
    const struct method *method;             // NULL: not given, or all
    bool all_methods;                        // --method all; of bench: see `plan`
    bool has_iso;                            // --iso was given
    const char *output;
    uint64_t memory_budget;                    // bytes of device memory; 0: all that is free
    const struct mesh_format *mesh_format;     // of --format; NULL: by the extension of `output`
    const struct volume_format *volume_format; // the same for convert
    struct resample_params resample;           // for convert
    bool gzip;
    uint32_t width, height;
    struct view view; // the fields that options set directly
    bool transparent;
    uint32_t repeat;
    double against[OPTIONS_ISOVALUES]; // milliseconds of another program; one for all, or one each
    uint32_t against_count;            // 0: none
    uint32_t check;                    // streams; 0: none
    uint64_t seed;
    bool quick;
    bool every_brick; // visit all bricks, also those that the isovalue misses
    const char *trace;
    uint64_t exit_after;
    enum damage damage;
    struct plan plan;         // for bench compaction; bench extract uses its methods
    bool reruns[EXPERIMENTS]; // which of `experiments`
    bool has_rerun;
    const char *csv;
    bool given[OPTION_ROWS]; // by the option's first row; see options_given
};

// Whether the option was given on the command line.
bool options_given(const struct options *options, const char *name);

// Reads the command line. PROBLEM_USAGE for what is not understood, PROBLEM_INPUT for a size or
// distance that no volume can have, PROBLEM_LIMIT for one that is too large. Does not use the
// device.
bool options_parse(int argc, char **argv, struct options *out, struct problem *problem);

// Prints the help of a command; NULL: of the whole program.
void options_help(const struct command *command, FILE *out);

// Prints the program's name and version.
void options_version(const struct command *command, FILE *out);

// The row that applies to the command; `first` is the option's first row. NULL where the command
// does not take the option.
struct option_row;
const struct option_row *
option_row_for(const struct option_row *first, const struct command *command);

// Whether no row before has the same name.
bool option_row_is_first(const struct option_row *row);
