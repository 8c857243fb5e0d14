// All three shells need the same: which command is on the line, which options it takes, and what
// their values may be. Without a command it is `view`. A value or an operand is a literal word from
// the tables, or a file with one of certain extensions.
#include "app/cli/completions.h"

#include "app/cli/option_table.h"

#include <string.h>

static bool completions_is_file(const char *value)
{
    return value && strstr(value, "FILE");
}

// Whether the operand may come several times: "FILE...".
static bool completions_repeats(const char *operand)
{
    const size_t length = strlen(operand);
    return length > 3 && strcmp(operand + length - 3, "...") == 0;
}

enum { OPERAND = 64 }; // bytes of an operand as text, at most

// The operand at a place (0, 1) of the command's "extract FILE". False after the last.
static bool completions_operand_at(const struct command *command, unsigned place, char out[OPERAND])
{
    const char *at = command->operands;
    for (; place > 0 && *at; place--) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    snprintf(out, OPERAND, "%.*s", (int)strcspn(at, " "), at);
    return *at;
}

// The extensions for a file: for the operand if `row` is NULL, else for the option's value. NULL:
// any file.
static words *completions_endings(const struct command *command, const struct option_row *row)
{
    if (!row) {
        return command->input ? command->input : word_input_extension;
    }
    return row->letter == 'o' ? command->output : row->files;
}

// The row for an option of this command, or of an option without a command. NULL: not taken.
static const struct option_row *
completions_row_of(const struct option_row *first, const struct command *command)
{
    return first->commands ? option_row_for(first, command) : first;
}

// The next row of an option, each option once. `at` begins at -1.
static const struct option_row *completions_next_option(int *at)
{
    do {
        ++*at;
    } while (option_rows()[*at].name && !option_row_is_first(&option_rows()[*at]));
    return option_rows()[*at].name ? &option_rows()[*at] : NULL;
}

static void completions_put_words(FILE *out, const char *value, words *more, const char *gap)
{
    struct word word;
    for (size_t i = 0; word_of_value(value, more, i, &word); i++) {
        fprintf(out, "%s%s", i ? gap : "", word.text);
    }
}

// Whether there is any word.
static bool completions_has_words(const char *value, words *more)
{
    struct word word;
    return word_of_value(value, more, 0, &word);
}

static void completions_put_endings(FILE *out, words *kinds, const char *gap)
{
    struct word word;
    for (size_t i = 0; kinds(i, &word); i++) {
        fprintf(out, "%s%s", i ? gap : "", word.text);
    }
}

static bool completions_takes_value(const struct option_row *row)
{
    return row->value && row->value[0] != '[';
}

// The options whose value is the next word.
static void completions_put_valued(FILE *out, const char *between)
{
    const char *gap = "";
    int at = -1;
    for (const struct option_row *first; (first = completions_next_option(&at));) {
        if (completions_takes_value(first)) {
            if (first->letter) {
                fprintf(out, "%s-%c", gap, first->letter);
                gap = between;
            }
            fprintf(out, "%s--%s", gap, first->name);
            gap = between;
        }
    }
}

// Prints help between single quotes. `quote` replaces a single quote; characters of `special` get a
// backslash.
static void
completions_put_help(FILE *out, const char *text, const char *quote, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs(quote, out);
        } else {
            fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text == '\n' ? ' ' : *text);
        }
    }
}

// ---- bash

// What an operand, or the value of `row`, may be, as calls of functions in the script.
static void bash_offer(
    FILE *out, const struct command *command, const struct option_row *row, const char *value)
{
    words *more = row ? row->words : command->operand;
    if (completions_has_words(value, more)) {
        fputs(" _cubist_words '", out);
        completions_put_words(out, value, more, " ");
        fputs("';", out);
    }
    if (completions_is_file(value)) {
        words *kinds = completions_endings(command, row);
        fputs(" _cubist_files", out);
        if (kinds) {
            fputc(' ', out);
            completions_put_endings(out, kinds, " ");
        }
        fputc(';', out);
    }
}

static void bash_values(FILE *out)
{
    fputs("    case $command:$option in\n", out);
    for (int c = 0; c < COMMANDS; c++) {
        int at = -1;
        for (const struct option_row *first; (first = completions_next_option(&at));) {
            const struct option_row *row = completions_row_of(first, &commands[c]);
            if (row && row->value) {
                fprintf(out, "    %s:--%s", commands[c].name, row->name);
                if (first->letter) {
                    fprintf(out, " | %s:-%c", commands[c].name, first->letter);
                }
                fputc(')', out);
                bash_offer(out, &commands[c], row, row->value);
                fputs(" return ;;\n", out);
            }
        }
    }
    fputs("    esac\n", out);
}

