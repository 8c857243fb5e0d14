// The table of commands: their names, operands and help. The function of a command is in a file
// command_NAME.c. Each program in app/programs lists the functions that it runs. So a program that
// only reads this table does not link the commands.
#pragma once

#include "app/cli/words.h"
#include "volumes/base/problem.h"

#include <stdint.h>

#define MOST_VOLUMES  16    // of bench
#define MOST_SHARES   10000 // of merge
#define MOST_OPERANDS MOST_SHARES

struct options;

// In a row of the option table, bit 1 << command_id says that the command takes the option.
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
};

// Data goes to stdout, everything else to stderr. On false the problem is set and main prints it.
typedef bool command_run(const struct options *options, struct problem *problem);

extern const struct command commands[COMMANDS];

// The main function of all programs in app/programs (program.c). Reads the command line, runs the
// command, prints the problem. Returns the exit code. `runs` has the function of each command, or
// NULL if the program does not have the command.
int program_main(int argc, char **argv, command_run *const runs[COMMANDS]);

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

command_run command_view, command_info, command_extract, command_merge, command_render,
    command_animate, command_verify, command_convert, command_generate, command_devices,
    command_methods, command_bench;

// Writes a picture of the surface, as the viewer shows it first, to `target`. Called by render, and
// by view without a display. `path` NULL: the generated default volume. `placed`: NULL, or as in
// output_open_new.
bool render_picture(
    const char *path, const struct options *options, const char *target, char *placed,
    struct problem *problem);
