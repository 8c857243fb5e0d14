#include "app/cli/help.h"

#include "app/base/report.h"
#include "app/cli/option_table.h"
#include "app/settings/bindings.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/write.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#define TERM ".TP\n\\fB%\\fR\n%\n" // for manual_put_roff: a name, and what it means

// Escapes text for roff: hyphens can be copied, and no line is read as a macro. Line ends become
// spaces.
static void manual_put(FILE *out, const char *text, size_t length)
{
    static const char marks[] = "-\\'`^~\n";
    static const char *const escapes[] = { "\\-", "\\e", "\\(aq", "\\(ga", "\\(ha", "\\(ti", " " };
    for (size_t i = 0; i < length; i++) {
        const char *mark = strchr(marks, text[i]);
        if (mark) {
            fputs(escapes[mark - marks], out);
        } else {
            fprintf(out, "%s%c", i == 0 && text[i] == '.' ? "\\&" : "", text[i]);
        }
    }
}

// Writes the text without its last line end.
static void manual_put_text(FILE *out, const char *text)
{
    const size_t length = strlen(text);
    manual_put(out, text, length - (length > 0 && text[length - 1] == '\n'));
}

// Writes paragraphs. Indented lines are an example, which keeps its line ends.
static void manual_put_details(FILE *out, const char *text)
{
    bool example = false;
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchrnul(text, '\n');
        const bool indented = *text == ' ';
        if (end == text) {
            fputs(example ? ".fi\n.sp\n" : ".sp\n", out);
            example = false;
            continue;
        }
        if (indented != example) {
            fputs(indented ? ".nf\n" : ".fi\n", out);
            example = indented;
        }
        manual_put(out, text, (size_t)(end - text));
        fputc('\n', out);
    }
    if (example) {
        fputs(".fi\n", out);
    }
}

// Writes `roff`, in which each "%" is replaced by the next text, escaped.
static void manual_put_roff(FILE *out, const char *roff, ...)
{
    va_list texts;
    va_start(texts, roff);
    for (; *roff; roff++) {
        if (*roff == '%') {
            manual_put_text(out, va_arg(texts, const char *));
        } else {
            fputc(*roff, out);
        }
    }
    va_end(texts);
}

// Writes literal words in bold and placeholders in italics.
static void manual_put_value(FILE *out, const char *value)
{
    for (const char *at = value; *at;) {
        size_t length = strspn(at, "[]| =");
        if (length > 0) {
            manual_put(out, at, length);
        } else {
            length = strcspn(at, "[]| =");
            fputs(islower((unsigned char)*at) ? "\\fB" : "\\fI", out);
            manual_put(out, at, length);
            fputs("\\fR", out);
        }
        at += length;
    }
}

static void manual_put_words(FILE *out, words *list)
{
    struct word word;
    for (size_t i = 0; list(i, &word); i++) {
        manual_put_roff(out, TERM, word.text, word.summary ? word.summary : "");
    }
}

static void manual_put_methods(FILE *out)
{
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const struct promises promises = promises_of(method);
        manual_put_roff(
            out, TERM ".br\n%\n.br\n%\n", method->name, method->summary, method->paper,
            promises.text);
    }
}

static void manual_put_commands(FILE *out)
{
    for (int i = 0; i < COMMANDS; i++) {
        const struct command *command = &commands[i];
        manual_put_roff(out, ".TP\n.B %", command->name);
        if (*command->operands) {
            fputs("\\fR ", out);
            manual_put_value(out, command->operands);
        }
        manual_put_roff(out, "\n%.\n", command->summary);
        if (command->details) {
            fputs(".sp\n", out);
            manual_put_details(out, command->details);
        }
        if (command->operand) {
            struct word word;
            manual_put_value(out, command->operands);
            fputs(" is one of:\n.RS\n", out);
            for (size_t w = 0; command->operand(w, &word); w++) {
                manual_put_roff(out, ".IP \\fB%\\fR 18n\n%\n", word.text, word.summary);
            }
            fputs(".RE\n", out);
        }
    }
}

// Writes " (view, extract, render)", or nothing where every command takes the option or none does.
static void manual_put_takers(FILE *out, uint32_t takers)
{
    if (!takers || takers == (1u << COMMANDS) - 1) {
        return;
    }
    const char *gap = " (";
    for (int i = 0; i < COMMANDS; i++) {
        if (takers & 1u << i) {
            manual_put_roff(out, "%\\fB%\\fR", gap, commands[i].name);
            gap = ", ";
        }
    }
    fputc(')', out);
}