static void bash_names(FILE *out)
{
    fputs("    case $command in\n", out);
    for (int c = 0; c < COMMANDS; c++) {
        fprintf(out, "    %s)\n        _cubist_words '", commands[c].name);
        int at = -1;
        for (const struct option_row *first; (first = completions_next_option(&at));) {
            if (completions_row_of(first, &commands[c])) {
                if (first->letter) {
                    fprintf(out, "-%c ", first->letter);
                }
                fprintf(out, "--%s ", first->name);
            }
        }
        fputs("' ;;\n", out);
    }
    fputs("    esac\n", out);
}

static void bash_operands(FILE *out)
{
    fputs("    case $command:$place in\n", out);
    for (int c = 0; c < COMMANDS; c++) {
        char operand[OPERAND];
        for (unsigned place = 0; completions_operand_at(&commands[c], place, operand); place++) {
            if (completions_repeats(operand)) {
                fprintf(out, "    %s:*)", commands[c].name);
            } else {
                fprintf(out, "    %s:%u)", commands[c].name, place);
            }
            bash_offer(out, &commands[c], NULL, operand);
            fputs(" ;;\n", out);
        }
    }
    fputs("    esac\n", out);
}

void print_bash(FILE *out)
{
    fputs(
        "# bash completion for cubist; made by cubist --print bash\n\n"
        "_cubist_words()\n"
        "{\n"
        "    local word\n"
        "    for word in $1; do\n"
        "        [[ $word == \"$current\"* ]] && COMPREPLY+=(\"$word\")\n"
        "    done\n"
        "}\n\n"
        "# Folders, and files with one of these endings; any file where there is none.\n"
        "_cubist_files()\n"
        "{\n"
        "    local name ending\n"
        "    compopt -o filenames 2>/dev/null\n"
        "    while IFS= read -r name; do\n"
        "        if [[ -d ${name/#\\~/$HOME} || $# == 0 ]]; then\n"
        "            COMPREPLY+=(\"$name\")\n"
        "            continue\n"
        "        fi\n"
        "        for ending; do\n"
        "            if [[ ${name,,} == *\"$ending\" ]]; then\n"
        "                COMPREPLY+=(\"$name\")\n"
        "                break\n"
        "            fi\n"
        "        done\n"
        "    done < <(compgen -f -- \"$current\")\n"
        "}\n\n"
        "_cubist()\n"
        "{\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} option='' command='' place=0 ended='' i word\n"
        "    COMPREPLY=()\n"
        "    # bash makes three words of --type=uint8.\n"
        "    [[ $current == '=' ]] && current=''\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        word=${COMP_WORDS[i]}\n"
        "        if [[ $ended ]]; then\n"
        "            ((place++))\n"
        "            continue\n"
        "        fi\n"
        "        case $word in\n"
        "        --) ended=1 ;;\n"
        "        =) ;;\n",
        out);
    fputs("        ", out);
    completions_put_valued(out, " | ");
    fputs(
        ")\n"
        "            [[ ${COMP_WORDS[i + 1]} == '=' ]] && ((i++))\n"
        "            ((++i >= COMP_CWORD)) && option=$word\n"
        "            ;;\n"
        "        -*) [[ ${COMP_WORDS[i + 1]} == '=' ]] && ((++i, ++i >= COMP_CWORD)) && "
        "option=$word ;;\n"
        "        *)\n"
        "            case $command:$place:$word in\n"
        "            ",
        out);
    for (int c = 0; c < COMMANDS; c++) {
        fprintf(out, "%s:0:%s", c ? " | " : "", commands[c].name);
    }
    fputs(
        ") command=$word ;;\n"
        "            *) ((place++)) ;;\n"
        "            esac\n"
        "            ;;\n"
        "        esac\n"
        "    done\n"
        "    if [[ ! $command && $place == 0 && ! $option && ! $ended && $current != -* ]]; then\n"
        "        _cubist_words '",
        out);
    for (int c = 0; c < COMMANDS; c++) {
        fprintf(out, "%s ", commands[c].name);
    }
    fputs(
        "'\n"
        "    fi\n"
        "    command=${command:-view}\n",
        out);
    bash_values(out);
    fputs(
        "    if [[ $current == -* && ! $ended ]]; then\n"
        "        _cubist_names\n"
        "        return\n"
        "    fi\n",
        out);
    bash_operands(out);
    fputs("}\n\n_cubist_names()\n{\n", out);
    bash_names(out);
    fputs("}\n\ncomplete -F _cubist cubist\n", out);
}

