// Every option of the table is in the digest that the processes of one command compare, or says in
// its row that they may have it differently. An option that is new is tried, too.
// ctest: plain
#include "app/cli/option_digest.h"

#include "app/cli/options.h"
#include "app/cli/option_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Among these, the literal words of the row and its list of words, each value has two that it
// takes.
static const char *const values[] = {
    "1",
    "2",
    "50%",
    "1,2,3",
    "3,2,1",
    "8x8",
    "4x4",
    "4x4x4",
    "1:2,1:2,1:2",
    "0:2,1:2,1:2",
    "1/2",
    "2/2",
    "0,0,0,1,0,0,0,1",
    "0,0,0,2,0,0,0,1",
    "ranks=2",
    "ranks=3",
    "16",
    "32",

    "a.json",
    "b.json",
    "x=50%",
    "y=50%",
    "10:20",
    "p1:p99",
};

// Digests of `cubist COMMAND FILE [--NAME=VALUE]`. False: it is refused.
static bool
digests_with(const char *command, const char *name, const char *value, struct option_digest *out)
{
    struct options options;
    struct problem problem;
    char option[300];
    char *argv[8] = { "cubist" };
    int argc = 1;
    if (command) {
        argv[argc++] = (char *)command;
        // What an option needs beside it.
        if (name && strcmp(name, "to") == 0) {
            argv[argc++] = "--camera=0,0,0,1,0,0,0,1";
        }
    }
    if (name) {
        snprintf(option, sizeof option, "--%s%s%s", name, value ? "=" : "", value ? value : "");
        argv[argc++] = option;
    }
    const struct command *row = command ? command_find(command) : NULL;
    for (uint32_t i = 0; row && i < row->least; i++) {
        struct word word;
        char first[40];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(row->operands, " "), row->operands);
        static char texts[8][80];
        const bool listed = i == 0 && word_of_value(first, row->operand, 0, &word);
        snprintf(texts[i], sizeof texts[i], "%s", listed ? word.text : "file.nrrd");
        argv[argc++] = texts[i];
    }
    const bool fine = arguments_parse(argc, argv, &options, &problem);
    if (fine) {
        option_digest_list(&options, out);
    }
    return fine;
}

static bool digests_differ(const struct option_digest *a, const struct option_digest *b)
{
    for (size_t i = 0; i < OPTION_DIGESTS; i++) {
        if (a[i].hash != b[i].hash) {
            return true;
        }
    }
    return false;
}

// The next value that the row takes, from number *at on. False: there is none.
static bool
next_value(const struct option_row *row, const char *command, size_t *at, struct option_digest *out)
{
    const size_t count = sizeof values / sizeof *values;
    for (struct word word;; (*at)++) {
        const bool literal = *at >= count;
        if (literal && !word_of_value(row->value, row->words, *at - count, &word)) {
            return false;
        }
        if (digests_with(command, row->name, literal ? word.text : values[*at], out)) {
            (*at)++;
            return true;
        }
    }
}

// The six that a person may give to one process alone.
static bool is_local(const char *name)
{
    static const char *const names[] = {
        "device", "memory-budget", "verbose", "quiet", "validate", "storage",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_row(const struct option_row *row, const char *command)
{
    static struct option_digest without[OPTION_DIGESTS], one[OPTION_DIGESTS], other[OPTION_DIGESTS];
    const char *of = command ? command : "all";
    // Some options can have one word only.
    const bool several = row->value && strpbrk(row->value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ|");
    const bool moves = strcmp(row->name, "to") == 0;
    size_t at = 0;
    const bool taken = row->value ? next_value(row, command, &at, one)
                                  : digests_with(command, row->name, NULL, one);
    if (!taken || (several && !next_value(row, command, &at, other)) ||
        !digests_with(command, moves ? "camera" : NULL, "0,0,0,1,0,0,0,1", without)) {
        fail_msg("add two values of --%s of %s to this test", row->name, of);
    }
    if (digests_differ(without, one) == row->may_differ ||
        (several && digests_differ(one, other) == row->may_differ)) {
        fail_msg("--%s of %s is %scompared", row->name, of, row->may_differ ? "" : "not ");
    }
}

static void every_option_is_compared_or_may_differ(void **state)
{
    (void)state;
    for (const struct option_row *row = option_rows(); row->name; row++) {
        assert_int_equal(row->may_differ, is_local(row->name));
        if (row->commands == 0) {
            check_row(row, NULL);
        }
        for (int command = 0; command < COMMANDS; command++) {
            if (row->commands & 1u << command) {
                check_row(row, commands[command].name);
            }
        }
    }
}

// A text is compared to its end, beyond what a message shows.
static void the_whole_text_counts(void **state)
{
    (void)state;
    static struct option_digest a[OPTION_DIGESTS], b[OPTION_DIGESTS];
    char name[200];
    memset(name, 'x', sizeof name);
    name[199] = 0;
    assert_true(digests_with("render", "output", name, a));
    name[198] = 'y';
    assert_true(digests_with("render", "output", name, b));
    assert_true(digests_differ(a, b));
    assert_true(digests_with("render", "output", name, a));
    assert_false(digests_differ(a, b));
}

static void the_command_counts(void **state)
{
    (void)state;
    static struct option_digest a[OPTION_DIGESTS], b[OPTION_DIGESTS];
    assert_true(digests_with("info", NULL, NULL, a));
    assert_true(digests_with("extract", NULL, NULL, b));
    assert_true(digests_differ(a, b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_is_compared_or_may_differ),
        cmocka_unit_test(the_whole_text_counts),
        cmocka_unit_test(the_command_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
