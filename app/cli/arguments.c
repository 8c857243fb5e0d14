// Values are read after the command is known, so that `--iso` can mean a list.
#include "app/cli/option_table.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An option on the command line.
struct given {
    const struct option_row *row;
    const char *text;
};

struct line {
    struct given given[OPTION_ROWS]; // each row at most once
    size_t given_count;
    const char *operands[MOST_OPERANDS + 1];
    uint32_t operand_count;
    const char *surplus; // the first operand that is too many
    bool first_is_bare;  // the first operand came before any "--", so it may be a command
};

static void arguments_add_operand(struct line *line, const char *text, bool bare)
{
    if (line->operand_count == 0) {
        line->first_is_bare = bare;
    }
    if (line->operand_count <= MOST_OPERANDS) {
        line->operands[line->operand_count++] = text;
    } else if (!line->surplus) {
        line->surplus = text;
    }
}

static bool word_option(size_t index, struct word *out)
{
    if (index >= OPTION_ROWS || !option_rows()[index].name) {
        return false;
    }
    snprintf(out->text, sizeof out->text, "%s", option_rows()[index].name);
    return true;
}

static bool word_command(size_t index, struct word *out)
{
    static const char *const more[] = { "help", "version" };
    const size_t count = COMMANDS + sizeof more / sizeof *more;
    if (index >= count) {
        return false;
    }
    snprintf(
        out->text, sizeof out->text, "%s",
        index < COMMANDS ? commands[index].name : more[index - COMMANDS]);
    return true;
}

static bool arguments_unknown_option(const char *text, int letter, struct problem *problem)
{
    if (letter) {
        return problem_set(problem, PROBLEM_USAGE, "unknown option -%c; see cubist --help", letter);
    }
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
    size_t alike = 0;
    for (size_t i = 0; option_rows()[i].name; i++) {
        alike += option_row_is_first(&option_rows()[i]) &&
                 strncmp(option_rows()[i].name, name, strlen(name)) == 0;
    }
    if (alike > 1) {
        return problem_set(
            problem, PROBLEM_USAGE, "ambiguous option --%s; see cubist --help", name);
    }
    struct word near;
    if (word_nearest(NULL, word_option, name, &near)) {
        return problem_set(
            problem, PROBLEM_USAGE, "unknown option --%s; did you mean --%s? See cubist --help",
            name, near.text);
    }
    return problem_set(problem, PROBLEM_USAGE, "unknown option --%s; see cubist --help", name);
}

// PROBLEM_USAGE for a word that is not a command; suggests a similar command.
static bool arguments_unknown_command(const char *text, const char *what, struct problem *problem)
{
    struct word near;
    if (word_nearest(NULL, word_command, text, &near)) {
        return problem_set(
            problem, PROBLEM_USAGE, "%.80s is not %s; did you mean %s? See cubist --help", text,
            what, near.text);
    }
    return problem_set(problem, PROBLEM_USAGE, "%.80s is not %s; see cubist --help", text, what);
}

