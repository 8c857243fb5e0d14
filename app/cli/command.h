// The commands of the program: a table. Each row's command is in a file command_NAME.c.
#pragma once

#include "app/cli/words.h"
#include "volumes/base/problem.h"

#include <stdint.h>

#define MOST_VOLUMES  16    // of bench
#define MOST_SHARES   10000 // of merge
#define MOST_OPERANDS MOST_SHARES

struct options;

// Also the bits by which a row of the option table says which commands take it (option_table.c).
enum command_id {
    COMMAND_VIEW,
    COMMAND_INFO,
    COMMAND_EXTRACT,
    COMMAND_MERGE,
    COMMAND_RENDER,
    COMMAND_ANIMATE,
    COMMAND_VERIFY,
    COMMAND_CONVERT,
    COMMAND_GENERATE,
    COMMAND_DEVICES,
    COMMAND_METHODS,
    COMMAND_BENCH,
    COMMANDS,
};

struct command {
    const char *name;
    const char *operands; // as in --help: "FILE"; "" where there are none
    uint32_t least, most; // how many operands
    const char *summary;  // one line
    const char *details;  // further lines of --help; may be NULL
    words *operand;       // the possible operands, where they are not files
    words *input;         // file extensions of operands; NULL: those of volumes
    words *output;        // file extensions for -o
    bool (*run)(const struct options *options, struct problem *problem);
};

extern const struct command commands[COMMANDS];

struct exit_code {
    int code;
    const char *text; // NULL ends the list
};

extern const struct exit_code exit_codes[];

// NULL when no command has this name.
const struct command *command_find(const char *name);

static inline enum command_id command_id(const struct command *command)
{
    return (enum command_id)(command - commands);
}

// Data goes to stdout, everything else to stderr. On false the problem is set and main prints it.
bool command_view(const struct options *options, struct problem *problem);
bool command_info(const struct options *options, struct problem *problem);
bool command_extract(const struct options *options, struct problem *problem);
bool command_merge(const struct options *options, struct problem *problem);
bool command_render(const struct options *options, struct problem *problem);
bool command_animate(const struct options *options, struct problem *problem);
bool command_verify(const struct options *options, struct problem *problem);
bool command_convert(const struct options *options, struct problem *problem);
bool command_generate(const struct options *options, struct problem *problem);
bool command_devices(const struct options *options, struct problem *problem);
bool command_methods(const struct options *options, struct problem *problem);
bool command_bench(const struct options *options, struct problem *problem);

// Writes the surface to `target`, as the viewer would show it on opening. render calls it, and view
// where there is no display. `path` NULL: the generated default volume. `placed`: NULL, or as in
// output_open_new.
bool render_picture(
    const char *path, const struct options *options, const char *target, char *placed,
    struct problem *problem);