// ---- zsh

#define ZSH_QUOTE "'\\''"

static void zsh_files(FILE *out, words *kinds)
{
    fputs("_files", out);
    if (kinds) {
        fputs(" -g \"(#i)*(", out);
        completions_put_endings(out, kinds, "|");
        fputs(")(-.)\"", out);
    }
}

// ":message:action" of a value or an operand.
static void zsh_action(
    FILE *out, const struct command *command, const struct option_row *row, const char *value,
    words *more)
{
    fputc(':', out);
    for (const char *at = value; *at; at++) {
        fprintf(out, "%s%c", *at == ':' ? "\\" : "", *at);
    }
    fputc(':', out);
    if (completions_has_words(value, more) && completions_is_file(value)) {
        fputs("{compadd ", out);
        completions_put_words(out, value, more, " ");
        fputs(" ; ", out);
        zsh_files(out, completions_endings(command, row));
        fputc('}', out);
    } else if (completions_has_words(value, more)) {
        fputc('(', out);
        completions_put_words(out, value, more, " ");
        fputc(')', out);
    } else if (completions_is_file(value)) {
        zsh_files(out, completions_endings(command, row));
    } else {
        fputc(' ', out);
    }
}

static void zsh_option(FILE *out, const struct command *command, const struct option_row *first)
{
    const struct option_row *row = completions_row_of(first, command);
    const char *kind = !row->value ? "" : completions_takes_value(row) ? "=" : "=-";
    if (first->letter) {
        fprintf(
            out, "            '(-%c --%s)'{-%c%s,--%s%s}'[", first->letter, row->name,
            first->letter, row->value ? "+" : "", row->name, kind);
    } else {
        fprintf(out, "            '--%s%s[", row->name, kind);
    }
    completions_put_help(out, row->help, ZSH_QUOTE, "[]\\");
    fputc(']', out);
    if (row->value) {
        fputs(completions_takes_value(row) ? "" : ":", out);
        zsh_action(out, command, row, row->value, row->words);
    }
    fputs("' \\\n", out);
}

void print_zsh(FILE *out)
{
    fputs(
        "#compdef cubist\n"
        "# zsh completion for cubist; made by cubist --print zsh\n\n"
        "_cubist() {\n"
        "    local -a commands\n"
        "    local command=view\n"
        "    commands=(\n",
        out);
    for (int c = 0; c < COMMANDS; c++) {
        fprintf(out, "        '%s:", commands[c].name);
        completions_put_help(out, commands[c].summary, ZSH_QUOTE, "\\");
        fputs("'\n", out);
    }
    fputs(
        "    )\n"
        "    if (( CURRENT > 2 )) && [[ -n ${commands[(r)$words[2]:*]} ]]; then\n"
        "        command=$words[2]\n"
        "        shift words\n"
        "        (( CURRENT-- ))\n"
        "    elif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
        "        _describe -t commands command commands\n"
        "    fi\n"
        "    case $command in\n",
        out);
    for (int c = 0; c < COMMANDS; c++) {
        const struct command *one = &commands[c];
        fprintf(out, "    (%s)\n        _arguments \\\n", one->name);
        int at = -1;
        for (const struct option_row *first; (first = completions_next_option(&at));) {
            if (completions_row_of(first, one)) {
                zsh_option(out, one, first);
            }
        }
        char operand[OPERAND];
        for (unsigned place = 0; completions_operand_at(one, place, operand); place++) {
            if (completions_repeats(operand)) {
                fputs("            '*", out);
            } else {
                fprintf(out, "            '%u", place + 1);
            }
            zsh_action(out, one, NULL, operand, one->operand);
            fputs("' \\\n", out);
        }
        fputs("            ;;\n", out);
    }
    fputs(
        "    esac\n"
        "}\n\n"
        "# Found by compinit, or sourced.\n"
        "if [[ $funcstack[1] == _cubist ]]; then\n"
        "    _cubist \"$@\"\n"
        "else\n"
        "    compdef _cubist cubist\n"
        "fi\n",
        out);
}

// ---- fish