static void manual_put_option(FILE *out, const struct option_row *row)
{
    fputs(".TP\n", out);
    if (row->letter) {
        fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    }
    manual_put_roff(out, "\\fB%%\\fR", "--", row->name);
    if (row->value && row->value[0] == '[') {
        fputs("[=", out);
        manual_put_value(out, row->value + 1);
    } else if (row->value) {
        fputc(' ', out);
        manual_put_value(out, row->value);
    }
    fputc('\n', out);
    manual_put_text(out, row->help);
    manual_put_takers(out, row->commands);
    fputc('\n', out);
}

static void manual_put_options(FILE *out, bool for_tests)
{
    for (const struct option_row *row = option_rows(); row->name; row++) {
        if (row->for_tests == for_tests) {
            manual_put_option(out, row);
        }
    }
}

static void manual_put_keys(FILE *out)
{
    const char *group = "";
    for (const struct key_row *row = key_table; row->text; row++) {
        if (!row->keys) {
            continue;
        }
        if (strcmp(row->group, group) != 0) {
            group = row->group;
            manual_put_roff(out, ".SS %\n", group);
        }
        manual_put_roff(out, ".TP 18n\n\\fB%\\fR\n%\n", row->keys, row->text);
    }
}

static void manual_put_readers(FILE *out)
{
    for (size_t i = 0; i < reader_count; i++) {
        manual_put_roff(
            out, ".TP\n\\fB%\\fR (%)\n%\n", readers[i].name, readers[i].extensions,
            readers[i].summary);
    }
}

static void manual_put_exit_codes(FILE *out)
{
    for (const struct exit_code *row = exit_codes; row->text; row++) {
        char code[8];
        snprintf(code, sizeof code, "%d", row->code);
        manual_put_roff(out, ".TP\n.B %\n%\n", code, row->text);
    }
}

static void manual_put_title(FILE *out)
{
    fputs(".TH CUBIST 1 \"\" \"cubist " CUBIST_VERSION "\" \"User Commands\"\n", out);
}

static void manual_put_common_options(FILE *out)
{
    manual_put_options(out, false);
}

static void manual_put_test_options(FILE *out)
{
    manual_put_options(out, true);
}

// What replaces a line of the text that begins with `mark`.
static const struct {
    const char *mark;
    void (*put)(FILE *out);
    words *list; // used if `put` is NULL
} tables[] = {
    { "@title@", manual_put_title },
    { "@commands@", manual_put_commands },
    { "@options@", manual_put_common_options },
    { "@test-options@", manual_put_test_options },
    { "@keys@", manual_put_keys },
    { "@methods@", manual_put_methods },
    { "@readers@", manual_put_readers },
    { "@volume-formats@", NULL, word_volume_format },
    { "@mesh-formats@", NULL, word_mesh_format },
    { "@exit-codes@", manual_put_exit_codes },
};

void print_manual(FILE *out)
{
    for (const char *line = text_manual, *end; *line; line = end) {
        end = strchr(line, '\n') + 1;
        size_t i = 0;
        while (i < sizeof tables / sizeof *tables &&
               strncmp(line, tables[i].mark, strlen(tables[i].mark)) != 0) {
            i++;
        }
        if (i < sizeof tables / sizeof *tables && tables[i].list) {
            manual_put_words(out, tables[i].list);
        } else if (i < sizeof tables / sizeof *tables) {
            tables[i].put(out);
        } else {
            fwrite(line, 1, (size_t)(end - line), out);
        }
    }
}

void print_bindings(FILE *out)
{
    const char *group = NULL;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        if (!row->keys) {
            continue;
        }
        if (!group || strcmp(row->group, group) != 0) {
            fprintf(out, "%s%s:\n", group ? "\n" : "", row->group);
            group = row->group;
        }
        fprintf(out, "  %-18s%s\n", row->keys, row->text);
    }
    fputs("\nactions, by the names that the configuration has for them:\n", out);
    for (size_t i = 0; bindings_name_at(i); i++) {
        char keys[BINDINGS_LINE];
        fprintf(out, "  %-24s%s\n", bindings_name_at(i), bindings_keys(bindings_name_at(i), keys));
    }
}

void print_formats(FILE *out)
{
    fputs(
        "volumes read:\n"
        "  .raw .raw.gz            only samples; size and type from the name or --dims and --type\n"
        "  a folder                of PNG or TIFF slices\n"
        "  .png                    slices as tiles of one image, with --atlas\n",
        out);
    for (size_t i = 0; i < reader_count; i++) {
        fprintf(
            out, "  %-24s%s (%s)\n", readers[i].name, readers[i].summary, readers[i].extensions);
    }
    fputs("\nvolumes written:\n", out);
    word_print_list(word_volume_extension, 24, out);
    fputs("\nmeshes written:\n", out);
    word_print_list(word_mesh_extension, 24, out);
    fputs("\npictures written:\n  .png\n", out);
}
