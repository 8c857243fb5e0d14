#include "app/cli/help.h"

#include "app/cli/option_table.h"

#include <string.h>

// The word that is being typed, and what the words before it say about it.
struct typed {
    const char *word;
    const struct command *command;   // NULL: not named yet
    const struct option_row *option; // the word is the value of this option; NULL: of none
    unsigned place;                  // the number of operands before the word
    bool ended;                      // "--" came before the word
    bool given[OPTION_ROWS];         // index: the option's first row
};

// The first row of the option in a word such as "--type=uint8" or "-o". NULL: there is none.
static const struct option_row *completions_option(const char *word)
{
    const struct option_row *row = option_rows();
    const size_t length = word[1] == '-' ? strcspn(word + 2, "=") : 0;
    while (row->name &&
           (length > 0 ? strlen(row->name) != length || strncmp(row->name, word + 2, length) != 0
                       : !row->letter || row->letter != word[1] || word[2])) {
        row++;
    }
    return row->name ? row : NULL;
}

// The option's row for this command. An option that needs no command has one row. NULL: not taken.
static const struct option_row *
completions_row(const struct option_row *first, const struct command *command)
{
    return first->commands ? option_row_for(first, command) : first;
}

// Reads the option line[i]. Returns the index of its value, or `i` if the value is not a separate
// word. An optional value needs a "=".
static size_t completions_read_option(char *const *line, size_t i, struct typed *typed)
{
    const struct option_row *row = completions_option(line[i]);
    const bool joined = strcmp(line[i + 1], "=") == 0;
    if (row) {
        typed->given[row - option_rows()] = true;
    }
    if (!joined && (!row || !row->value || row->value[0] == '[' || strchr(line[i], '='))) {
        return i;
    }
    i += joined && line[i + 2] ? 2 : 1;
    typed->option = line[i + 1] ? NULL : row;
    return i;
}

static void completions_read(char *const *line, struct typed *typed)
{
    size_t i = 0;
    for (; line[i] && line[i + 1]; i++) {
        if (!typed->ended && strcmp(line[i], "--") == 0) {
            typed->ended = true;
        } else if (!typed->ended && line[i][0] == '-' && line[i][1]) {
            i = completions_read_option(line, i, typed);
        } else if (typed->ended || typed->command || typed->place > 0) {
            typed->place++;
        } else {
            typed->command = command_find(line[i]);
            typed->place = !typed->command;
        }
    }
    typed->word = line[i] ? line[i] : "";
    if (!typed->ended && strncmp(typed->word, "--", 2) == 0 && strchr(typed->word, '=')) {
        typed->option = completions_option(typed->word);
    }
}

// Prints a line of the answer. Several lines of help become one.
static void completions_put(FILE *out, const char *before, const char *word, const char *help)
{
    fprintf(out, "%s%s\t", before, word);
    for (; help && *help; help++) {
        fputc(*help == '\n' ? ' ' : *help, out);
    }
    fputc('\n', out);
}

// Prints what a value or an operand may be. `endings` NULL: any file.
static void completions_put_value(FILE *out, const char *form, words *more, words *endings)
{
    struct word word;
    fprintf(out, ":%s\n", form);
    for (size_t i = 0; word_of_value(form, more, i, &word); i++) {
        completions_put(out, "", word.text, word.summary);
    }
    if (strstr(form, "FILE")) {
        fputc('/', out);
        for (size_t i = 0; endings && endings(i, &word); i++) {
            fprintf(out, "%s%s", i ? " " : "", word.text);
        }
        fputc('\n', out);
    }
}

// Prints the options that the command takes, without those that were given.
static void
completions_put_options(FILE *out, const struct typed *typed, const struct command *command)
{
    for (const struct option_row *first = option_rows(); first->name; first++) {
        const struct option_row *row = completions_row(first, command);
        if (!row || !option_row_is_first(first) || typed->given[first - option_rows()]) {
            continue;
        }
        if (first->letter) {
            completions_put(out, "-", (char[]){ first->letter, 0 }, row->help);
        }
        completions_put(out, "--", row->name, row->help);
    }
}

// Prints what operand number `place`, counted from 0, of a command may be.
static void completions_put_operand(FILE *out, const struct command *command, unsigned place)
{
    const char *at = command->operands;
    char operand[64];
    size_t length = strcspn(at, " ");
    // The last operand may be repeated: "FILE...".
    for (; place > 0 && *at && !memmem(at, length, "...", 3); place--) {
        at += length + (at[length] == ' ');
        length = strcspn(at, " ");
    }
    snprintf(operand, sizeof operand, "%.*s", (int)length, at);
    if (*operand) {
        completions_put_value(
            out, operand, command->operand, command->input ? command->input : word_input_extension);
    }
}

void completions_answer(char *const *line, FILE *out)
{
    struct typed typed = { 0 };
    completions_read(line, &typed);
    const struct command *command = typed.command ? typed.command : &commands[COMMAND_VIEW];
    const struct option_row *row = typed.option ? completions_row(typed.option, command) : NULL;
    if (row && row->value) {
        completions_put_value(
            out, row->value, row->words, row->letter == 'o' ? command->output : row->files);
    } else if (*typed.word == '-' && !typed.ended) {
        completions_put_options(out, &typed, command);
    } else if (!row) {
        for (int c = 0; !typed.command && typed.place == 0 && !typed.ended && c < COMMANDS; c++) {
            completions_put(out, "", commands[c].name, commands[c].summary);
        }
        completions_put_operand(out, command, typed.place);
    }
}