// Collects options and operands. Does not read the values.
static bool arguments_scan(int argc, char **argv, struct line *line, struct problem *problem)
{
    // "-": operands and options come in the order of the line. ":": a missing value is returned as
    // ':', and getopt_long prints nothing.
    char letters[2 * OPTION_ROWS + 3] = "-:";
    struct option longs[OPTION_ROWS + 1] = { 0 };
    for (size_t i = 0, at = 0; option_rows()[i].name; i++) {
        const struct option_row *row = &option_rows()[i];
        assert(i < OPTION_ROWS);
        if (!option_row_is_first(&option_rows()[i])) {
            continue;
        }
        longs[at++] = (struct option){
            .name = row->name,
            .has_arg = !row->value            ? no_argument
                       : row->value[0] == '[' ? optional_argument
                                              : required_argument,
            .val = 256 + (int)i,
        };
        if (row->letter) {
            const size_t length = strlen(letters);
            snprintf(
                letters + length, sizeof letters - length, "%c%s", row->letter,
                row->value ? ":" : "");
        }
    }
    opterr = 0;
    optind = 0; // glibc: start again
    for (int c; (c = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (c == 1) {
            arguments_add_operand(line, optarg, true);
            continue;
        }
        if (c == '?' && optopt < 256) {
            return arguments_unknown_option(argv[optind - 1], optopt, problem);
        }
        const int value = c == '?' || c == ':' ? optopt : c;
        const struct option_row *row = option_rows();
        while (value != (row->letter && value < 256 ? row->letter : 256 + (row - option_rows()))) {
            row++;
        }
        if (c == '?') {
            return problem_set(problem, PROBLEM_USAGE, "--%s takes no value", row->name);
        }
        if (c == ':') {
            return problem_set(
                problem, PROBLEM_USAGE, "--%s needs a value: %s", row->name, row->value);
        }
        // The next word is not a value if it is an option. --name=--value gives such a value.
        if (optarg && optarg == argv[optind - 1] && optarg[0] == '-' && optarg[1] &&
            (optarg[1] == '-' || (!optarg[2] && strchr(letters + 2, optarg[1])))) {
            return problem_set(
                problem, PROBLEM_USAGE, "--%s needs a value, not %.80s: %s", row->name, optarg,
                row->value);
        }
        for (size_t i = 0; i < line->given_count; i++) {
            if (line->given[i].row == row) {
                const bool list =
                    row->value && (strstr(row->value, "[,") || strstr(row->value, ",..."));
                return problem_set(
                    problem, PROBLEM_USAGE, "--%s was given twice%s%s", row->name,
                    list ? "; several values have commas between them: " : "",
                    list ? row->value : "");
            }
        }
        line->given[line->given_count++] = (struct given){ row, optarg };
    }
    for (int i = optind; i < argc; i++) {
        arguments_add_operand(line, argv[i], false);
    }
    return true;
}

// Whether --session was given. Then no FILE is needed, because the session names the volume.
static bool arguments_has_session(const struct line *line)
{
    size_t i = 0;
    while (i < line->given_count && strcmp(line->given[i].row->name, "session") != 0) {
        i++;
    }
    return i < line->given_count;
}

// Checks the first operand against the words of the command. *listed: whether it has such words.
static bool arguments_check_word(
    const struct command *command, const char *word, bool *listed, struct problem *problem)
{
    struct word first;
    char value[40];
    snprintf(value, sizeof value, "%.*s", (int)strcspn(command->operands, " "), command->operands);
    *listed = word_of_value(value, command->operand, 0, &first);
    return !*listed || word_find(value, command->operand, word) >= 0 ||
           word_refuse(command->name, value, command->operand, word, NULL, problem);
}

static bool arguments_check_operands(
    const struct options *options, const struct line *line, uint32_t first, struct problem *problem)
{
    const struct command *command = options->command;
    const uint32_t count = line->operand_count - first;
    const char *bare = first == 0 && line->first_is_bare ? line->operands[0] : NULL;
    struct word near;
    // A single word may be a missing file or a misspelt command. A file name has a dot or a slash.
    if (bare && access(bare, F_OK) != 0 &&
        (count > command->most ||
         (!strpbrk(bare, "./") && word_nearest(NULL, word_command, bare, &near)))) {
        return arguments_unknown_command(bare, "a command or a file", problem);
    }
    if (count < command->least && !arguments_has_session(line)) {
        return problem_set(
            problem, PROBLEM_USAGE, "%s needs %s; see cubist %s --help", command->name,
            command->operands, command->name);
    }
    if (count > command->most || line->surplus) {
        return problem_set(
            problem, PROBLEM_USAGE, "%s takes %s, not also %.80s%s", command->name,
            *command->operands ? command->operands : "no operand",
            count > command->most ? line->operands[first + command->most] : line->surplus,
            command->output ? "; the file to write is named by -o" : "");
    }
    bool listed;
    return arguments_check_word(command, line->operands[first], &listed, problem);
}

// Checks the operands of `help`: a command, and perhaps one of its words, as in help bench cast.
static bool arguments_check_help(
    const struct command *command, const struct line *line, struct problem *problem)
{
    bool listed = false;
    uint32_t most = 2;
    if (command && line->operand_count > 2) {
        if (!arguments_check_word(command, line->operands[2], &listed, problem)) {
            return false;
        }
        most += listed;
    }
    return line->operand_count <= most ||
           problem_set(
               problem, PROBLEM_USAGE, "help takes one command, not also %.80s",
               line->operands[most]);
}

// `cubist help [COMMAND]` and `cubist version` do what --help and --version do.
static bool arguments_by_word(
    const struct line *line, struct options *out, bool *found, struct problem *problem)
{
    const char *word = line->first_is_bare ? line->operands[0] : "";
    const bool help = strcmp(word, "help") == 0, version = strcmp(word, "version") == 0;
    *found = help || version;
    if (version) {
        out->print = PRINT_VERSION;
        return line->operand_count == 1 ||
               problem_set(
                   problem, PROBLEM_USAGE, "version takes no operand, not also %.80s",
                   line->operands[1]);
    } else if (help) {
        out->print = PRINT_HELP;
        const char *name = line->operands[1];
        if (name && (strcmp(name, "help") == 0 || strcmp(name, "version") == 0)) {
            name = NULL; // the overview explains them
        }
        out->command = name ? command_find(name) : NULL;
        return (!name || out->command || arguments_unknown_command(name, "a command", problem)) &&
               arguments_check_help(out->command, line, problem);
    }
    return true;
}

// Reads FILE::NAME, where there is a FILE but no FILE::NAME, as FILE --array NAME. An --array that
// is given applies.
static void arguments_split_array(struct line *line, struct options *out)
{
    char *path = (char *)out->operands[0], *at = path ? strstr(path, "::") : NULL; // of main's argv
    const struct option_row *row = option_find("array");
    if (!at || access(path, F_OK) == 0 || !option_row_for(row, out->command)) {
        return;
    }
    for (size_t i = 0; i < line->given_count; i++) {
        if (line->given[i].row == row) {
            return;
        }
    }
    *at = 0;
    if (access(path, F_OK) == 0) {
        line->given[line->given_count++] = (struct given){ row, at + 2 };
    } else {
        *at = ':';
    }
}

// Refuses options that exclude each other, and --to without --camera.
static bool arguments_check_pairs(const struct options *options, struct problem *problem)
{
    static const char *const others[] = { "view", "zoom" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (option_given(options, "camera") && option_given(options, others[i])) {
            return problem_set(
                problem, PROBLEM_USAGE,
                "--camera already states what --%s would change: give one of them", others[i]);
        }
    }
    if (options->motion.has_end && !option_given(options, "camera")) {
        return problem_set(
            problem, PROBLEM_USAGE, "--to needs --camera, which states where the movement begins");
    }
    const struct view *view = &options->view;
    const bool clips = planes_move(view->clips);
    return (!clips && !planes_move(view->sections)) ||
           command_id(options->command) == COMMAND_ANIMATE ||
           problem_set(
               problem, PROBLEM_USAGE, "--%s: only animate moves a plane from A to B",
               clips ? "clip" : "section");
}

bool arguments_parse(int argc, char **argv, struct options *out, struct problem *problem)
{
    *out = (struct options){ .iso_count = 1 };
    const char *env = getenv("CUBIST_VALIDATE");
    out->validate = env && strcmp(env, "1") == 0;
    out->argv = argv;
    // A completion script asks. The words after --complete are not options of this run.
    if (argc > 1 && strcmp(argv[1], "--complete") == 0) {
        out->print = PRINT_COMPLETIONS;
        return true;
    }
    struct line line = { 0 };
    if (!arguments_scan(argc, argv, &line, problem)) {
        return false;
    }
    bool by_word = false;
    if (!arguments_by_word(&line, out, &by_word, problem)) {
        return false;
    }
    if (by_word) {
        return true;
    }
    const struct command *named = line.first_is_bare ? command_find(line.operands[0]) : NULL;
    out->command = named ? named : &commands[COMMAND_VIEW];
    out->word = named ? line.operands[0] : NULL;
    for (size_t i = 0; i < line.given_count; i++) {
        const struct option_row *row = line.given[i].row;
        const struct reading reading = { row, line.given[i].text, out, problem };
        const bool prints = row->place == offsetof(struct options, print);
        if (row->at_once && (!prints || !out->print) && !option_read(&reading)) {
            return false;
        }
    }
    if (out->print) {
        out->command = named;
        return true;
    }
    if (!arguments_check_operands(out, &line, named ? 1 : 0, problem)) {
        return false;
    }
    for (uint32_t i = named ? 1 : 0, at = 0; i < line.operand_count; i++) {
        out->operands[at++] = line.operands[i];
    }
    arguments_split_array(&line, out);
    for (size_t i = 0; i < line.given_count; i++) {
        const char *name = line.given[i].row->name;
        const struct option_row *row = option_row_for(line.given[i].row, out->command);
        if (!row) {
            return problem_set(
                problem, PROBLEM_USAGE, "%s takes no --%s; see cubist %s --help",
                out->command->name, name, out->command->name);
        }
        const struct reading reading = { row, line.given[i].text, out, problem };
        if (!option_read(&reading)) {
            return false;
        }
        out->given[option_row_first(row)] = true;
    }
    return arguments_check_pairs(out, problem);
}
