// The only table of options. These read it: getopt_long, every --help, the check which command
// takes which option, the man page, and the completions of the shells.
#pragma once

#include "app/cli/options.h"
#include "app/cli/words.h"

// An option on the command line that is being read.
struct reading {
    const struct option_row *row;
    const char *text;        // the value; NULL: the option takes none
    struct options *options; // options->command is already set
    struct problem *problem;
};

struct option_row {
    const char *name;
    char letter;       // 0: none
    const char *value; // its form, as in --help; NULL: no value. "[...]": optional, after "="
    uint32_t commands; // one bit for each enum command_id that takes the option
    bool (*read)(const struct reading *reading);
    const char *help; // one line or several
    bool for_tests;
    bool may_differ; // the processes of one command may differ in it: the result is the same
    bool at_once;    // needs no command: prints something and exits, or changes what is printed
    words *words;    // possible values, besides the literal words in `value`
    words *files;    // extensions of files that the value may name; NULL: any
    // Parameters of the `read` functions that several rows share:
    size_t place, size;       // offset and size of the member of struct options to set
    size_t flag;              // option_read_word: offset of a bool to set to true; 0: none
    unsigned first;           // option_read_word: the member's value for the first word;
                              // option_read_count: is added to the number
    uint64_t least, most;     // option_read_count: range of the number; option_read_pair: of both
    uint32_t shift;           // option_read_count: the number is shifted left by this many bits
    bool square;              // option_read_pair: one number stands for both
    const char *expected;     // what the error message says is expected; NULL: the function decides
    const struct setting *of; // option_read_setting: the setting to set
    enum plan_list list;      // option_read_list: the list to fill
};

// The rows; a row without a name ends them. An option has several rows if its values differ between
// commands. Either all of these rows have a value or none has. The first has the letter.
const struct option_row *option_rows(void);

// The first row of an option; NULL: there is no such option.
const struct option_row *option_find(const char *name);

// The index in option_rows() of the first row of the row's option.
size_t option_row_first(const struct option_row *row);

// Whether the row is the first one of its option.
bool option_row_is_first(const struct option_row *row);

// The row of the option for this command; `first` is the first row of the option. NULL: the command
// does not take the option.
const struct option_row *
option_row_for(const struct option_row *first, const struct command *command);

// Reads the value by the row's function, and stores its text in options->values.
bool option_read(const struct reading *reading);

// Whether the option was given on the command line.
bool option_given(const struct options *options, const char *name);
