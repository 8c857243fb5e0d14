#include "app/cli/help.h"

#include "app/cli/experiments.h"
#include "app/cli/option_table.h"
#include "app/ranks/ranks.h"

#include <string.h>

#define EVERY_COMMAND ((1u << COMMANDS) - 1)

static void help_put_row(const struct option_row *row, FILE *out)
{
    char left[96];
    const bool optional = row->value && row->value[0] == '[';
    snprintf(
        left, sizeof left, "  %c%c%s--%s%s%s", row->letter ? '-' : ' ',
        row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
        optional     ? "[="
        : row->value ? " "
                     : "",
        row->value ? row->value + optional : "");
    // The column of further lines, and of the help below an option that is too wide.
    fprintf(out, strlen(left) < 30 ? "%-30s" : "%s\n%30s", left, "");
    for (const char *at = row->help; *at;) {
        const char *end = strchrnul(at, '\n');
        fprintf(
            out, "%s%.*s\n", at == row->help ? "" : "                              ",
            (int)(end - at), at);
        at = *end ? end + 1 : end;
    }
}

// Prints the options that at least `least` and at most `most` of the commands in `bits` take.
static void
help_put_rows(uint32_t bits, int least, int most, bool for_tests, const char *title, FILE *out)
{
    bool begun = false;
    for (const struct option_row *row = option_rows(); row->name; row++) {
        const int takers = __builtin_popcount(row->commands & bits);
        if (takers >= least && takers <= most && row->for_tests == for_tests) {
            if (!begun) {
                fprintf(out, "\n%s:\n", title);
                begun = true;
            }
            help_put_row(row, out);
        }
    }
}

void print_help(const struct command *command, FILE *out)
{
    if (command) {
        const uint32_t bit = 1u << command_id(command);
        fprintf(
            out, "usage: cubist %s%s%s [options]\n\n%s\n", command->name,
            *command->operands ? " " : "", command->operands, command->summary);
        if (command->details) {
            fprintf(out, "\n%s", command->details);
        }
        if (command_id(command) == COMMAND_GENERATE) {
            fputs("\nNAME is one of:\n", out);
            word_print_list(word_generator, 18, out);
        }
        if (command_id(command) == COMMAND_BENCH) {
            fputs(
                "\n--rerun takes names of this list, separated by commas. A name without its "
                "figure, such "
                "as\nredzone, means all figures of that paper; `all` means the whole list:\n",
                out);
            word_print_list(word_rerun, 24, out);
            fputs("\n--image can make these:\n", out);
            word_print_list(word_image, 24, out);
        }
        help_put_rows(bit, 1, 1, false, "options", out);
        help_put_rows(bit, 1, 1, true, "for tests", out);
        return;
    }
    fputs(
        "usage: cubist [view] [FILE] [options]\n"
        "       cubist COMMAND [operands] [options]\n\n"
        "Isosurfaces of volumes, extracted on the GPU.\n\n"
        "commands:\n",
        out);
    for (int i = 0; i < COMMANDS; i++) {
        char left[64];
        snprintf(left, sizeof left, "  %s %s", commands[i].name, commands[i].operands);
        // If the command is too wide for its column, the summary starts on the next line.
        fprintf(
            out, strlen(left) < 24 ? "%-24s%s%s\n" : "%s\n%24s%s\n", left,
            strlen(left) < 24 ? "" : " ", commands[i].summary);
    }
    help_put_rows(EVERY_COMMAND, COMMANDS - 2, COMMANDS, false, "options of most commands", out);
    help_put_rows(EVERY_COMMAND, 0, 0, false, "options by themselves", out);
    fputs(
        "\ncubist help COMMAND, or cubist COMMAND --help, says more about a command. A file that\n"
        "has the name of a command is opened as ./info, or after --.\n\n"
        "FILE is a raw volume with its size in its name, such as bonsai_256x256x256_uint8.raw (or\n"
        ".raw.gz), any raw file with --dims and --type, a folder of slices, one image with\n"
        "--atlas, or a file in one of the formats of --list-formats. In the window it may also be\n"
        "a folder of volumes: the first one is opened.\n",
        out);
    if (ranks()->mpi) {
        fputs(
            "\nThis is cubist-mpi, which mpirun or srun starts as several processes. It has only "
            "the\n"
            "commands extract, info, render and devices; cubist has them all.\n",
            out);
    }
    fputs("\nexit codes:\n", out);
    for (const struct exit_code *row = exit_codes; row->text; row++) {
        fprintf(out, "  %-4d%s\n", row->code, row->text);
    }
}

void print_version(FILE *out)
{
    fputs("cubist " CUBIST_VERSION "\n", out);
}
