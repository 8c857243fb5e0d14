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
#define OPTION_ROWS       160    // most rows of the table of options
#define MOST_RANKS        100000 // most ranks in --plan

// Errors that verify makes in the device's result before it compares. For tests: it must find each.
enum damage {
    DAMAGE_NONE,
    DAMAGE_DROP_CELL,
    DAMAGE_FLIP_INDEX,
    DAMAGE_MOVE_VERTEX,
    DAMAGE_HITS, // drops two hits; this and the following values are for rays
    DAMAGE_DEPTHS,
    DAMAGE_CELLS,
    DAMAGE_SIDES,
    DAMAGE_CONTOURS, // only where there are several
    DAMAGE_BYTES,    // changes hits of the last way to cast, if it is not the first one
};

// What the program prints instead of running the command: --help, --version and the like.
enum print {
    PRINT_NOTHING, // the command runs
    PRINT_HELP,
    PRINT_VERSION,
    PRINT_BINDINGS,
    PRINT_FORMATS,
    PRINT_MANUAL, // the values of --print begin here
    PRINT_BASH,
    PRINT_ZSH,
    PRINT_FISH,
    PRINT_COMPLETIONS, // for --complete
};

struct session_file;

// What animate moves.
struct motion {
    double turn;    // degrees around the vertical
    bool has_sweep; // the isovalues move from options.isos to `ends`
    struct isovalue ends[CONTOURS_MOST];
    bool planes;  // planes of the view move
    bool has_end; // the camera moves to `end`
    struct pose end;
    const char *to; // a session file with the last view, not read yet; NULL: none
    uint32_t frames, fps;
    uint32_t from; // the first frame to make
};

// What --plan assumes about the machines. 0: not given.
struct plan_rates {
    bool given;
    double ranks, node, shares;         // processes; processes on a node; shares of the volume
    double read, write, system, voxels; // per second: bytes that a node reads, and writes; bytes
                                        // of the file system; voxels of a process
    double vertices;                    // vertices per voxel
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
    struct isovalue isos[OPTIONS_ISOVALUES]; // [0] is auto if none was given; of the contours, too
    uint32_t iso_count;                      // at least 1
    const struct method *method;             // NULL: not given, or not one; bench: plan.methods
    bool has_iso;                            // --iso was given
    const char *output;
    uint64_t memory_budget;                    // bytes of device memory; 0: all that is free
    uint32_t pieces;                           // of a .pvtp file; 0: the size of the mesh decides
    const struct mesh_format *mesh_format;     // --format; NULL: the extension of `output` decides
    const struct volume_format *volume_format; // --format of a volume; NULL: as for a mesh
    struct resample_params resample;           // for convert
    bool gzip;
    const char *resume;      // for extract: the folder of shares; NULL: none
    bool steal;              // each rank takes the next job when it is free
    uint32_t share, shares;  // for extract: K and N of --share K/N
    struct plan_rates rates; // for extract --plan
    uint32_t width, height;
    struct view view; // only the fields that options set are filled
    struct motion motion;
    bool bench_draws[DRAWS]; // what bench view draws; none set: triangles
    uint32_t repeat;
    double against[OPTIONS_ISOVALUES]; // ms of another program: one for all isovalues, or one each
    uint32_t against_count;            // 0: none
    bool notes;                        // of methods: how they differ from their papers
    uint32_t check;                    // number of streams; 0: none
    uint64_t seed;
    bool quick;
    bool no_config;
    const char *warning;               // about the configuration; "": none
    const struct options *line;        // what the command line alone gives; NULL: this struct
    bool forgets;                      // last views of files are neither saved nor restored
    json_t *texts;                     // owns texts of sessions that are read later
    const struct problem *missing;     // why the session's volume was not found; NULL: it was
    const char *session;               // path of the session file; NULL: none
    struct session_file *session_file; // the open session file; NULL: none
    const char *trace;
    uint64_t exit_after;
    bool watch; // load the file again when it changes
    enum damage damage;
    struct plan plan;         // for bench; bench extract uses only .methods, verify also .casters
    bool reruns[EXPERIMENTS]; // which of `experiments`
    bool has_rerun;
    const char *csv;
    bool each;               // for bench: print each measurement, not the tables
    uint32_t views;          // for bench cast; 0: all
    const char *images;      // for bench cast: the folder of its pictures; NULL: none
    bool given[OPTION_ROWS]; // index: the option's first row; see option_given
    // The texts of the values, also of options from a session; index: as in `given`. "": the option
    // takes no value. NULL: it was not given.
    const char *values[OPTION_ROWS];
};

// Whether to print a report, as text or JSON. --quiet omits a text report beside an output file.
static inline bool options_report(const struct options *options)
{
    return options->json || !options->quiet || !options->output;
}

// Reads the command line by the tables of commands and options (arguments.c). PROBLEM_USAGE for
// what is not understood, PROBLEM_INPUT for a size or distance that no volume can have,
// PROBLEM_LIMIT for one that is too large. Does not use the device.
bool arguments_parse(int argc, char **argv, struct options *out, struct problem *problem);
