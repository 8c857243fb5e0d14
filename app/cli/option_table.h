// The only table of options. getopt_long, every --help, the check of which command takes what, the
// man page and the shells' completions read it.
#pragma once

#include "app/cli/options.h"
#include "app/cli/words.h"

// An option on the command line that is being read.
struct reading {
    const struct option_row *row;
    const char *text;        // its value; NULL where it takes none
    struct options *options; // the command in them is set
    struct problem *problem;
};

struct option_row {
    const char *name;
    char letter;       // 0: none
    const char *value; // as in --help; NULL: takes none. "[...]": only after a "="
    uint32_t commands; // bit per enum command_id that takes it
    bool (*read)(const struct reading *reading);
    const char *help; // lines
    bool for_tests;
    bool may_differ; // between the processes of one command: it does not change the result
    bool at_once;    // needs no command: prints something and exits, or changes what is printed
    words *words;    // possible values, beside the literal words of `value`
    words *files;    // extensions of the files that it may be; NULL: any
    // For the functions that several rows use:
    size_t place, size;       // of a member of struct options, which is set
    size_t flag;              // option_read_word: the place of a bool that is set, too; 0: none
    unsigned first;           // option_read_word: the member's value for the first word
    uint64_t least, most;     // option_read_count, of the number; option_read_pair, of both
    uint32_t shift;           // option_read_count: the number is shifted left by so many bits
    bool square;              // option_read_pair: one number stands for both
    const char *expected;     // another value is refused so; NULL: as the function says it
    const struct setting *of; // option_read_setting: what it sets
    enum plan_list list;      // option_read_list
};

// The rows, ended by one without a name. An option that has different values for some commands has
// several rows. All of them have a value, or none has one; the first has the letter.
const struct option_row *option_rows(void);

// The first row of an option; NULL: there is no such option.
const struct option_row *option_find(const char *name);

// The number of the option's first row.
size_t option_row_first(const struct option_row *row);

// Whether no row before has the same name.
bool option_row_is_first(const struct option_row *row);

// The row that applies to the command; `first` is the option's first row. NULL where the command
// does not take the option.
const struct option_row *
option_row_for(const struct option_row *first, const struct command *command);

// Reads the value by the row's function, and keeps its text in the options.
bool option_read(const struct reading *reading);

// Whether the option was given on the command line.
bool option_given(const struct options *options, const char *name);
