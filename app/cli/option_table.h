// The one table of options. getopt_long, every --help, the check of what a command takes, the man
// page and the completions of the shells read it.
#pragma once

#include "app/cli/options.h"
#include "app/cli/words.h"

// An option on the command line, about to be read.
struct reading {
    const char *name;        // of the option
    const char *text;        // its value, NULL where it takes none
    struct options *options; // with the command known
    struct problem *problem;
    size_t setting; // of the row
};

struct option_row {
    const char *name;
    char letter;       // 0: none
    const char *value; // as --help shows it; NULL: takes none. "[...]": only after a "="
    uint32_t commands; // bit per enum command_id that takes it
    bool (*read)(const struct reading *reading);
    const char *help; // lines
    bool for_tests;
    bool at_once;   // prints something and ends: needs no command, wins over all else
    words *words;   // what the value may be, beside the small words of `value`
    words *files;   // endings of the files that it may be; NULL: any
    size_t setting; // of a switch that needs no more: its bool's place in struct options
};

// Ended by a row without a name. An option that commands take differently has several rows, all
// with a value or all without one, the letter in the first.
extern const struct option_row option_rows[];
