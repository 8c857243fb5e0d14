// The command line after it was read.
#pragma once

#include "app/base/isovalue.h"
#include "app/base/json.h"
#include "app/cli/bench_plan.h"
#include "app/cli/command.h"
#include "app/cli/experiments.h"
#include "app/settings/view.h"
#include "compute/atlas.h"
#include "compute/casting/caster.h"
#include "compute/compaction/compaction.h"
#include "compute/mesh/mesh_formats.h"
#include "volumes/formats/write.h"
#include "volumes/resample.h"

#define OPTIONS_ISOVALUES 64
#define OPTION_ROWS       128    // of the table of options, at most
#define MOST_RANKS        100000 // of --plan

// What verify changes in the device's result before it compares (for tests: it must notice each).
enum damage {
    DAMAGE_NONE,
    DAMAGE_DROP_CELL,
    DAMAGE_FLIP_INDEX,
    DAMAGE_MOVE_VERTEX,
    DAMAGE_HITS, // from here on of rays: drops two hits
    DAMAGE_DEPTHS,
    DAMAGE_CELLS,
    DAMAGE_SIDES,
    DAMAGE_BYTES, // of the last caster, if it is not the first one
};

// What the program prints instead of running the command: --help, --version and the like.
enum print {
    PRINT_NOTHING, // the command runs
    PRINT_HELP,
    PRINT_VERSION,
    PRINT_BINDINGS,
    PRINT_FORMATS,
    PRINT_MANUAL, // from here on the values of --print
    PRINT_BASH,
    PRINT_ZSH,
    PRINT_FISH,
    PRINT_COMPLETIONS, // of --complete
};

struct session_file;

// What animate moves.
struct motion {
    double turn;    // degrees around the vertical
    bool has_sweep; // through the isovalues from isos[0]
    struct isovalue sweep_end;
    bool has_end; // to another camera
    struct pose end;
    const char *to; // a session with the last view, not read yet; NULL: none
    uint32_t frames, fps;
    uint32_t from; // the first frame to make
};

// What --plan assumes of the machines. 0: not given.
struct plan_rates {
    bool given;
    double ranks, node, shares;         // processes; processes on a node; shares of the volume
    double read, write, system, voxels; // per second: bytes of a node, twice; bytes of the file
                                        // system; voxels of a process
    double vertices;                    // per voxel
};

// Zero means not given. Strings belong to argv.
struct options {
    const struct command *command;
    char **argv;      // of main, ended by NULL
    const char *word; // the element of argv that names the command; NULL: none does
    const char *operands[MOST_OPERANDS + 1]; // of the command, NULL where absent
    enum print print;
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
    uint32_t pieces;                           // of a .pvtp file; 0: by the size of the mesh
    const struct mesh_format *mesh_format;     // of --format; NULL: by the extension of `output`
    const struct volume_format *volume_format; // the same for convert
    struct resample_params resample;           // for convert
    bool gzip;
    const char *resume;      // for extract: the folder of shares; NULL: none
    bool steal;              // each rank takes the next job when it is free
    uint32_t share, shares;  // for extract: number `share` of `shares`, from 1
    struct plan_rates rates; // for extract
    uint32_t width, height;
    struct view view; // the fields that options set directly
    struct motion motion;
    bool bench_draws[DRAWS]; // what bench view draws; neither: triangles
    uint32_t repeat;
    double against[OPTIONS_ISOVALUES]; // milliseconds of another program; one for all, or one each
    uint32_t against_count;            // 0: none
    uint32_t check;                    // streams; 0: none
    uint64_t seed;
    bool quick;
    bool no_config;
    const char *warning;               // about the configuration; "": none
    const struct options *line;        // the command line alone; NULL: this is it
    bool forgets;                      // the last views of files are not kept
    json_t *texts;                     // keeps texts of sessions that are read later
    const struct problem *missing;     // the session's volume is not there; NULL: it is
    const char *session;               // the session's file
    struct session_file *session_file; // the same, open; NULL: none
    const char *trace;
    uint64_t exit_after;
    bool watch; // load the file again when it changes
    enum damage damage;
    struct plan plan;         // for bench; bench extract uses only its methods, verify its casters
    bool reruns[EXPERIMENTS]; // which of `experiments`
    bool has_rerun;
    const char *csv;
    uint32_t views;          // for bench cast; 0: all
    const char *images;      // for bench cast: the folder of its pictures; NULL: none
    bool given[OPTION_ROWS]; // by the option's first row; see option_given
    // The same with those of a session: the texts of their values, "" where they take none; NULL:
    // not given.
    const char *values[OPTION_ROWS];
};

// Whether a report is asked for, as text or JSON. --quiet leaves it out where a file is written.
static inline bool options_report(const struct options *options)
{
    return options->json || !options->quiet || !options->output;
}

// Reads the command line by the tables of commands and options (arguments.c). PROBLEM_USAGE for
// what is not understood, PROBLEM_INPUT for a size or distance that no volume can have,
// PROBLEM_LIMIT for one that is too large. Does not use the device.
bool arguments_parse(int argc, char **argv, struct options *out, struct problem *problem);