static void fish_option(FILE *out, const struct command *command, const struct option_row *first)
{
    const struct option_row *row = completions_row_of(first, command);
    fprintf(out, "complete -c cubist -n '__cubist_on %s'", command->name);
    if (first->letter) {
        fprintf(out, " -s %c", first->letter);
    }
    fprintf(out, " -l %s", row->name);
    if (row->value && completions_has_words(row->value, row->words)) {
        fprintf(out, "%s -a '", completions_takes_value(row) ? " -x" : " -f");
        completions_put_words(out, row->value, row->words, " ");
        if (completions_is_file(row->value)) {
            fputs(" (__cubist_files ", out);
            completions_put_endings(out, completions_endings(command, row), " ");
            fputc(')', out);
        }
        fputs("'", out);
    } else if (completions_is_file(row->value)) {
        words *kinds = completions_endings(command, row);
        fputs(kinds ? " -x -k -a '(__cubist_files " : " -r -F", out);
        if (kinds) {
            completions_put_endings(out, kinds, " ");
            fputs(")'", out);
        }
    } else if (row->value) {
        fputs(" -x", out);
    }
    fputs(" -d '", out);
    completions_put_help(out, row->help, "\\'", "\\");
    fputs("'\n", out);
}

static void
fish_operand(FILE *out, const struct command *command, unsigned place, const char *operand)
{
    if (completions_has_words(operand, command->operand)) {
        fprintf(out, "complete -c cubist -n '__cubist_on %s %u' -a '", command->name, place);
        completions_put_words(out, operand, command->operand, " ");
        fputs("'\n", out);
    }
    if (completions_is_file(operand)) {
        char at[16] = "";
        if (!completions_repeats(operand)) {
            snprintf(at, sizeof at, " %u", place);
        }
        fprintf(
            out, "complete -c cubist -n '__cubist_on %s%s' -k -a '(__cubist_files ", command->name,
            at);
        completions_put_endings(out, completions_endings(command, NULL), " ");
        fputs(")'\n", out);
    }
}

void print_fish(FILE *out)
{
    fputs(
        "# fish completion for cubist; made by cubist --print fish\n\nset -g -- __cubist_commands",
        out);
    for (int c = 0; c < COMMANDS; c++) {
        fprintf(out, " %s", commands[c].name);
    }
    fputs("\nset -g -- __cubist_valued ", out);
    completions_put_valued(out, " ");
    fputs(
        "\n\n"
        "# The words on the line that are no options and no values.\n"
        "function __cubist_words\n"
        "    set -l value no\n"
        "    for word in (commandline -opc)[2..]\n"
        "        if test $value = yes\n"
        "            set value no\n"
        "        else if contains -- $word $__cubist_valued\n"
        "            set value yes\n"
        "        else if not string match -q -- '-*' $word\n"
        "            echo $word\n"
        "        end\n"
        "    end\n"
        "end\n\n"
        "function __cubist_unnamed\n"
        "    test (count (__cubist_words)) = 0\n"
        "end\n\n"
        "# __cubist_on COMMAND [PLACE]: is it the command, and the operand at this place to come?\n"
        "function __cubist_on\n"
        "    set -l words (__cubist_words)\n"
        "    contains -- \"$words[1]\" $__cubist_commands; or set -p words view\n"
        "    test $words[1] = $argv[1]; or return\n"
        "    not set -q argv[2]; or test (count $words) = (math $argv[2] + 1)\n"
        "end\n\n"
        "# Folders, and files with one of these endings.\n"
        "function __cubist_files\n"
        "    set -l current (commandline -ct | string replace -r '^--[a-z-]+=' '')\n"
        "    for path in (complete -C\"__cubist_no_such_command $current\")\n"
        "        set -l name (string split -f 1 \\t -- $path)\n"
        "        if string match -q -- '*/' $name\n"
        "            echo $name\n"
        "        else\n"
        "            for ending in $argv\n"
        "                if string match -q -i -- \"*$ending\" $name\n"
        "                    echo $name\n"
        "                    break\n"
        "                end\n"
        "            end\n"
        "        end\n"
        "    end\n"
        "end\n\n"
        "complete -c cubist -f\n",
        out);
    for (int c = 0; c < COMMANDS; c++) {
        const struct command *one = &commands[c];
        fprintf(out, "complete -c cubist -n __cubist_unnamed -a %s -d '", one->name);
        completions_put_help(out, one->summary, "\\'", "\\");
        fputs("'\n", out);
        char operand[OPERAND];
        for (unsigned place = 0; completions_operand_at(one, place, operand); place++) {
            fish_operand(out, one, place, operand);
        }
        int at = -1;
        for (const struct option_row *first; (first = completions_next_option(&at));) {
            if (completions_row_of(first, one)) {
                fish_option(out, one, first);
            }
        }
    }
}
